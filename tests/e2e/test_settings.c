/* SPDX-License-Identifier: MIT */
/*
 * Settings, as git understands them: every row runs a victim under the shim and
 * git itself, each with the same variables and configuration in a home of its
 * own, and compares what came of it. Where git 2.39.5 differs from the git of
 * today (trace2-format 19), or dies of it, the row says what has to come.
 */
#include "tests/support/assert.h"
#include "tests/support/each.h"
#include "tests/support/outcome.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define ENTRIES_MAX 6
#define SOCKET_100                                                                                 \
	"/0123456789/0123456789/0123456789/0123456789/0123456789/0123456789/0123456789/0123456789" \
	"/0123456789"

/* In entries and files "@" is the private directory. */
struct row {
	const char *env[ENTRIES_MAX];
	const char *config;   /* ~/.gitconfig */
	const char *other;    /* ~/other */
	int nr_entries;	      /* in dir, counted as the limit does; 0: there is none */
	bool has_sentinel;    /* one of them */
	const char *expected; /* NULL: what git makes of it */
};

/* Three targets at once; the values of DST_DEBUG and MAX_FILES come with the rows. */
#define DEBUG "GIT_TRACE2_DST_DEBUG=1"
#define ALL_DIR "GIT_TRACE2=@/dir", "GIT_TRACE2_PERF=@/dir", "GIT_TRACE2_EVENT=@/dir"

