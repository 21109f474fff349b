/* SPDX-License-Identifier: MIT */
/* preload/gitconfig.c: what a file says, what it includes, and where git would end. */
#include "preload/gitconfig.h"
#include "tests/unit/dir.h"

#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LEN(table) (sizeof(table) / sizeof((table)[0]))

static struct t2_gitconfig files;
static char found[1 << 20]; /* "key=value|key|..." */

static void take(void *arg, const struct t2_gitconfig_entry *entry)
{
	size_t len = strlen(found);

	cr_assert_eq(arg, &files);
	if (len < sizeof(found) / 2)
		snprintf(found + len, sizeof(found) - len, "%s%s%s|", entry->key,
			 entry->value ? "=" : "", entry->value ? entry->value : "");
}

static void begin(void)
{
	found[0] = '\0';
	t2_gitconfig_init(&files, take, &files);
}

/* In memory of exactly the size that is asked for, so that a sanitiser sees more. */
static void parse(const char *text, size_t len)
{
	char *copy = malloc(len + 1);

	memcpy(copy, text, len);
	begin();
	t2_gitconfig_parse(&files, "/somewhere/file", copy, len);
	free(copy);
}

static const struct sample {
	const char *text;
	const char *found;
	unsigned line; /* of the fault, or 0 */
} samples[] = {
	{"", "", 0},
	{"\n\n  \t\r\n", "", 0},
	{"[a]", "", 0},
	{"[a]\nk = v\n", "a.k=v|", 0},
	{"[a]\nk = v", "a.k=v|", 0},
	{"[a] k = v\n", "a.k=v|", 0},
	{"[a][b] k=v\n", "b.k=v|", 0},
	{"k = v\n", "k=v|", 0},
	{"[A.B]\nKey = V\n", "a.b.key=V|", 0},
	{"[a \"Sub\"]\nk=v\n", "a.Sub.k=v|", 0},
	{"[A\t \"s\\\"u\\b\\\\\"]\nk=v\n", "a.s\"ub\\.k=v|", 0},
	{"[a \"\"]\nk=v\n", "a..k=v|", 0},
	{"[ \"x\"]\nk=v\n", ".x.k=v|", 0},
	{"[a]\nk\n", "a.k|", 0},
	{"[a]\nk", "a.k|", 0},
	{"[a]\nk \t\n", "a.k|", 0},
	{"[a]\nk=\n", "a.k=|", 0},
	{"[a]\nk=", "a.k=|", 0},
	{"[a]\nk=\"\"\n", "a.k=|", 0},
	{"[a]\nk-1 = v\n", "a.k-1=v|", 0},
	{"[a]\nk =  v w \t\n", "a.k=v w|", 0},
	{"[a]\nk = v \t w\n", "a.k=v \t w|", 0},
	{"[a]\nk = \" v \" w\n", "a.k= v  w|", 0},
	{"[a]\nk = v\" \"\n", "a.k=v |", 0},
	{"[a]\nk = v # c\n", "a.k=v|", 0},
	{"[a]\nk = v;c\n", "a.k=v|", 0},
	{"[a]\nk = \"v # w ; x\"\n", "a.k=v # w ; x|", 0},
	{"# c [x\n; d\n[a] # e\nk = v\n", "a.k=v|", 0},
	{"[a]\nk = \\\\ \\\" \\n\\t\\b.\n", "a.k=\\ \" \n\t\b.|", 0},
	{"[a]\nk = v\\\nw\n", "a.k=vw|", 0},
	{"[a]\nk = v \\\n  w\n", "a.k=v   w|", 0},
	{"[a]\nk = \"v\\\nw\"\n", "a.k=vw|", 0},
	{"[a]\nk = v\\", "a.k=v|", 0},
	{"[a]\r\nk = v\r\nl = w\\\r\nx\r\n", "a.k=v|a.l=wx|", 0},
	{"[a]\nk = v\rw\r\r\n", "a.k=v\rw|", 0},
	{"\xef\xbb\xbf[a]\nk = v\n", "a.k=v|", 0},
	{"[a]\nk = v\nk = w\n", "a.k=v|a.k=w|", 0},
	{"[a]\nk = \xc3\xa9\n", "a.k=\xc3\xa9|", 0},
	/* Where git ends, with what it has seen until then. */
	{"[]\nk = v\n", "", 1},
	{"[a", "", 1},
	{"[a\n]\n", "", 1},
	{"[a b]\n", "", 1},
	{"[a \"b]\n", "", 1},
	{"[a \"b\n\"]\n", "", 1},
	{"[a \"b\" ]\n", "", 1},
	{"[a_b]\n", "", 1},
	{"[a]\nk = v\n1 = w\nl = x\n", "a.k=v|", 3},
	{"[a]\n-k = v\n", "", 2},
	{"[a]\nk_l = v\n", "", 2},
	{"[a]\nk v\n", "", 2},
	{"[a]\nk # c\n", "", 2},
	{"[a]\nk = \\x\n", "", 2},
	{"[a]\nk = \"v\n", "", 2},
	{"[a]\nk = \"v", "", 2},
	{"[a]\n= v\n", "", 2},
	{"\xef\xbb[a]\n", "", 1},
	{"[a]\n\xef\xbb\xbfk = v\n", "", 2},
};

