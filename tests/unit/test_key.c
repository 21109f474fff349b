/* SPDX-License-Identifier: MIT */
/*
 * command/key.c and key_normal.c: what commands are called.
 */
#include "command/key.h"
#include "command/trace.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

typedef size_t make_key(const struct t2_process *process, char *out, size_t size);

/* Arguments are separated by "|". */
static void split(struct t2_process *process, const char *line, char *argv)
{
	*process = (struct t2_process){.argv = argv};
	strcpy(argv, line);
	process->argc = *line ? 1 : 0;
	for (; (argv = strchr(argv, '|')); argv++) {
		*argv = '\0';
		process->argc++;
	}
}

static void check(make_key *key, const char *line, const char *wanted)
{
	struct t2_process process;
	char argv[512], out[512];
	size_t len;

	split(&process, line, argv);
	len = key(&process, out, sizeof(out));
	cr_expect_str_eq(out, wanted, "%s: %s", line, out);
	cr_expect_eq(len, strlen(wanted));
	cr_expect_eq(key(&process, out, 3), len);
	cr_expect_eq(strlen(out), len < 2 ? len : 2);
}

Test(key, is_the_name_of_the_program)
{
	check(t2_key_name, "/usr/bin/ls|-l", "ls");
	check(t2_key_name, "make|all", "make");
	check(t2_key_name, "-bash", "bash");
	check(t2_key_name, "", "?");
	check(t2_key_name, "/", "/");
}

Test(key, has_the_subcommand_of_those_that_are_many)
{
	check(t2_key_name, "git|status", "git status");
	check(t2_key_name, "git|-C|dir|-c|a.b=c|--no-pager|log|-1", "git log");
	check(t2_key_name, "git|--version", "git");
	check(t2_key_name, "/usr/bin/git|submodule|update", "git submodule update");
	check(t2_key_name, "cargo|+nightly|--color|always|build|--release", "cargo build");
	check(t2_key_name, "npm|run|lint", "npm run lint");
	check(t2_key_name, "npm|ci", "npm ci");
	check(t2_key_name, "go|test|./...", "go test");
	check(t2_key_name, "go|tool|compile|-o|x", "go tool compile");
	check(t2_key_name, "docker|--context|x|compose|up", "docker compose up");
	check(t2_key_name, "docker|build|.", "docker build");
	check(t2_key_name, "pip|install|x", "pip install");
	check(t2_key_name, "cmake|-E|copy|a|b", "cmake -E copy");
	check(t2_key_name, "cmake|--build|build", "cmake --build");
	check(t2_key_name, "cmake|-S|.|-B|build", "cmake");
	check(t2_key_name, "cmake|-D|A=1|-P|/x/install.cmake", "cmake -P install.cmake");
	check(t2_key_name, "gitk|status", "gitk");
}

Test(key, is_the_script_and_not_its_interpreter)
{
	check(t2_key_name, "/bin/sh|./configure|--prefix=/x", "configure");
	check(t2_key_name, "sh|-eu|scripts/build|x", "build");
	check(t2_key_name, "sh|-c|echo hello", "sh");
	check(t2_key_name, "bash|-o|pipefail|run.sh", "run.sh");
	check(t2_key_name, "bash|-ec|ls", "bash");
	check(t2_key_name, "sh", "sh");
	check(t2_key_name, "/usr/bin/perl|-w|-I|lib|tool.pl", "tool.pl");
	check(t2_key_name, "perl|-ne|print", "perl");
	check(t2_key_name, "python3.11|-W|ignore|setup.py|build", "setup.py");
	check(t2_key_name, "python3|-m|pip|install|x", "python -m pip install");
	check(t2_key_name, "python3|-m|unittest", "python -m unittest");
	check(t2_key_name, "python3|-c|print()", "python");
	check(t2_key_name, "node|/usr/bin/npm-cli.js|run|build", "npm run build");
	check(t2_key_name, "node|--require|x.js|server.js", "server.js");
	check(t2_key_name, "bash|-", "bash");
}

