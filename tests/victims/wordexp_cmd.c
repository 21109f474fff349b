/* SPDX-License-Identifier: MIT */
/*
 * wordexp with and without a command substitution. Confirms: the first is a
 * child of class system, the second is none; the words are right.
 */
#include <wordexp.h>

#include "victim.h"

int main(void)
{
	wordexp_t words;

	CHECK(wordexp("$(echo a b) c", &words, 0) == 0);
	CHECK(words.we_wordc == 3 && strcmp(words.we_wordv[1], "b") == 0);
	wordfree(&words);
	CHECK(wordexp("~root plain", &words, 0) == 0);
	CHECK(words.we_wordc == 2 && strcmp(words.we_wordv[1], "plain") == 0);
	wordfree(&words);
	CHECK(wordexp("$(echo a)", &words, WRDE_NOCMD) == WRDE_CMDSUB);
	return 0;
}
