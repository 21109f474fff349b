/* SPDX-License-Identifier: MIT */
#include "command/key_build.h"
#include "command/trace.h"

#include <string.h>

const char *t2_key_next(struct t2_key_args *args)
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

bool t2_key_is_one_of(const char *word, size_t len, const char *words)
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

size_t t2_key_finish(struct t2_buf *buf, char *out, size_t size)
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
		if (t2_key_is_one_of(name, len, interpreters[i].names))
			return &interpreters[i];
	}
	return NULL;
}

/* Single letters stand together: "-ec" has a "-c". */
static bool has_code(const struct interpreter *interpreter, const char *arg)
{
	if (t2_key_is_one_of(arg, strlen(arg), interpreter->code))
		return true;
	for (const char *at = arg + 1; *arg == '-' && arg[1] != '-' && *at; at++) {
		const char letter[] = {'-', *at, '\0'};

		if (t2_key_is_one_of(letter, 2, interpreter->with_value) ||
		    t2_key_is_one_of(letter, 2, interpreter->module))
			return false;
		if (t2_key_is_one_of(letter, 2, interpreter->code))
			return true;
	}
	return false;
}

/* From the interpreter to its script, if it has one. */
static void enter_script(struct t2_key_command *command, const struct interpreter *interpreter)
{
	struct t2_key_args args = command->args;
	const char *arg;

	command->len = without_version(command->name, command->len);
	while ((arg = t2_key_next(&args))) {
		if (*interpreter->module && !strcmp(arg, interpreter->module)) {
			command->module = t2_key_next(&args);
			command->args = args;
			return;
		}
		if (has_code(interpreter, arg) || !strcmp(arg, "-"))
			return;
		if (*arg != '-' && *arg != '+')
			break;
		if (t2_key_is_one_of(arg, strlen(arg), interpreter->with_value))
			t2_key_next(&args);
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

void t2_key_read(const struct t2_process *process, struct t2_key_command *command)
{
	const struct interpreter *interpreter;
	const char *path;

	*command = (struct t2_key_command){.args = {process->argv, process->argc}};
	path = t2_key_next(&command->args);
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

const char *t2_key_next_plain(struct t2_key_args *args, const char *with_value)
{
	const char *arg;

	while ((arg = t2_key_next(args))) {
		if (*arg != '-' && *arg != '+')
			return arg;
		if (t2_key_is_one_of(arg, strlen(arg), with_value))
			t2_key_next(args);
	}
	return NULL;
}

void t2_key_put_word(struct t2_buf *buf, const char *word)
{
	if (!word || !*word)
		return;
	t2_buf_put_char(buf, ' ');
	t2_buf_put_str(buf, word);
}

static void put_cmake(struct t2_buf *buf, struct t2_key_args args)
{
	const char *arg;

	while ((arg = t2_key_next(&args))) {
		bool is_tool = !strcmp(arg, "-E");

		if (is_tool || !strcmp(arg, "-P")) {
			t2_key_put_word(buf, arg);
			arg = t2_key_next(&args);
			t2_key_put_word(buf, arg && !is_tool ? base_name(arg) : arg);
			return;
		}
		if (!strcmp(arg, "--build") || !strcmp(arg, "--install")) {
			t2_key_put_word(buf, arg);
			return;
		}
	}
}

static void put_subcommand(struct t2_buf *buf, const char *name, size_t len,
			   struct t2_key_args args)
{
	const char *sub;

	if (t2_key_is_one_of(name, len, "cmake")) {
		put_cmake(buf, args);
		return;
	}
	for (size_t i = 0; i < sizeof(many) / sizeof(*many); i++) {
		if (!t2_key_is_one_of(name, len, many[i].names))
			continue;
		sub = t2_key_next_plain(&args, many[i].with_value);
		t2_key_put_word(buf, sub);
		if (sub && t2_key_is_one_of(sub, strlen(sub), many[i].deeper))
			t2_key_put_word(buf, t2_key_next_plain(&args, ""));
		return;
	}
}

void t2_key_put_name(struct t2_buf *buf, const struct t2_process *process)
{
	struct t2_key_command command;

	t2_key_read(process, &command);
	for (size_t i = 0; i < sizeof(aliases) / sizeof(*aliases); i++) {
		if (!t2_key_is_one_of(command.name, command.len, aliases[i].file))
			continue;
		t2_buf_put_str(buf, aliases[i].name);
		put_subcommand(buf, command.name, command.len, command.args);
		return;
	}
	t2_buf_put(buf, command.name, command.len);
	if (command.module) {
		t2_buf_put_str(buf, " -m");
		t2_key_put_word(buf, command.module);
		put_subcommand(buf, command.module, strlen(command.module), command.args);
		return;
	}
	put_subcommand(buf, command.name, command.len, command.args);
}

size_t t2_key_name(const struct t2_process *process, char *out, size_t size)
{
	struct t2_buf buf;

	t2_buf_init(&buf, out, size);
	t2_key_put_name(&buf, process);
	return t2_key_finish(&buf, out, size);
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
	struct t2_key_args args = {process->argv, process->argc};
	const char *arg;
	struct t2_buf buf;

	t2_buf_init(&buf, out, size);
	while ((arg = t2_key_next(&args))) {
		if (buf.len)
			t2_buf_put_char(&buf, ' ');
		put_quoted(&buf, arg);
	}
	if (!process->argc)
		t2_buf_put_str(&buf, process->exe ? process->exe : process->name);
	return t2_key_finish(&buf, out, size);
}