static const struct row rows[] = {
	/* The list of settings: variables. */
	{.env = {"GIT_TRACE2=@/a"}},
	{.env = {"GIT_TRACE2_PERF=@/a"}},
	{.env = {"GIT_TRACE2_EVENT=@/a"}},
	{.env = {"GIT_TRACE2=@/a", "GIT_TRACE2_PERF=@/b", "GIT_TRACE2_EVENT=@/c"}},
	{.env = {"GIT_TRACE2=@/a", "GIT_TRACE2_BRIEF=1"}},
	{.env = {"GIT_TRACE2_PERF=@/a", "GIT_TRACE2_PERF_BRIEF=1"}},
	{.env = {"GIT_TRACE2_EVENT=@/a", "GIT_TRACE2_EVENT_BRIEF=1"}},
	{.env = {"GIT_TRACE2=@/a", "GIT_TRACE2_PERF=@/b", "GIT_TRACE2_PERF_BRIEF=1"}},
	{.env = {"GIT_TRACE2_EVENT=@/a", "GIT_TRACE2_ENV_VARS=B, LANG ,MISSING", "B=b c"}},
	{.env = {"GIT_TRACE2_EVENT=@/a", "GIT_TRACE2_ENV_VARS=,X,,home,LANG,LANG", "X="}},
	{.env = {"GIT_TRACE2_EVENT=@/a", "GIT_TRACE2_CONFIG_PARAMS=core.*, DEMO.*.url"},
	 .config =
		 "[core]\nabbrev = 7\n[demo \"X\"]\nurl = 1\nurl = 2\nother = 3\n[Core]\nx=y z\n"},
	{.env = {"GIT_TRACE2_EVENT=@/a", "GIT_TRACE2_CONFIG_PARAMS=core.[ab]*", "LANG=C",
		 "GIT_TRACE2_ENV_VARS=LANG"},
	 .config = "[core]\nabbrev = 7\neditor = x\n"},
	{.env = {"GIT_TRACE2_EVENT=@/a", "GIT_TRACE2_CONFIG_PARAMS=core.*"},
	 .config = "[core]\nbare\n",
	 .expected = "a: EVENT long\nparam core.bare\n"},
	/* and keys. */
	{.config = "[trace2]\nnormalTarget = @/a\n"},
	{.config = "[trace2]\nperfTarget = @/a\n"},
	{.config = "[trace2]\neventTarget = @/a\n"},
	{.config = "[TRACE2]\nNORMALTARGET = @/a\nnormalBrief = yes\n"},
	{.config = "[trace2]\nperfTarget = @/a\nperfBrief = 1\n"},
	{.config = "[trace2]\neventTarget = @/a\neventBrief = true\n"},
	{.config = "[trace2]\neventTarget = @/a\nenvVars = LANG\nconfigParams = core.*\n[core]\n"
		   "abbrev = 8\n"},
	{.config = "[trace2]\neventTarget = @/x/y\ndestinationDebug = 1\n"},
	{.config = "[trace2]\neventTarget = @/dir\nmaxFiles = 4\n", .nr_entries = 4},
	{.config = "[trace2 \"x\"]\neventTarget = @/a\n[trace2.x]\neventTarget = @/b\n"},
	{.config = "[trace2]\nredact = false\neventTarget = @/a\n"},

	/* Precedence. */
	{.env = {"GIT_TRACE2=@/a"}, .config = "[trace2]\nnormalTarget = @/b\n"},
	{.env = {"GIT_TRACE2="}, .config = "[trace2]\nnormalTarget = @/b\n"},
	{.env = {"GIT_TRACE2=0"}, .config = "[trace2]\nnormalTarget = @/b\n"},
	{.env = {"GIT_TRACE2=false"}, .config = "[trace2]\nnormalTarget = @/b\n"},
	{.env = {"GIT_TRACE2=@/a"}, .config = "[trace2]\nnormalTarget =\nperfTarget = @/b\n"},
	{.env = {"GIT_TRACE2=@/a", "GIT_TRACE2_BRIEF=0"}, .config = "[trace2]\nnormalBrief = 1\n"},
	{.env = {"GIT_TRACE2=@/a", "GIT_TRACE2_BRIEF="}, .config = "[trace2]\nnormalBrief = 1\n"},
	{.env = {"GIT_TRACE2=@/a", "GIT_TRACE2_BRIEF=x"}, .config = "[trace2]\nnormalBrief = 1\n"},
	{.config = "[trace2]\nnormalTarget = @/a\nnormalTarget = @/b\n"},
	{.config = "[trace2]\nnormalTarget = @/a\nnormalTarget =\n"},
	{.config = "[trace2]\nnormalTarget = ~/a\n"},
	{.env = {DEBUG, "GIT_TRACE2=@/x/y"}, .config = "[trace2]\ndestinationDebug = 0\n"},
	{.env = {"GIT_TRACE2_DST_DEBUG=", "GIT_TRACE2=@/x/y"},
	 .config = "[trace2]\ndestinationDebug = 2\n"},

	/* Files. */
	{.env = {"GIT_CONFIG_GLOBAL=@/other"},
	 .config = "[trace2]\neventTarget = @/a\n",
	 .other = "[trace2]\neventTarget = @/b\n"},
	{.env = {"GIT_CONFIG_GLOBAL="}, .config = "[trace2]\neventTarget = @/a\n"},
	{.env = {"GIT_CONFIG_GLOBAL=/dev/null"}, .config = "[trace2]\neventTarget = @/a\n"},
	{.env = {"GIT_CONFIG_NOSYSTEM=0", "GIT_CONFIG_SYSTEM=@/other"},
	 .config = "[trace2]\neventTarget = @/a\n",
	 .other = "[trace2]\neventTarget = @/b\nperfTarget = @/c\n"},
	{.env = {"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_SYSTEM=@/other"},
	 .other = "[trace2]\neventTarget = @/b\n"},
	{.env = {"HOME"}, .config = "[trace2]\neventTarget = @/a\n"},
	{.config = "[include]\npath = other\n[trace2]\nperfTarget = @/a\n",
	 .other = "[trace2]\neventTarget = @/b\nperfTarget = @/c\n"},
	{.config = "[trace2]\nperfTarget = @/a\n[include]\npath = ~/other\n",
	 .other = "[trace2]\neventTarget = @/b\nperfTarget = @/c\n"},
	{.config = "[includeIf \"gitdir:/\"]\npath = other\n[includeIf \"onbranch:**\"]\n"
		   "path = other\n[trace2]\nperfTarget = @/a\n",
	 .other = "[trace2]\neventTarget = @/b\n"},
	{.config = "[include]\npath = @/missing\n[trace2]\nperfTarget = @/a\n"},
	{.env = {"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=trace2.eventTarget",
		 "GIT_CONFIG_VALUE_0=@/a"}},
	{.config = "\xef\xbb\xbf[trace2] ; c\r\n\teventTarget = \"@/\"a # c\r\n"},
	{.config = "[trace2]\neventTarget = \\\n  @/a\nenvVars = LA\\\nNG\n"},
	{.config = "[trace2]\neventTarget = @/a\nperfTarget\nnormalTarget = @/b\n",
	 .expected = "a: EVENT long\nb: NORMAL long\n"},
	{.config = "[trace2]\neventTarget = @/a\n[x\n[trace2]\nperfTarget = @/b\n",
	 .expected = "a: EVENT long\n"},
	{.env = {DEBUG},
	 .config = "[trace2]\neventTarget = @/a\n[x\n",
	 .expected = "a: EVENT long\n"
		     "warning: trace2: bad config line 3 in file <dir>/.gitconfig\n"},
	{.env = {DEBUG},
	 .config = "[trace2]\neventTarget = @/a\nperfTarget\n",
	 .expected = "a: EVENT long\n"
		     "warning: trace2: missing value for 'trace2.perftarget'\n"},
	{.env = {DEBUG, "GIT_TRACE2=@/a", "GIT_TRACE2_REDACT=banana"},
	 .expected = "a: NORMAL long\nwarning: trace2: bad boolean environment value 'banana' for "
		     "'GIT_TRACE2_REDACT'\n"},

	/* Destinations. */
	{.env = {"GIT_TRACE2="}},
	{.env = {"GIT_TRACE2=0"}},
	{.env = {"GIT_TRACE2=False"}},
	{.env = {"GIT_TRACE2=1"}},
	{.env = {"GIT_TRACE2=tRUE"}},
	{.env = {"GIT_TRACE2_PERF=2"}},
	{.env = {"GIT_TRACE2_EVENT=5"}},
	{.env = {"GIT_TRACE2_EVENT=5", DEBUG}},
	{.env = {"GIT_TRACE2=10"}},
	{.env = {"GIT_TRACE2_PERF=yes"}},
	{.env = {"GIT_TRACE2_EVENT=on"}},
	{.env = {"GIT_TRACE2=no"}},
	{.env = {"GIT_TRACE2=01"}},
	{.env = {"GIT_TRACE2= 1"}},
	{.env = {"GIT_TRACE2=-1"}},
	{.env = {"GIT_TRACE2=relative/path"}},
	{.env = {"GIT_TRACE2=~/x"}},
	{.env = {"GIT_TRACE2=AF_UNIX:/x"}},
	{.env = {"GIT_TRACE2=a\tb\033c"}},
	{.env = {"GIT_TRACE2=yes", "GIT_TRACE2_PERF=no", "GIT_TRACE2_EVENT=@/a"}},
	{.config = "[trace2]\nnormalTarget = banana\n"},
	{.env = {"GIT_TRACE2=@/x/y"}},
	{.env = {"GIT_TRACE2=@/x/y", DEBUG}},
	{.env = {"GIT_TRACE2=@/x/y", "GIT_TRACE2_DST_DEBUG=true"}},
	{.env = {"GIT_TRACE2=@/x/y", "GIT_TRACE2_DST_DEBUG=2x"}},
	{.env = {"GIT_TRACE2=@/x/y", "GIT_TRACE2_DST_DEBUG=-1"}},
	{.env = {"GIT_TRACE2=/dev/null/x", DEBUG}},
	{.env = {"GIT_TRACE2=/dev/full", DEBUG}},
	{.env = {"GIT_TRACE2_EVENT=/dev/full"}},
	{.env = {"GIT_TRACE2=/dev/null", DEBUG}},
	{.env = {"GIT_TRACE2=@/dir"}, .nr_entries = 2},
	{.env = {"GIT_TRACE2_EVENT=@/dir/"}, .nr_entries = 2},
	{.env = {ALL_DIR}, .nr_entries = 2},
	{.env = {"GIT_TRACE2=af_unix:", DEBUG}},
	{.env = {"GIT_TRACE2=af_unix:stream:", DEBUG}},
	{.env = {"GIT_TRACE2=af_unix:"}},
	{.env = {"GIT_TRACE2=af_unix:foo:/x", DEBUG}},
	{.env = {"GIT_TRACE2=af_unix:dgram:x", DEBUG}},
	{.env = {"GIT_TRACE2=af_unix:" SOCKET_100, DEBUG}},
	{.env = {"GIT_TRACE2=af_unix:" SOCKET_100 "/234567", DEBUG}},
	{.env = {"GIT_TRACE2=af_unix:" SOCKET_100 "/2345678", DEBUG}},
	{.env = {"GIT_TRACE2=af_unix:@/x", DEBUG}},
	{.env = {"GIT_TRACE2=af_unix:stream:@/x", DEBUG}},
	{.env = {"GIT_TRACE2=af_unix:dgram:@/x", DEBUG}},
	{.env = {"GIT_TRACE2=af_unix:dgram:@/x"}},
	{.env = {"GIT_TRACE2_EVENT=af_unix:@/listens", DEBUG,
		 "GIT_TRACE2=af_unix:dgram:@/listens"}},

	/* The limit on files. */
	{.env = {"GIT_TRACE2_EVENT=@/dir", "GIT_TRACE2_MAX_FILES=3"}, .nr_entries = 2},
	{.env = {"GIT_TRACE2_EVENT=@/dir", "GIT_TRACE2_MAX_FILES=2"}, .nr_entries = 2},
	{.env = {"GIT_TRACE2_EVENT=@/dir", "GIT_TRACE2_MAX_FILES=1"}, .nr_entries = 2},
	{.env = {"GIT_TRACE2_EVENT=@/dir", "GIT_TRACE2_MAX_FILES=5"}, .nr_entries = 4},
	{.env = {"GIT_TRACE2_EVENT=@/dir", "GIT_TRACE2_MAX_FILES=5"}, .nr_entries = 5},
	{.env = {"GIT_TRACE2_EVENT=@/dir", "GIT_TRACE2_MAX_FILES=5"}, .nr_entries = 9},
	{.env = {"GIT_TRACE2_EVENT=@/dir/", "GIT_TRACE2_MAX_FILES=5x"}, .nr_entries = 9},
	{.env = {"GIT_TRACE2_EVENT=@/dir", "GIT_TRACE2_MAX_FILES=0"}, .nr_entries = 9},
	{.env = {"GIT_TRACE2_EVENT=@/dir", "GIT_TRACE2_MAX_FILES=-5"}, .nr_entries = 9},
	{.env = {"GIT_TRACE2_EVENT=@/dir", "GIT_TRACE2_MAX_FILES=x"}, .nr_entries = 9},
	{.env = {"GIT_TRACE2_EVENT=@/dir", "GIT_TRACE2_MAX_FILES=", DEBUG}, .nr_entries = 9},
	{.env = {"GIT_TRACE2=@/dir", "GIT_TRACE2_MAX_FILES=5", DEBUG}, .nr_entries = 9},
	{.env = {"GIT_TRACE2_PERF=@/dir", "GIT_TRACE2_MAX_FILES=5", DEBUG}, .nr_entries = 9},
	{.env = {ALL_DIR, "GIT_TRACE2_MAX_FILES=5"}, .nr_entries = 4},
	{.env = {ALL_DIR, "GIT_TRACE2_MAX_FILES=4"}, .nr_entries = 4},
	{.env = {ALL_DIR, "GIT_TRACE2_MAX_FILES=4", DEBUG}, .nr_entries = 4},
	{.env = {"GIT_TRACE2_EVENT=@/dir", "GIT_TRACE2_MAX_FILES=50"},
	 .nr_entries = 3,
	 .has_sentinel = true},
	{.env = {"GIT_TRACE2_EVENT=@/dir", "GIT_TRACE2_MAX_FILES=50", DEBUG},
	 .nr_entries = 3,
	 .has_sentinel = true},
	{.env = {"GIT_TRACE2_EVENT=@/dir", "GIT_TRACE2_MAX_FILES=0"},
	 .nr_entries = 3,
	 .has_sentinel = true},
	{.env = {"GIT_TRACE2_EVENT=@/a", "GIT_TRACE2_MAX_FILES=1"}, .nr_entries = 5},
};