ParameterizedTestParameters(gitconfig, every_sample)
{
	static int indices[LEN(samples)];

	for (size_t i = 0; i < LEN(samples); i++)
		indices[i] = (int)i;
	return cr_make_param_array(int, indices, LEN(samples));
}

ParameterizedTest(int *index, gitconfig, every_sample)
{
	const struct sample *sample = &samples[*index];
	char fault[64] = "";

	if (sample->line)
		snprintf(fault, sizeof(fault), "bad config line %u in file /somewhere/file",
			 sample->line);
	parse(sample->text, strlen(sample->text));
	cr_expect_str_eq(found, sample->found, "%s\ngives %s\ninstead of %s", sample->text, found,
			 sample->found);
	cr_expect_str_eq(files.fault, fault, "%s\ngives the fault \"%s\"", sample->text,
			 files.fault);
}

Test(gitconfig, every_beginning_of_a_sample_stays_within_its_memory)
{
	for (size_t i = 0; i < LEN(samples); i++) {
		for (size_t len = 0; len <= strlen(samples[i].text); len++)
			parse(samples[i].text, len);
	}
}

Test(gitconfig, garbage_is_read_to_its_end_or_to_a_fault)
{
	static const char alphabet[] = "[]\"\\= \t\r\n#;.-aK1\xef\xbb\xbf";
	char text[64];
	unsigned seed = 1;

	for (int round = 0; round < 100000; round++) {
		size_t len = round % sizeof(text);

		for (size_t i = 0; i < len; i++) {
			seed = seed * 1103515245 + 12345;
			text[i] = seed >> 16 & 7 ? alphabet[(seed >> 20) % sizeof(alphabet)]
						 : (char)(seed >> 20);
		}
		parse(text, len);
	}
}

Test(gitconfig, a_zero_byte_ends_a_value)
{
	parse("[a]\nk = v\0w\nl = x\n", 19);
	cr_expect_str_eq(found, "a.k=v|a.l=x|");
}

Test(gitconfig, a_key_too_long_is_left_out)
{
	char text[2 * T2_CONFIG_KEY_SIZE] = "[a \"";

	memset(text + 4, 'x', T2_CONFIG_KEY_SIZE);
	strcat(text, "\"]\nk = v\n[b]\nk = w\n");
	parse(text, strlen(text));
	cr_expect_str_eq(found, "b.k=w|");
	cr_expect_str_eq(files.fault, "");
}

/* --- files ------------------------------------------------------------------ */

static void put(const char *name, const char *format, ...)
{
	char path[256];
	va_list args;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	cr_assert_not_null(file, "%s", path);
	va_start(args, format);
	vfprintf(file, format, args);
	va_end(args);
	fclose(file);
}

static void make_dir(const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	cr_assert_eq(mkdir(path, 0700), 0);
}

TestSuite(gitconfig_files, .init = open_dir, .fini = remove_dir);

