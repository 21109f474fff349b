/* SPDX-License-Identifier: MIT */
/*
 * A forked child that says something, in a region of its parent's. Confirms: the
 * child is a session of its own with nothing open and nothing counted.
 */
#include "../../preload/trace2.h"

#include "victim.h"

static struct trace2_counter number = TRACE2_COUNTER("fork", "number");

int main(void)
{
	pid_t pid;

	trace2_region_enter("fork", "parent", TRACE2_NO_REPO);
	trace2_counter_add(&number, 5);
	pid = fork();
	CHECK(pid >= 0);
	if (pid == 0) {
		trace2_data_string("fork", TRACE2_NO_REPO, "who", "child");
		trace2_counter_add(&number, 1);
		_exit(4);
	}
	victim_reap(pid, 4);
	trace2_region_leave("fork", "parent", TRACE2_NO_REPO);
	return 0;
}