static void put(const struct t2_run *run, const char *name, const char *text)
{
	FILE *file = fopen(t2_run_path(run, name), "w");

	cr_assert_not_null(file, "%s", name);
	for (; text && *text; text++) {
		if (*text == '@')
			fputs(run->dir, file);
		else
			fputc(*text, file);
	}
	fclose(file);
}

static char *expand(const struct t2_run *run, const char *text)
{
	size_t len = strcspn(text, "@");

	return t2_format_text("%.*s%s%s", (int)len, text, text[len] ? run->dir : "",
			      text[len] ? text + len + 1 : "");
}

static void furnish(const struct t2_run *run, const struct row *row)
{
	char name[32];

	if (row->config)
		put(run, ".gitconfig", row->config);
	if (row->other)
		put(run, "other", row->other);
	if (row->nr_entries)
		cr_assert_eq(mkdir(t2_run_path(run, "dir"), 0700), 0);
	for (int i = 2; i < row->nr_entries; i++) {
		snprintf(name, sizeof(name), "dir/f%d", i);
		put(run, i == 2 && row->has_sentinel ? "dir/git-trace2-discard" : name, "");
	}
}

/* Somebody who takes streams, and no datagrams. */
static int listen_at(const struct t2_run *run)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(at.sun_path, sizeof(at.sun_path), "%s/listens", run->dir);
	cr_assert_eq(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	cr_assert_eq(listen(fd, 8), 0);
	return fd;
}