/* Read with an environment whose entries have "@" for our directory. */
static void read_with(const char *const *entries)
{
	static char texts[8][256];
	char *envp[9] = {NULL};

	for (int i = 0; entries[i]; i++) {
		const char *at = strchr(entries[i], '@');

		cr_assert_lt(i, 8);
		snprintf(texts[i], sizeof(texts[i]), "%.*s%s%s",
			 at ? (int)(at - entries[i]) : (int)strlen(entries[i]), entries[i],
			 at ? dir : "", at ? at + 1 : "");
		envp[i] = texts[i];
	}
	begin();
	t2_gitconfig_read(&files, envp);
}

#define READ(...) read_with((const char *const[]){__VA_ARGS__, NULL})

Test(gitconfig_files, system_then_xdg_then_home)
{
	make_dir(".config");
	make_dir(".config/git");
	put("system", "[a]\nk = system\n");
	put(".config/git/config", "[a]\nk = xdg\n");
	put(".gitconfig", "[a]\nk = home\n");
	READ("GIT_CONFIG_SYSTEM=@/system", "HOME=@");
	cr_expect_str_eq(found, "a.k=system|a.k=xdg|a.k=home|");
	READ("GIT_CONFIG_SYSTEM=@/system", "GIT_CONFIG_NOSYSTEM=yes", "HOME=@");
	cr_expect_str_eq(found, "a.k=xdg|a.k=home|");
	READ("GIT_CONFIG_SYSTEM=@/system", "GIT_CONFIG_NOSYSTEM=", "HOME=@");
	cr_expect_str_eq(found, "a.k=system|a.k=xdg|a.k=home|");
	READ("GIT_CONFIG_SYSTEM=@/system", "GIT_CONFIG_NOSYSTEM=banana");
	cr_expect_str_eq(found, "a.k=system|");
	READ("GIT_CONFIG_SYSTEM=", "HOME=");
	cr_expect_str_eq(found, "");
}

Test(gitconfig_files, global_replaces_both_of_the_users)
{
	make_dir("xdg");
	make_dir("xdg/git");
	put("xdg/git/config", "[a]\nk = xdg\n");
	put(".gitconfig", "[a]\nk = home\n");
	put("global", "[a]\nk = global\n");
	READ("GIT_CONFIG_NOSYSTEM=1", "XDG_CONFIG_HOME=@/xdg", "HOME=@");
	cr_expect_str_eq(found, "a.k=xdg|a.k=home|");
	READ("GIT_CONFIG_NOSYSTEM=1", "XDG_CONFIG_HOME=@/xdg");
	cr_expect_str_eq(found, "a.k=xdg|");
	READ("GIT_CONFIG_NOSYSTEM=1", "XDG_CONFIG_HOME=@/xdg", "HOME=@",
	     "GIT_CONFIG_GLOBAL=@/global");
	cr_expect_str_eq(found, "a.k=global|");
	READ("GIT_CONFIG_NOSYSTEM=1", "XDG_CONFIG_HOME=@/xdg", "HOME=@",
	     "GIT_CONFIG_GLOBAL=/dev/null");
	cr_expect_str_eq(found, "");
	READ("GIT_CONFIG_NOSYSTEM=1", "HOME=@", "GIT_CONFIG_GLOBAL=");
	cr_expect_str_eq(found, "");
	cr_expect_str_eq(files.fault, "");
}

Test(gitconfig_files, includes_take_effect_where_they_stand)
{
	make_dir("sub");
	put(".gitconfig",
	    "[a]\nk = 1\n[include]\npath = sub/one\n[a]\nk = 3\n[include]\npath = missing\n"
	    "path = ~/two\n[a]\nk = 5\n[includeIf \"gitdir:/\"]\npath = two\n"
	    "[includeIf \"hasconfig:remote.*.url:*\"]\npath = two\n");
	put("sub/one", "k = 0\n[a]\nk = 2\n[include]\npath = deeper\n");
	put("sub/deeper", "[b]\nk = deep\n");
	put("two", "[a]\nk = 4\n");
	READ("GIT_CONFIG_NOSYSTEM=1", "HOME=@");
	cr_expect(strstr(found, "a.k=1|include.path=sub/one|k=0|a.k=2|include.path=deeper|b.k=deep|"
				"a.k=3|include.path=missing|include.path=~/two|a.k=4|a.k=5|"),
		  "%s", found);
	cr_expect_null(strstr(found, "a.k=5|includeif.gitdir:/.path=two|a.k=4"), "%s", found);
	cr_expect_str_eq(files.fault, "");
}

