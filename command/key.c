/* SPDX-License-Identifier: MIT */
#include "command/key.h"

#include "command/trace.h"
#include "preload/buf.h"

#include <stdbool.h>
#include <string.h>

/* Where the arguments of a process are read. */
struct args {
	const char *at; /* the next one; NULL: there is none */
	uint32_t nr;	/* from it on */
};

static const char *next(struct args *args)
{
	const char *arg = args->at;

	if (!args->nr)
		return NULL;
	args->nr--;
	args->at = arg + strlen(arg) + 1;
	return arg;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Whether the @len bytes at @word are one of the words, which have blanks between. */
static bool is_one_of(const char *word, size_t len, const char *words)
{
	const char *at = words;

	while (at && len) {
		at += *at == ' ';
		if (*at == *word && !strncmp(at, word, len) && (at[len] == ' ' || !at[len]))
			return true;
		at = strchr(at, ' ');
	}
	return false;
}

static size_t finish(struct t2_buf *buf, char *out, size_t size)
{
	if (!buf->len)
		t2_buf_put_char(buf, '?');
	if (size)
		out[buf->len < size ? buf->len : size - 1] = '\0';
	return buf->len;
}

/* --- programs and scripts ------------------------------------------------------- */

struct interpreter {
	const char *names;
	const char *with_value; /* options whose value is the next argument */
	const char *code;	/* options with the program itself: there is no script */
	const char *module;	/* option with the name of what is run */
};

static const struct interpreter interpreters[] = {
	{"sh bash dash ash ksh mksh zsh", "-o +o --rcfile --init-file", "-c", ""},
	{"python pypy", "-W -X --check-hash-based-pycs", "-c", "-m"},
	{"perl", "-I -M", "-e -E", ""},
	{"ruby", "-I -r -C", "-e", ""},
	{"node nodejs", "-r --require --loader --import", "-e -p --eval --print", ""},
	{"php", "-c -d", "-r", ""},
	{"Rscript lua tclsh guile", "", "-e", ""},
};

/* What a command is, after it has been looked through. */
struct command {
	const char *name; /* not terminated */
	size_t len;
	const char *module; /* behind -m, or NULL */
	struct args args;   /* what follows */
};

/* "python3.11" is "python"; a name of nothing else stays. */
static size_t without_version(const char *name, size_t len)
{
	size_t all = len;

	while (len && ((name[len - 1] >= '0' && name[len - 1] <= '9') || name[len - 1] == '.'))
		len--;
	return len ? len : all;
}

static const struct interpreter *find_interpreter(const char *name, size_t len)
{
	for (size_t i = 0; i < sizeof(interpreters) / sizeof(*interpreters); i++) {
		if (is_one_of(name, len, interpreters[i].names))
			return &interpreters[i];
	}
	return NULL;
}

/* Single letters stand together: "-ec" has a "-c". */
static bool has_code(const struct interpreter *interpreter, const char *arg)
{
	if (is_one_of(arg, strlen(arg), interpreter->code))
		return true;
	for (const char *at = arg + 1; *arg == '-' && arg[1] != '-' && *at; at++) {
		const char letter[] = {'-', *at, '\0'};

		if (is_one_of(letter, 2, interpreter->with_value) ||
		    is_one_of(letter, 2, interpreter->module))
			return false;
		if (is_one_of(letter, 2, interpreter->code))
			return true;
	}
	return false;
}

/* From the interpreter to its script, if it has one. */
static void enter_script(struct command *command, const struct interpreter *interpreter)
{
	struct args args = command->args;
	const char *arg;

	command->len = without_version(command->name, command->len);
	while ((arg = next(&args))) {
		if (*interpreter->module && !strcmp(arg, interpreter->module)) {
			command->module = next(&args);
			command->args = args;
			return;
		}
		if (has_code(interpreter, arg) || !strcmp(arg, "-"))
			return;
		if (*arg != '-' && *arg != '+')
			break;
		if (is_one_of(arg, strlen(arg), interpreter->with_value))
			next(&args);
	}
	if (!arg || !*arg)
		return;
	command->name = base_name(arg);
	command->len = strlen(command->name);
	command->args = args;
}

/* A command line in one argument, as git tells of what it gives to a shell. */
static size_t first_word(const char *name)
{
	size_t len = strcspn(name, " \t\n");

	return len ? len : strlen(name);
}

static void read_command(const struct t2_process *process, struct command *command)
{
	const struct interpreter *interpreter;
	const char *path;

	*command = (struct command){.args = {process->argv, process->argc}};
	path = next(&command->args);
	if (!path || !*path)
		path = process->exe ? process->exe : process->name ? process->name : "";
	path += *path == '-' && path[1]; /* a login shell */
	command->name = base_name(path);
	command->len = strlen(command->name);
	if (process->argc == 1 && process->is_outside) {
		command->name = path;
		command->len = first_word(path);
		for (size_t i = 0; i + 1 < command->len; i++) {
			if (path[i] == '/')
				command->name = path + i + 1;
		}
		command->len -= (size_t)(command->name - path);
	}
	interpreter = find_interpreter(command->name, without_version(command->name, command->len));
	if (interpreter)
		enter_script(command, interpreter);
}

/* --- subcommands ---------------------------------------------------------------- */

static const struct {
	const char *names;
	const char *with_value; /* options whose value is the next argument */
	const char *deeper;	/* subcommands that have some themselves */
} many[] = {
	{"git", "-C -c --git-dir --work-tree --namespace --exec-path --config-env",
	 "submodule worktree bundle remote stash lfs"},
	{"cargo", "--color --config -Z -C --manifest-path", ""},
	{"rustup hg svn bazel bazelisk meson dotnet conda mamba brew flatpak snap", "", ""},
	{"go", "-C", "tool mod work"},
	{"npm npm-cli.js pnpm pnpm.cjs", "--prefix -C --dir --filter", "run run-script exec"},
	{"npx npx-cli.js", "-p --package", ""},
	{"yarn yarn.js", "--cwd", "run workspace"},
	{"docker podman nerdctl", "-H --host --context --config -l --log-level",
	 "compose buildx image container volume network"},
	{"kubectl helm systemctl", "-n --namespace --context --kubeconfig", ""},
	{"pip pip3 pipx poetry hatch pdm", "--python --proxy --log --directory", ""},
	{"uv", "--directory --project --color", "pip tool"},
	{"apt apt-get apt-cache dnf yum zypper apk pacman", "-o -c -t", ""},
};

/* Those that are a program by another name. */
static const struct {
	const char *file, *name;
} aliases[] = {
	{"npm-cli.js", "npm"},
	{"npx-cli.js", "npx"},
	{"yarn.js", "yarn"},
	{"pnpm.cjs", "pnpm"},
};

/* The first that is no option. */
static const char *next_plain(struct args *args, const char *with_value)
{
	const char *arg;

	while ((arg = next(args))) {
		if (*arg != '-' && *arg != '+')
			return arg;
		if (is_one_of(arg, strlen(arg), with_value))
			next(args);
	}
	return NULL;
}

static void put_word(struct t2_buf *buf, const char *word)
{
	if (!word || !*word)
		return;
	t2_buf_put_char(buf, ' ');
	t2_buf_put_str(buf, word);
}

static void put_cmake(struct t2_buf *buf, struct args args)
{
	const char *arg;

	while ((arg = next(&args))) {
		bool is_tool = !strcmp(arg, "-E");

		if (is_tool || !strcmp(arg, "-P")) {
			put_word(buf, arg);
			arg = next(&args);
			put_word(buf, arg && !is_tool ? base_name(arg) : arg);
			return;
		}
		if (!strcmp(arg, "--build") || !strcmp(arg, "--install")) {
			put_word(buf, arg);
			return;
		}
	}
}

static void put_subcommand(struct t2_buf *buf, const char *name, size_t len, struct args args)
{
	const char *sub;

	if (is_one_of(name, len, "cmake")) {
		put_cmake(buf, args);
		return;
	}
	for (size_t i = 0; i < sizeof(many) / sizeof(*many); i++) {
		if (!is_one_of(name, len, many[i].names))
			continue;
		sub = next_plain(&args, many[i].with_value);
		put_word(buf, sub);
		if (sub && is_one_of(sub, strlen(sub), many[i].deeper))
			put_word(buf, next_plain(&args, ""));
		return;
	}
}

static void put_name(struct t2_buf *buf, const struct t2_process *process)
{
	struct command command;

	read_command(process, &command);
	for (size_t i = 0; i < sizeof(aliases) / sizeof(*aliases); i++) {
		if (!is_one_of(command.name, command.len, aliases[i].file))
			continue;
		t2_buf_put_str(buf, aliases[i].name);
		put_subcommand(buf, command.name, command.len, command.args);
		return;
	}
	t2_buf_put(buf, command.name, command.len);
	if (command.module) {
		t2_buf_put_str(buf, " -m");
		put_word(buf, command.module);
		put_subcommand(buf, command.module, strlen(command.module), command.args);
		return;
	}
	put_subcommand(buf, command.name, command.len, command.args);
}

size_t t2_key_name(const struct t2_process *process, char *out, size_t size)
{
	struct t2_buf buf;

	t2_buf_init(&buf, out, size);
	put_name(&buf, process);
	return finish(&buf, out, size);
}

/* --- files -------------------------------------------------------------------- */

#define COMPILERS                                                                                  \
	"gcc g++ cc c++ clang clang++ cc1 cc1plus cc1obj f951 lto1 gfortran as ld ld.bfd ld.gold " \
	"ld.lld lld mold collect2 rustc javac nvcc tcc icx icpx nasm yasm"
#define WITH_VALUE                                                                                 \
	"-I -D -U -L -l -x -MF -MT -MQ -include -imacros -isystem -iquote -idirafter -imultiarch " \
	"-imultilib -isysroot -dumpbase -dumpbase-ext -dumpdir -auxbase -auxbase-strip -Xlinker "  \
	"-Xassembler -Xpreprocessor -Xclang -m -soname -h -plugin -dynamic-linker -T -f "          \
	"--crate-name --crate-type --edition --emit --out-dir --cfg --extern -C"
#define SOURCES                                                                                    \
	".c .cc .cpp .cxx .c++ .C .m .mm .i .ii .f .F .f90 .F90 .f95 .s .S .sx .asm .rs .java "    \
	".cu .d .adb .ads .go"

/* Between the machine before it and the version behind it is what it is. */
static bool is_compiler(const char *name, size_t len)
{
	size_t begin = 0;

	for (size_t end = 0; end <= len; end++) {
		if (end < len && name[end] != '-')
			continue;
		if (is_one_of(name + begin, end - begin, COMPILERS))
			return true;
		begin = end + 1;
	}
	return false;
}

static bool is_temporary(const char *path)
{
	return !strncmp(path, "/tmp/", 5) || !strncmp(path, "/var/tmp/", 9) ||
	       !strncmp(path, "/dev/", 5) || !strcmp(path, "-");
}

static bool is_source(const char *arg)
{
	const char *dot = strrchr(arg, '.');

	return dot && dot != arg && is_one_of(dot, strlen(dot), SOURCES);
}

static void keep_first(const char **file, const char *path)
{
	if (path && *path && !*file && !is_temporary(path))
		*file = path;
}

static void find_files(struct args args, const char **ret_output, const char **ret_source)
{
	const char *arg;

	*ret_output = *ret_source = NULL;
	while ((arg = next(&args))) {
		if (!strcmp(arg, "-o"))
			keep_first(ret_output, next(&args));
		else if (!strncmp(arg, "-o", 2))
			keep_first(ret_output, arg + 2);
		else if (*arg != '-' && is_source(arg))
			keep_first(ret_source, arg);
		else if (is_one_of(arg, strlen(arg), WITH_VALUE))
			next(&args);
	}
}

/* ar rcs ARCHIVE MEMBER... */
static void find_archive(struct args args, const char **ret_output)
{
	const char *arg = next(&args);

	*ret_output = NULL;
	if (arg && *arg == '-' && arg[1] == '-')
		arg = next_plain(&args, "");
	if (arg)
		keep_first(ret_output, next(&args));
}

static size_t put_file(const struct t2_process *process, bool prefers_source, char *out,
		       size_t size)
{
	const char *output = NULL, *source = NULL, *file;
	struct command command;
	struct t2_buf buf;

	t2_buf_init(&buf, out, size);
	put_name(&buf, process);
	read_command(process, &command);
	if (is_one_of(command.name, command.len, "ar gcc-ar llvm-ar"))
		find_archive(command.args, &output);
	else if (is_compiler(command.name, command.len))
		find_files(command.args, &output, &source);
	file = (prefers_source && source) || !output ? source : output;
	put_word(&buf, file);
	return finish(&buf, out, size);
}

size_t t2_key_output(const struct t2_process *process, char *out, size_t size)
{
	return put_file(process, false, out, size);
}

size_t t2_key_source(const struct t2_process *process, char *out, size_t size)
{
	return put_file(process, true, out, size);
}

/* --- whole commands ------------------------------------------------------------- */

static bool needs_quotes(const char *arg)
{
	if (!*arg)
		return true;
	for (; *arg; arg++) {
		unsigned char c = (unsigned char)*arg;

		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') &&
		    !strchr("+,-./:=@_^%", c))
			return true;
	}
	return false;
}

static void put_quoted(struct t2_buf *buf, const char *arg)
{
	if (!needs_quotes(arg)) {
		t2_buf_put_str(buf, arg);
		return;
	}
	t2_buf_put_char(buf, '\'');
	for (; *arg; arg++) {
		if (*arg == '\'')
			t2_buf_put_str(buf, "'\\''");
		else
			t2_buf_put_char(buf, *arg);
	}
	t2_buf_put_char(buf, '\'');
}

size_t t2_key_command(const struct t2_process *process, char *out, size_t size)
{
	struct args args = {process->argv, process->argc};
	const char *arg;
	struct t2_buf buf;

	t2_buf_init(&buf, out, size);
	while ((arg = next(&args))) {
		if (buf.len)
			t2_buf_put_char(&buf, ' ');
		put_quoted(&buf, arg);
	}
	if (!process->argc)
		t2_buf_put_str(&buf, process->exe ? process->exe : process->name);
	return finish(&buf, out, size);
}