/* What comes of @row with @program; free it. */
static char *outcome_of(const struct row *row, const char *program, enum t2_preload preload)
{
	struct t2_run run;
	char *env[ENTRIES_MAX + 1] = {NULL};
	struct t2_launch launch = {.preload = preload,
				   .argv = (const char *const[]){program, "version", NULL},
				   .env = (const char *const *)env};
	char *text;
	int fd;

	t2_run_open(&run);
	furnish(&run, row);
	for (int i = 0; i < ENTRIES_MAX && row->env[i]; i++)
		env[i] = expand(&run, row->env[i]);
	fd = listen_at(&run);
	t2_run_launch(&run, &launch);
	close(fd);
	text = t2_outcome(&run);
	for (int i = 0; i < ENTRIES_MAX; i++)
		free(env[i]);
	t2_run_close(&run);
	return text;
}

#define GIT "/usr/bin/git"

static void compare(const struct row *row)
{
	char *ours = outcome_of(row, "return_main", T2_SHIM);
	char *expected = NULL;

	if (row->expected)
		expected = strdup(row->expected);
	else if (access(GIT, X_OK) == 0)
		expected = outcome_of(row, GIT, T2_BARE);
	if (expected)
		cr_expect_str_eq(ours, expected, "%s %s %s\n%s\ngave\n%sinstead of\n%s",
				 row->env[0] ? row->env[0] : "", row->env[1] ? row->env[1] : "",
				 row->env[2] ? row->env[2] : "", row->config ? row->config : "",
				 ours, expected);
	free(expected);
	free(ours);
}