Test(key, of_a_command_line_is_its_first_word)
{
	struct t2_process process = {.argv = "/bin/kill -KILL $$", .argc = 1, .is_outside = true};
	char out[64];

	t2_key_name(&process, out, sizeof(out));
	cr_expect_str_eq(out, "kill");
	process.is_outside = false;
	process.argv = "my prog";
	t2_key_name(&process, out, sizeof(out));
	cr_expect_str_eq(out, "my prog");
}

Test(key, without_arguments_is_the_executable)
{
	struct t2_process process = {.exe = "/usr/bin/cc1"};
	char out[64];

	t2_key_name(&process, out, sizeof(out));
	cr_expect_str_eq(out, "cc1");
	process = (struct t2_process){.name = "status"};
	t2_key_name(&process, out, sizeof(out));
	cr_expect_str_eq(out, "status");
}

Test(key, names_the_file_of_a_compiler)
{
	check(t2_key_output, "gcc|-O2|-c|a.c|-o|out/a.o", "gcc out/a.o");
	check(t2_key_source, "gcc|-O2|-c|a.c|-o|out/a.o", "gcc a.c");
	check(t2_key_output, "gcc|-c|-oa.o|a.c", "gcc a.o");
	check(t2_key_output, "cc1|-quiet|x/a.c|-o|/tmp/ccX.s", "cc1 x/a.c");
	check(t2_key_source, "as|-o|a.o|/tmp/ccX.s", "as a.o");
	check(t2_key_source, "x86_64-linux-gnu-g++-12|-include|b.c|-MF|c.c|d.cc",
	      "x86_64-linux-gnu-g++-12 d.cc");
	check(t2_key_output, "ld|-o|prog|a.o", "ld prog");
	check(t2_key_output, "ar|rcs|libx.a|a.o", "ar libx.a");
	check(t2_key_output, "gcc|--version", "gcc");
	check(t2_key_output, "cc1|/tmp/build/a.c|-o|/tmp/ccX.s", "cc1 /tmp/build/a.c");
	check(t2_key_output, "rust-lld|-flavor|gnu|-o|x", "rust-lld x");
	check(t2_key_output, "sort|-o|x|y.c", "sort");
	check(t2_key_output, "gcc|-o", "gcc");
}

/* -MD and -MMD have a value where cc1 is told of them, and none where gcc is. */
Test(key, does_not_take_dependencies_for_a_source)
{
	check(t2_key_source, "cc1|-quiet|-MD|out/a.d|-MF|.deps/a.Tpo|-MT|a.o|../a.c|-o|-",
	      "cc1 ../a.c");
	check(t2_key_source, "cc1plus|-MMD|x/b.c|-MF|b.d|b.cc|-o|/tmp/ccX.s", "cc1plus b.cc");
	check(t2_key_output, "cc1|-MD|a.d|a.c|-o|/tmp/ccX.s", "cc1 a.c");
	check(t2_key_source, "gcc|-MMD|a.c|-MF|a.d|-c|-o|a.o", "gcc a.c");
	check(t2_key_output, "gcc|-M|-MF|a.d", "gcc");
}

