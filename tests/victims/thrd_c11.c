/* SPDX-License-Identifier: MIT */
/*
 * C11 threads: one returns, one leaves through thrd_exit. Confirms: both are told
 * and their int results arrive.
 */
#include <threads.h>

#include "victim.h"

static int by_return(void *arg)
{
	return *(int *)arg;
}

static int by_exit(void *arg)
{
	thrd_exit(*(int *)arg);
}

int main(void)
{
	int values[] = {5, -6};
	int result = 0;
	thrd_t thread;

	CHECK(thrd_create(&thread, by_return, &values[0]) == thrd_success);
	CHECK(thrd_join(thread, &result) == thrd_success && result == 5);
	CHECK(thrd_create(&thread, by_exit, &values[1]) == thrd_success);
	CHECK(thrd_join(thread, &result) == thrd_success && result == -6);
	return 0;
}
