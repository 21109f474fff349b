/* SPDX-License-Identifier: MIT */
/* preload/config.c: which of environment, configuration and default counts. */
#include "preload/config.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct t2_config config;
static char path[] = "/tmp/t2-settings-XXXXXX";
static char global[64];
static char *handed_on;

static void put(const char *text)
{
	int fd = mkstemp(path);

	cr_assert_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	snprintf(global, sizeof(global), "GIT_CONFIG_GLOBAL=%s", path);
}

static void read_with(const char *const *entries)
{
	char *envp[16] = {NULL};
	int nr = 0;

	for (; entries[nr]; nr++)
		envp[nr] = strdup(entries[nr]);
	envp[nr++] = strdup("GIT_CONFIG_NOSYSTEM=1");
	if (global[0])
		envp[nr] = strdup(global);
	memset(&config, 0, sizeof(config));
	t2_config_read(&config, envp);
	t2_config_read_files(&config, envp);
}

#define READ(...) read_with((const char *const[]){__VA_ARGS__, NULL})
#define READ_FILE_ONLY() read_with((const char *const[]){NULL})

static void assert_value(enum t2_setting setting, const char *expected)
{
	const char *value = t2_config_value(&config, setting);

	if (expected)
		cr_expect_str_eq(value ? value : "(none)", expected);
	else
		cr_expect_null(value, "not \"%s\"", value);
}

static void tidy(void)
{
	unlink(path);
	free(handed_on);
}

TestSuite(settings, .fini = tidy);

Test(settings, variable_before_configuration_before_nothing)
{
	put("[trace2]\nnormalTarget = /n\nperfTarget = /p\neventBrief = yes\n");
	READ("GIT_TRACE2_PERF=/mine", "GIT_TRACE2=");
	assert_value(T2_SETTING_NORMAL, "/n");
	assert_value(T2_SETTING_PERF, "/mine");
	assert_value(T2_SETTING_EVENT_BRIEF, "yes");
	assert_value(T2_SETTING_EVENT, NULL);
	cr_expect(config.is_first);
	cr_expect_null(config.fault);
}

Test(settings, every_key_of_git_is_known)
{
	put("[TRACE2]\nnormalTarget=0\nnormalBrief=1\nperfTarget=2\nperfBrief=3\neventTarget=4\n"
	    "eventBrief=5\neventNesting=6\nconfigParams=7\nenvVars=8\ndestinationDebug=9\n"
	    "maxFiles=10\nredact=11\nsignals=12\nskip=13\n[trace2 \"x\"]\nmaxFiles=14\n");
	READ_FILE_ONLY();
	for (int i = 0; i <= 10; i++) {
		char value[8];

		snprintf(value, sizeof(value), "%d", i);
		assert_value((enum t2_setting)(T2_SETTING_NORMAL + i), value);
	}
	assert_value(T2_SETTING_REDACT, NULL);
	assert_value(T2_SETTING_SIGNALS, NULL);
	assert_value(T2_SETTING_SKIP, NULL);
}

Test(settings, of_several_values_the_last_counts_however_long)
{
	put("[trace2]\neventTarget = /a\neventTarget = /longer/than/that\nperfTarget = /longer\n"
	    "perfTarget = /b\nnormalTarget = /x\nnormalTarget =\n");
	READ_FILE_ONLY();
	assert_value(T2_SETTING_EVENT, "/longer/than/that");
	assert_value(T2_SETTING_PERF, "/b");
	assert_value(T2_SETTING_NORMAL, "");
}

static void read_in_a_child(void)
{
	READ_FILE_ONLY();
	cr_assert_not_null(config.entries[T2_SETTING_CONFIG]);
	handed_on = strdup(config.entries[T2_SETTING_CONFIG]);
	unlink(path);
	global[0] = '\0';
}

Test(settings, what_was_found_is_handed_on)
{
	put("[trace2]\neventTarget = \"/a:12=GIT_TRACE2=3:abc\"\nmaxFiles = 7\nperfTarget =\n");
	read_in_a_child();
	READ("GIT_TRACE2_PARENT_SID=x", handed_on, "GIT_TRACE2_MAX_FILES=8");
	assert_value(T2_SETTING_EVENT, "/a:12=GIT_TRACE2=3:abc");
	assert_value(T2_SETTING_MAX_FILES, "8");
	assert_value(T2_SETTING_PERF, "");
	assert_value(T2_SETTING_NORMAL, NULL);
	cr_expect_not(config.is_first);
	cr_expect_str_eq(config.entries[T2_SETTING_CONFIG], handed_on);
}

Test(settings, nothing_found_is_nothing_handed_on)
{
	put("[user]\nname = x\n");
	READ("GIT_TRACE2=/n");
	cr_expect_null(config.entries[T2_SETTING_CONFIG]);
	cr_expect_not(t2_config_has_target(&config, (char *[]){"HOME=/", NULL}));
}

