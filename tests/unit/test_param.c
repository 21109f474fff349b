/* SPDX-License-Identifier: MIT */
/* preload/param.c: which keys and variables are wanted, and what is told of them. */
#include "preload/param.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LEN(table) (sizeof(table) / sizeof((table)[0]))

static const struct {
	const char *key, *pattern;
	bool is_match;
} patterns[] = {
	{"core.abbrev", "core.abbrev", true},
	{"core.abbrev", "CORE.Abbrev", true},
	{"remote.Origin.url", "remote.origin.url", true},
	{"core.abbrev", "core.*", true},
	{"remote.a.b.url", "remote.*.url", true},
	{"remote.url", "remote.*.url", false},
	{"core.abbrev", "*", true},
	{"core.abbrev", "core", false},
	{"core.abbrev", "", false},
	{"core.abbrev", "?ore.abbre?", true},
	{"core.abbrev", "*b*b*v", true},
	{"core.abbrev", "*b*b*b*v", false},
	{"core.abbrev", "[abc]ore.*", true},
	{"core.abbrev", "[!abc]ore.*", false},
	{"core.abbrev", "[^d]ore.*", true},
	{"core.abbrev", "[a-d]ore.*", true},
	{"core.abbrev", "[A-D]ORE.*", true},
	{"core.abbrev", "[d-z]ore.*", false},
	{"x]y", "x[]]y", true},
	{"x-y", "x[a-]y", true},
	{"x[y", "x[y", true},
	{"x*y", "x\\*y", true},
	{"xzy", "x\\*y", false},
	{"xy\\", "xy\\", true},
};

Test(param, patterns_are_the_shells_and_ignore_case)
{
	for (size_t i = 0; i < LEN(patterns); i++)
		cr_expect_eq(t2_param_matches(patterns[i].key, patterns[i].pattern,
					      strlen(patterns[i].pattern)),
			     patterns[i].is_match, "%s against %s", patterns[i].key,
			     patterns[i].pattern);
}

static struct t2_config config;
static struct t2_params params;

static void collect(const char *const *entries)
{
	char *envp[16] = {NULL};

	for (int i = 0; entries[i]; i++)
		envp[i] = strdup(entries[i]);
	memset(&config, 0, sizeof(config));
	t2_config_read(&config, envp);
	t2_config_read_files(&config, envp);
	t2_params_collect(&params, &config, envp, &params);
}

#define COLLECT(...) collect((const char *const[]){"GIT_CONFIG_NOSYSTEM=1", __VA_ARGS__, NULL})

/* "scope:name=value|..." */
static void assert_params(const char *expected)
{
	char text[4096] = "";

	for (size_t i = 0; i < params.nr; i++) {
		const struct t2_param *param = &params.list[i];
		size_t len = strlen(text);

		snprintf(text + len, sizeof(text) - len, "%s:%s%s%s|", param->scope, param->name,
			 param->value ? "=" : "", param->value ? param->value : "");
	}
	cr_expect_str_eq(text, expected, "%s", text);
	t2_params_release(&params);
}

Test(param, nothing_wanted_needs_no_memory)
{
	COLLECT("A=1");
	cr_expect_eq(params.nr, 0);
	cr_expect_null(params.block.mem);
	t2_params_release(&params);
}

Test(param, variables_that_are_set_and_not_empty_are_told)
{
	COLLECT("A=1", "B=", "C=3", "a=lower", "GIT_TRACE2_ENV_VARS= C ,B,, A,D,AA\t");
	assert_params("command:C=3|command:A=1|");
}

static char path[] = "/tmp/t2-param-XXXXXX";

static void put(const char *text)
{
	int fd = mkstemp(path);

	cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
}

static const char *global(void)
{
	static char entry[64];

	snprintf(entry, sizeof(entry), "GIT_CONFIG_GLOBAL=%s", path);
	return entry;
}

Test(param, configuration_comes_first_and_every_value_counts)
{
	put("[core]\nabbrev = 7\n[demo \"X\"]\nurl = u1\nurl = u2\nbare\n[other]\nk = v\n");
	COLLECT(global(), "A=1", "GIT_TRACE2_CONFIG_PARAMS=demo.*, CORE.abbrev,core.*",
		"GIT_TRACE2_ENV_VARS=A");
	assert_params("global:core.abbrev=7|global:demo.X.url=u1|global:demo.X.url=u2|"
		      "global:demo.X.bare|command:A=1|");
	unlink(path);
}

Test(param, what_is_wanted_may_stand_in_the_configuration)
{
	put("[trace2]\nconfigParams = core.*\nenvVars = A\n[core]\nabbrev = 7\n");
	COLLECT(global(), "A=1");
	assert_params("global:core.abbrev=7|command:A=1|");
	unlink(path);
}

Test(param, further_down_the_tree_only_variables_are_told)
{
	put("[core]\nabbrev = 7\n");
	COLLECT(global(), "A=1", "GIT_TRACE2_PARENT_SID=x", "GIT_TRACE2_CONFIG_PARAMS=core.*",
		"GIT_TRACE2_ENV_VARS=A");
	assert_params("command:A=1|");
	unlink(path);
}

Test(param, what_does_not_fit_is_counted)
{
	char *text = calloc(1, 1 << 20);
	size_t len = (size_t)sprintf(text, "[a]\nlong = ");

	memset(text + len, 'x', 100000);
	len = strlen(text);
	for (int i = 0; i < 1000; i++)
		len += (size_t)sprintf(text + len, "\nk = %d", i);
	put(text);
	COLLECT(global(), "GIT_TRACE2_CONFIG_PARAMS=a.*");
	cr_assert_eq(params.nr, T2_PARAMS_MAX);
	cr_expect_str_eq(params.list[0].value, "0");
	cr_expect_str_eq(params.list[T2_PARAMS_MAX - 1].name, "t2shim.dropped");
	cr_expect_eq(atoi(params.list[T2_PARAMS_MAX - 1].value), 1001 - (T2_PARAMS_MAX - 1));
	t2_params_release(&params);
	unlink(path);
	free(text);
}
