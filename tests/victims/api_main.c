/* SPDX-License-Identifier: MIT */
/*
 * Says everything trace2.h can say, in one thread. Confirms: each call's event in
 * all targets, nesting, the name added to the hierarchy, and that none of it
 * shows without the shim. errno survives each call.
 */
#include "../../preload/trace2.h"

#include "victim.h"

static struct trace2_timer outer = TRACE2_TIMER("demo", "outer");
static struct trace2_timer unused = TRACE2_TIMER("demo", "unused");
static struct trace2_counter items = TRACE2_COUNTER("demo", "items");
static struct trace2_counter own = TRACE2_COUNTER_PER_THREAD("demo", "own");

static void tell_error(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	trace2_cmd_error_va(fmt, args);
	va_end(args);
}

static void tell_command(void)
{
	static const char *const argv[] = {"checkout", "a b", NULL};

	trace2_cmd_name("demo");
	trace2_cmd_mode("loud");
	trace2_cmd_alias("co", argv);
	trace2_def_param("demo.key", "value");
	trace2_def_param("demo.bare", NULL);
	trace2_cmd_error("cannot read '%s'", "x.c");
	tell_error("%d problems", 2);
	trace2_printf("free %s", "text");
}

static void tell_regions(void)
{
	int repo = trace2_def_repo("/tmp/a tree");

	trace2_region_enter("index", "read", repo);
	trace2_data_intmax("index", repo, "entries", -42);
	trace2_region_enter_printf("index", "parse", repo, "part %d", 1);
	trace2_data_string("index", TRACE2_NO_REPO, "inner", "not in EVENT");
	trace2_region_leave_printf("index", "parse", repo, "part %d", 1);
	trace2_data_json("a_long_category_name", TRACE2_NO_REPO, "list", "[1,{\"a\":null}]");
	trace2_region_leave("index", "read", repo);
	trace2_data_string("demo", TRACE2_NO_REPO, "outside", "yes");
}

static void count(void)
{
	trace2_timer_start(&outer);
	trace2_timer_start(&outer);
	trace2_timer_stop(&outer);
	trace2_timer_stop(&outer);
	trace2_timer_stop(&unused);
	trace2_counter_add(&items, 3);
	trace2_counter_add(&items, 4);
	trace2_counter_add(&own, 1);
}

int main(void)
{
	errno = 4711;
	tell_command();
	tell_regions();
	count();
	trace2_thread_start("helper");
	trace2_thread_exit();
	trace2_region_enter("left", "open", TRACE2_NO_REPO);
	CHECK(errno == 4711);
	puts("same");
	return 3;
}