Test(key, has_a_file_without_its_directory)
{
	char names[][32] = {"cc1 src/io/a.c", "ls", "cc1 a.c", "a/b", "sh x/"};
	static const char *const wanted[] = {"cc1 a.c", "ls", "cc1 a.c", "a/b", "sh x/"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		cr_expect_str_eq(t2_key_without_directory(names[i]), wanted[i]);
}

Test(key, names_the_crate_that_rustc_compiles)
{
	check(t2_key_source, "rustc|--crate-name|serde_core|/r/serde_core-1.0.2/src/lib.rs",
	      "rustc serde_core");
	check(t2_key_output, "/opt/bin/rustc|--crate-name=demo|src/main.rs|-o|/tmp/x",
	      "rustc demo");
	check(t2_key_source, "rustc|--crate-name|build_script_build|/r/libc-0.2.1/build.rs",
	      "rustc libc-0.2.1/build.rs");
	check(t2_key_source, "rustc|--crate-name|build_script_build|build.rs", "rustc build.rs");
	check(t2_key_source, "rustc|-|--crate-name|___|--print=file-names", "rustc");
	check(t2_key_source, "/x/build/libc-0123456789abcdef/build-script-build",
	      "build-script-build libc");
	check(t2_key_source, "./build-script-build", "build-script-build");
}

Test(key, quotes_whole_commands)
{
	check(t2_key_command, "a|b c||it's", "a 'b c' '' 'it'\\''s'");
	check(t2_key_command, "cc|-DX=\"1\"", "cc '-DX=\"1\"'");
}

static size_t line_of_30(const struct t2_process *process, char *out, size_t size)
{
	return t2_key_line(process, 30, false, out, size);
}

Test(key, keeps_the_file_of_a_compiler_in_a_line)
{
	char argv[512], out[512];
	struct t2_process process;
	static const char *const cases[][2] = {
		{"/usr/lib/gcc/cc1|-quiet|-I|.|src/io/sock.c|-o|/tmp/ccXyz123.s",
		 "cc1 ... src/io/sock.c"},
		{"cc1|src/io/sock.c|-o|x.s", "cc1 src/io/sock.c -o x.s"},
		{"gcc|-O2|-Wall|-Wextra|-DNDEBUG|-c|a.c", "gcc -O2 -Wall ..DNDEBUG -c a.c"},
		{"/usr/bin/ld|-plugin|/usr/lib/liblto_plugin.so|-o|prog|a.o|/usr/lib/crtn.o",
		 "ld ... prog"},
		{"sort|-o|x|a\nvery long name of a file that ends",
		 "sort -o x 'a\\n..ile that ends'"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		split(&process, cases[i][0], argv);
		line_of_30(&process, out, sizeof(out));
		cr_expect_str_eq(out, cases[i][1], "%s", out);
		cr_expect_leq(strlen(out), 30);
	}
}

static size_t normal(const struct t2_process *process, char *out, size_t size)
{
	return t2_key_normal(process, "/home/me/build/", out, size);
}

Test(key, folds_what_differs_from_run_to_run)
{
	check(normal, "/usr/bin/cc|-o|/tmp/ccAb12.s|a.c", "cc -o /tmp/*.s a.c");
	check(normal, "rm|/tmp/dir.x/a.o|/var/tmp/y", "rm /tmp/*/a.o /var/tmp/*");
	check(normal, "ld|-plugin-opt=/tmp/x1.res|/tmp", "ld -plugin-opt=/tmp/*.res /tmp");
	check(normal, "cc|-I/home/me/build/inc|/home/me/build/a.c", "cc -I@/inc @/a.c");
	check(normal, "cc|/home/me/builder/a.c|/home/me/build", "cc /home/me/builder/a.c @");
	check(normal, "kill|12345|1234", "kill # 1234");
	check(normal, "x|f12345.o|v2.11", "x f#.o v2.11");
	check(normal, "x|objects/0a1b2c3d4e5f|deadbeef|0badcafe", "x objects/# deadbeef #");
	check(normal, "x|123e4567-e89b-12d3-a456-426614174000", "x #");
	check(normal, "x|a/tmpa1b2c3/b|tmpfile|tmp.Ab12", "x a/tmp*/b tmpfile tmp*");
	check(normal, "x|src/tmp/a", "x src/tmp/a");
	check(normal, "", "?");
}

static uint64_t hash(const char *line, uint64_t seed)
{
	struct t2_process process;
	char argv[512];

	split(&process, line, argv);
	return t2_key_hash(&process, "/home/me/build", seed);
}

Test(key, is_hashed_as_it_is_folded)
{
	char argv[1 << 16];
	struct t2_process process = {.argv = argv, .argc = 1};
	uint64_t before;

	cr_expect_eq(hash("cc|/tmp/a1", 1), hash("/bin/cc|/tmp/b2", 1));
	cr_expect_neq(hash("cc|a", 1), hash("cc|b", 1));
	cr_expect_neq(hash("cc|a", 1), hash("cc|a", 2));
	cr_expect_neq(hash("cc|a b", 1), hash("cc|a|b", 1));
	memset(argv, 'x', sizeof(argv) - 1);
	argv[sizeof(argv) - 1] = '\0';
	before = t2_key_hash(&process, NULL, 0);
	argv[sizeof(argv) - 2] = 'y';
	cr_expect_neq(t2_key_hash(&process, NULL, 0), before);
}
