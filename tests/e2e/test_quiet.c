/* SPDX-License-Identifier: MIT */
/*
 * Without a target the shim is nothing: no file, no variable, and no system call
 * after start-up that an empty preload would not make as well.
 */
#include "tests/support/assert.h"
#include "tests/support/each.h"
#include "tests/support/victims.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#define CALLS_MAX 128

struct calls {
	char names[CALLS_MAX][32];
	int counts[CALLS_MAX];
	int nr;
};

/* What the traced tree does in any order and number by itself. */
static bool is_fixed(const char *name)
{
	return strcmp(name, "futex") != 0 && strcmp(name, "restart_syscall") != 0;
}

static int *count_of(struct calls *calls, const char *name)
{
	int i;

	for (i = 0; i < calls->nr; i++)
		if (strcmp(calls->names[i], name) == 0)
			return &calls->counts[i];
	cr_assert_lt(calls->nr, CALLS_MAX);
	snprintf(calls->names[calls->nr], sizeof(calls->names[0]), "%s", name);
	calls->counts[calls->nr] = 0;
	return &calls->counts[calls->nr++];
}

/* Lines are "<pid> name(...", or "<pid> <... name resumed>", which is no second call. */
static void count_calls(struct calls *calls, const char *text)
{
	char name[32];
	const char *at;

	*calls = (struct calls){.nr = 0};
	for (at = text; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
		if (sscanf(at, "%*d %31[a-z0-9_](", name) == 1 && is_fixed(name))
			++*count_of(calls, name);
}

static void trace_calls(struct calls *calls, const char *victim, enum t2_preload preload)
{
	struct t2_run run;
	char *output;
	char *preload_entry;
	char *program = t2_format_text("tests/victims/%s", victim);
	const char *path = t2_build_path(program);
	const char *object = preload == T2_SHIM ? "libt2shim.so" : "tests/empty.so";
	char *text;

	t2_run_open(&run);
	output = t2_format_text("%s/strace", run.dir);
	preload_entry = t2_format_text("LD_PRELOAD=%s", t2_build_path(object));
	t2_run_launch(&run, &(struct t2_launch){.argv = (const char *const[]){
							"/usr/bin/strace", "-f", "-o", output, "-E",
							preload_entry, path, NULL}});
	cr_expect_str_eq(run.event, "");
	text = t2_run_read(&run, "strace");
	count_calls(calls, text);
	free(text);
	free(preload_entry);
	free(output);
	free(program);
	t2_run_close(&run);
}

/* Programs whose calls do not depend on chance, and how many images load the preload. */
static const struct {
	const char *victim;
	int nr_images;
} quiet_victims[] = {
	{"return_main", 1}, {"fork_exec", 2},	 {"fork_no_exec", 1},	  {"vfork_exec", 2},
	{"vfork_fail", 1},  {"spawn", 3},	 {"system_calls", 6},	  {"popen_fclose", 2},
	{"exec_fails", 1},  {"exec_all", 1},	 {"wait_bad_pointer", 1}, {"underscore_exit", 1},
	{"quick_exit", 1},  {"dispositions", 1}, {"errno_sentinel", 3},	  {"clone_fork", 1},
};

ParameterizedTestParameters(quiet, no_system_call_is_added_after_start_up)
{
	return t2_each(T2_LEN(quiet_victims));
}

/*
 * Start-up has a price, the same for every image: it is taken from a program that
 * only returns. What a victim makes beyond it must be equal, call by call.
 */
ParameterizedTest(int *index, quiet, no_system_call_is_added_after_start_up)
{
	const char *victim = quiet_victims[*index].victim;
	struct calls start_shim, start_empty, shim, empty;
	int price;
	int added;
	int i;

	trace_calls(&start_empty, "exit_code", T2_EMPTY);
	trace_calls(&start_shim, "exit_code", T2_SHIM);
	trace_calls(&empty, victim, T2_EMPTY);
	trace_calls(&shim, victim, T2_SHIM);
	cr_assert_gt(shim.nr, 3, "strace counted nothing");
	for (i = 0; i < empty.nr; i++) /* so that what is missing shows as well */
		count_of(&shim, empty.names[i]);
	for (i = 0; i < shim.nr; i++) {
		price = *count_of(&start_shim, shim.names[i]) -
			*count_of(&start_empty, shim.names[i]);
		added = shim.counts[i] - *count_of(&empty, shim.names[i]);
		cr_expect_eq(added, price * quiet_victims[*index].nr_images,
			     "%s: %d times %s added, %d by start-up", victim, added, shim.names[i],
			     price * quiet_victims[*index].nr_images);
	}
}

Test(quiet, nothing_is_left_and_no_variable_is_added)
{
	struct t2_run run[2];
	struct t2_launch launch = {.argv = (const char *const[]){"/bin/sh", "-c",
								 "/usr/bin/env | /bin/grep -v "
								 "-e LD_PRELOAD -e HOME -e PWD; :",
								 NULL}};
	int i;

	for (i = 0; i < 2; i++) {
		launch.preload = i ? T2_SHIM : T2_EMPTY;
		t2_run_open(&run[i]);
		t2_run_launch(&run[i], &launch);
		t2_assert_exited(&run[i], 0);
	}
	cr_expect_str_eq(run[1].out, run[0].out, "%s", run[1].out);
	cr_expect_str_eq(run[1].err, "");
	cr_expect_str_eq(run[1].event, "");
	t2_run_close(&run[0]);
	t2_run_close(&run[1]);
}

Test(quiet, no_disposition_is_changed)
{
	struct t2_run run[2];
	struct t2_launch launch = {
		.argv = (const char *const[]){"/bin/grep", "^Sig[BIC]", "/proc/self/status", NULL}};
	int i;

	for (i = 0; i < 2; i++) {
		launch.preload = i ? T2_SHIM : T2_EMPTY;
		t2_run_open(&run[i]);
		t2_run_launch(&run[i], &launch);
		t2_assert_exited(&run[i], 0);
	}
	cr_expect_str_eq(run[1].out, run[0].out, "%s", run[1].out);
	t2_run_close(&run[0]);
	t2_run_close(&run[1]);
}