Test(gitconfig_files, an_absolute_include_is_used_as_it_is)
{
	put("one", "[a]\nk = 1\n");
	put(".gitconfig", "[include]\npath = %s/one\n", dir);
	READ("GIT_CONFIG_NOSYSTEM=1", "HOME=@");
	cr_expect_not_null(strstr(found, "|a.k=1|"), "%s", found);
}

Test(gitconfig_files, ten_levels_of_includes_are_read_and_no_more)
{
	char name[16];

	put(".gitconfig", "[include]\npath = f1\n[a]\nlast = 1\n");
	for (int i = 1; i <= 11; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		put(name, "[a]\nk = %d\n[include]\npath = f%d\n", i, i + 1);
	}
	READ("GIT_CONFIG_NOSYSTEM=1", "HOME=@");
	cr_expect_not_null(strstr(found, "a.k=10|"), "%s", found);
	cr_expect_null(strstr(found, "a.k=11|"), "%s", found);
	cr_expect_not_null(strstr(files.fault, "exceeded maximum include depth"), "%s",
			   files.fault);
}

Test(gitconfig_files, a_file_that_includes_itself_ends)
{
	put(".gitconfig",
	    "[include]\npath = .gitconfig\npath = .gitconfig\npath = .gitconfig\n[a]\nk = 1\n");
	READ("GIT_CONFIG_NOSYSTEM=1", "HOME=@");
	cr_expect_not_null(strstr(files.fault, "exceeded maximum include depth"));
	cr_expect_eq(files.nr_files, T2_CONFIG_FILES_MAX, "no file is read afterwards");
}

Test(gitconfig_files, includes_that_fan_out_are_bounded)
{
	char name[16];

	put(".gitconfig", "[include]\npath = f1\npath = f1\npath = f1\n");
	for (int i = 1; i <= 8; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		put(name, "[include]\npath = f%d\npath = f%d\npath = f%d\n", i + 1, i + 1, i + 1);
	}
	READ("GIT_CONFIG_NOSYSTEM=1", "HOME=@");
	cr_expect_eq(files.nr_files, T2_CONFIG_FILES_MAX);
}

Test(gitconfig_files, faults_leave_the_other_files_readable)
{
	make_dir(".config");
	make_dir(".config/git");
	put(".config/git/config", "[a]\nk = xdg\n[b\n[a]\nk = lost\n");
	put(".gitconfig", "[a]\nk = home\n");
	READ("GIT_CONFIG_NOSYSTEM=1", "HOME=@");
	cr_expect_str_eq(found, "a.k=xdg|a.k=home|");
	cr_expect(strstr(files.fault, "bad config line 3 in file ") == files.fault, "%s",
		  files.fault);
}

Test(gitconfig_files, the_first_fault_is_the_one_told)
{
	put(".gitconfig", "[include]\npath\npath = ~nobody/x\n[b\n");
	READ("GIT_CONFIG_NOSYSTEM=1", "HOME=@");
	cr_expect_str_eq(files.fault, "missing value for 'include.path'");
}

Test(gitconfig_files, what_is_no_regular_file_is_not_read)
{
	char path[256];

	make_dir(".gitconfig");
	READ("GIT_CONFIG_NOSYSTEM=1", "HOME=@");
	cr_expect_str_eq(files.fault, "");
	snprintf(path, sizeof(path), "%s/fifo", dir);
	cr_assert_eq(mkfifo(path, 0600), 0);
	READ("GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=@/fifo");
	cr_expect_str_eq(found, "");
}

