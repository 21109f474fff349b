/* SPDX-License-Identifier: MIT */
/*
 * execl with 5000 arguments. Confirms: none is lost on the way through the
 * variadic hook, and the arguments of the event end in something that parses.
 */
#include "victim.h"

#define TEN "a", "b", "c", "d", "e", "f", "g", "h", "i", "j"
#define HUNDRED TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN, TEN
#define THOUSAND                                                                                   \
	HUNDRED, HUNDRED, HUNDRED, HUNDRED, HUNDRED, HUNDRED, HUNDRED, HUNDRED, HUNDRED, HUNDRED

int main(void)
{
	execl("/bin/sh", "sh", "-c", "for last; do :; done; echo $# $last", "sh", THOUSAND,
	      THOUSAND, THOUSAND, THOUSAND, THOUSAND, (char *)NULL);
	return VICTIM_FAILED;
}
