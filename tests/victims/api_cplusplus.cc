// SPDX-License-Identifier: MIT
/*
 * The public API in C++, from a thread made by the language. Confirms: the header
 * compiles there, and the region is told in the thread's name.
 */
#include "../../preload/trace2.h"

#include <thread>

static struct trace2_counter words = TRACE2_COUNTER("cplusplus", "words");

static void work()
{
	trace2_region_enter("cplusplus", "work", TRACE2_NO_REPO);
	trace2_counter_add(&words, 2);
	trace2_region_leave("cplusplus", "work", TRACE2_NO_REPO);
}

int main()
{
	std::thread thread(work);

	thread.join();
	puts("joined");
	return 0;
}