ParameterizedTestParameters(settings, mean_what_they_mean_to_git)
{
	return t2_each(T2_LEN(rows));
}

ParameterizedTest(int *index, settings, mean_what_they_mean_to_git)
{
	compare(&rows[*index]);
}

static const char *const booleans[] = {
	"true",
	"TRUE",
	"Yes",
	"on",
	"false",
	"No",
	"oFF",
	"0",
	"1",
	"-1",
	"+1",
	"2",
	"00",
	"010",
	"08",
	"0x10",
	"0x0",
	"0xg",
	"0x",
	"1k",
	"1K",
	"0m",
	"2G",
	"1kk",
	"1t",
	"k",
	" 1",
	"\t0",
	"1 ",
	"",
	" ",
	"\n1",
	"-",
	"truee",
	"tru",
	"y",
	"9223372036854775807",
	"1.0",
};

ParameterizedTestParameters(settings, booleans_are_gits)
{
	return t2_each(T2_LEN(booleans));
}

ParameterizedTest(int *index, settings, booleans_are_gits)
{
	char *entry = t2_format_text("GIT_TRACE2_BRIEF=%s", booleans[*index]);
	char *config =
		t2_format_text("[trace2]\nperfTarget = @/b\nperfBrief = \"%s\"\n",
			       strcmp(booleans[*index], "\n1") == 0 ? "\\n1" : booleans[*index]);

	compare(&(struct row){.env = {"GIT_TRACE2=@/a", entry}, .config = config});
	free(config);
	free(entry);
}