Test(gitconfig_files, long_files_are_read_and_longer_ones_are_not)
{
	static char filler[T2_CONFIG_FILE_MAX];
	char path[256];

	memset(filler, '\n', sizeof(filler) - 1);
	put(".gitconfig", "[a]\n%.*sk = v\n", 100000, filler);
	READ("GIT_CONFIG_NOSYSTEM=1", "HOME=@");
	cr_expect_str_eq(found, "a.k=v|");
	put(".gitconfig", "[a]\n%sk = v\n", filler);
	READ("GIT_CONFIG_NOSYSTEM=1", "HOME=@");
	cr_expect_str_eq(found, "");
	snprintf(path, sizeof(path), "too long: '%s/.gitconfig'", dir);
	cr_expect_str_eq(files.fault, path);
}

static char *scope_seen;

static void take_scope(void *arg, const struct t2_gitconfig_entry *entry)
{
	(void)arg;
	scope_seen = strdup(entry->scope);
}

Test(gitconfig_files, scopes_are_told)
{
	char system[256], home[256];
	char *envp[] = {system, "GIT_CONFIG_GLOBAL=/dev/null", NULL};

	put("file", "[a]\nk = 1\n");
	snprintf(system, sizeof(system), "GIT_CONFIG_SYSTEM=%s/file", dir);
	t2_gitconfig_init(&files, take_scope, NULL);
	t2_gitconfig_read(&files, envp);
	cr_assert_str_eq(scope_seen, "system");
	snprintf(home, sizeof(home), "GIT_CONFIG_GLOBAL=%s/file", dir);
	envp[0] = "GIT_CONFIG_NOSYSTEM=1";
	envp[1] = home;
	t2_gitconfig_init(&files, take_scope, NULL);
	t2_gitconfig_read(&files, envp);
	cr_assert_str_eq(scope_seen, "global");
}

/* --- whether they are worth it -------------------------------------------------------- */

static bool mentioned(const char *text)
{
	char global[256];
	char *envp[] = {global, "GIT_CONFIG_NOSYSTEM=1", NULL};

	put("file", text);
	snprintf(global, sizeof(global), "GIT_CONFIG_GLOBAL=%s/file", dir);
	return t2_gitconfig_mentions(envp, "trace2");
}

Test(gitconfig_files, a_word_is_found_in_any_case)
{
	cr_assert(mentioned("[trace2]\n\teventTarget = 1\n"));
	cr_assert(mentioned("[TRACE2]\n"));
	cr_assert(mentioned("[include]\n\tpath = other\n"));
	cr_assert(mentioned("[includeIf \"x\"]\n"));
	cr_assert_not(mentioned("[user]\n\tname = Tracy\n\temail = trace@2.example\n"));
	cr_assert_not(mentioned(""));
	cr_assert_not(mentioned("trace"));
}

/* It is read piece by piece, and the word may lie across two of them. */
Test(gitconfig_files, a_word_is_found_wherever_it_is)
{
	static char text[4096];

	for (size_t at = 0; at < 3000; at += at < 1000 || at > 1050 ? 97 : 1) {
		memset(text, 'x', sizeof(text) - 1);
		memcpy(text + at, "trace2", 6);
		cr_assert(mentioned(text), "not at %zu", at);
	}
	memset(text, 'x', sizeof(text) - 1);
	cr_assert_not(mentioned(text));
}

Test(gitconfig_files, what_is_not_there_mentions_nothing)
{
	char *envp[] = {"GIT_CONFIG_GLOBAL=/nonexistent", "GIT_CONFIG_SYSTEM=/", NULL};

	cr_assert_not(t2_gitconfig_mentions(envp, "trace2"));
}

/* What is written into it later must still be there for the one it is meant for. */
Test(gitconfig_files, a_pipe_is_not_read)
{
	char path[256], global[300], text[8];
	char *envp[] = {global, "GIT_CONFIG_NOSYSTEM=1", NULL};
	int fd;

	snprintf(path, sizeof(path), "%s/pipe", dir);
	cr_assert_eq(mkfifo(path, 0600), 0);
	fd = open(path, O_RDWR | O_NONBLOCK);
	cr_assert_eq(write(fd, "trace2", 6), 6);
	snprintf(global, sizeof(global), "GIT_CONFIG_GLOBAL=%s", path);
	cr_assert_not(t2_gitconfig_mentions(envp, "trace2"));
	cr_assert_eq(read(fd, text, sizeof(text)), 6);
	close(fd);
}