Test(settings, below_a_parent_no_file_is_read_where_there_is_a_target)
{
	put("[trace2]\neventTarget = /e\n");
	READ("GIT_TRACE2_PARENT_SID=x", "GIT_TRACE2=/n");
	assert_value(T2_SETTING_EVENT, NULL);
	READ("GIT_TRACE2_PARENT_SID=x", "GIT_TRACE2=0");
	assert_value(T2_SETTING_EVENT, NULL);
	READ("GIT_TRACE2_PARENT_SID=", "GIT_TRACE2=/n");
	assert_value(T2_SETTING_EVENT, "/e");
	cr_expect(t2_config_has_target(&config, (char *[]){"HOME=/", NULL}));
	cr_expect_not(t2_config_has_target(&config, (char *[]){"PATH=/", NULL}));
}

Test(settings, below_a_parent_that_could_not_hand_on_the_files_are_read)
{
	put("[trace2]\neventTarget = /e\n");
	READ("GIT_TRACE2_PARENT_SID=x", "GIT_TRACE2=");
	assert_value(T2_SETTING_EVENT, "/e");
	cr_expect_not(config.is_first);
	cr_expect_not_null(config.entries[T2_SETTING_CONFIG]);
}

static const char *const garbage[] = {
	"T2SHIM_CONFIG=",
	"T2SHIM_CONFIG=x",
	"T2SHIM_CONFIG=GIT_TRACE2",
	"T2SHIM_CONFIG=GIT_TRACE2=",
	"T2SHIM_CONFIG=GIT_TRACE2=3",
	"T2SHIM_CONFIG=GIT_TRACE2=3:ab",
	"T2SHIM_CONFIG=GIT_TRACE2=99999999999999999999:ab",
	"T2SHIM_CONFIG=GIT_TRACE2=-1:ab",
	"T2SHIM_CONFIG=T2SHIM_SKIP=2:ab",
};

Test(settings, garbage_handed_on_is_nothing)
{
	for (size_t i = 0; i < sizeof(garbage) / sizeof(garbage[0]); i++) {
		READ(garbage[i]);
		assert_value(T2_SETTING_NORMAL, NULL);
		assert_value(T2_SETTING_SKIP, NULL);
	}
	READ("T2SHIM_CONFIG=GIT_TRACE2=2:/nGIT_TRACE2_PERF=2:/pGIT_TRACE2_EVENT=7:/e");
	assert_value(T2_SETTING_NORMAL, "/n");
	assert_value(T2_SETTING_PERF, "/p");
	assert_value(T2_SETTING_EVENT, NULL);
}

Test(settings, a_key_without_a_value_is_a_fault_and_changes_nothing)
{
	put("[trace2]\neventTarget = /e\neventTarget\nperfTarget = /p\n");
	READ_FILE_ONLY();
	assert_value(T2_SETTING_EVENT, "/e");
	assert_value(T2_SETTING_PERF, "/p");
	cr_expect_str_eq(config.fault, "missing value for 'trace2.eventtarget'");
}

Test(settings, values_too_long_are_a_fault)
{
	char *text = malloc(3 * T2_SETTINGS_SIZE);
	int len = sprintf(text, "[trace2]\nperfTarget = /p\neventTarget = /");

	memset(text + len, 'x', 2 * T2_SETTINGS_SIZE);
	text[len + 2 * T2_SETTINGS_SIZE] = '\0';
	put(text);
	READ_FILE_ONLY();
	assert_value(T2_SETTING_PERF, "/p");
	assert_value(T2_SETTING_EVENT, NULL);
	cr_expect_str_eq(config.fault, "no room for 'trace2.eventtarget'");
	free(text);
}

static const struct {
	const char *value;
	int number;
} numbers[] = {
	{"0", 0},    {"5", 5}, {" \t7", 7}, {"+8", 8},	{"-3", -3}, {"12abc", 12},
	{"true", 0}, {"", 0},  {"0x10", 0}, {"007", 7}, {"- 3", 0}, {"2147483648", 214748364},
};

Test(settings, numbers_are_read_as_atoi_does_within_reason)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		char entry[64];

		snprintf(entry, sizeof(entry), "GIT_TRACE2_MAX_FILES=%s", numbers[i].value);
		READ(entry);
		cr_expect_eq(t2_config_number(&config, T2_SETTING_MAX_FILES), numbers[i].number,
			     "\"%s\" is %d", numbers[i].value,
			     t2_config_number(&config, T2_SETTING_MAX_FILES));
	}
	READ("A=1");
	cr_expect_eq(t2_config_number(&config, T2_SETTING_MAX_FILES), 0);
}
