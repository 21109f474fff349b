/* SPDX-License-Identifier: MIT */
/*
 * What compilers are called after: the file that they make, or the one they read.
 */
#include "command/key_build.h"
#include "command/text.h"
#include "command/trace.h"

#include <stdlib.h>
#include <string.h>

#define NAME_ROOM 4096

#define COMPILERS                                                                                  \
	"gcc g++ cc c++ clang clang++ cc1 cc1plus cc1obj f951 lto1 gfortran as ld ld.bfd ld.gold " \
	"ld.lld lld rust-lld mold collect2 rustc javac nvcc tcc icx icpx nasm yasm"
#define WITH_VALUE                                                                                 \
	"-I -D -U -L -l -x -MF -MT -MQ -include -imacros -isystem -iquote -idirafter -imultiarch " \
	"-imultilib -isysroot -dumpbase -dumpbase-ext -dumpdir -auxbase -auxbase-strip -Xlinker "  \
	"-Xassembler -Xpreprocessor -Xclang -m -soname -h -plugin -dynamic-linker -T -f "          \
	"--crate-type --edition --emit --out-dir --cfg --extern -C"
#define SOURCES                                                                                    \
	".c .cc .cpp .cxx .c++ .C .m .mm .i .ii .f .F .f90 .F90 .f95 .s .S .sx .asm .rs .java "    \
	".cu .adb .ads .go"

/* Between the machine before it and the version behind it is what it is. */
static bool is_compiler(const char *name, size_t len)
{
	size_t begin = 0;

	for (size_t end = 0; end <= len; end++) {
		if (end < len && name[end] != '-')
			continue;
		if (t2_key_is_one_of(name + begin, end - begin, COMPILERS))
			return true;
		begin = end + 1;
	}
	return false;
}

/* A compiler's own are right there; below, people build. */
static bool is_temporary(const char *path)
{
	static const char *const places[] = {"/tmp/", "/var/tmp/", "/dev/"};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		size_t len = strlen(places[i]);

		if (!strncmp(path, places[i], len) && !strchr(path + len, '/'))
			return true;
	}
	return !strcmp(path, "-");
}

static bool is_source(const char *arg)
{
	const char *dot = strrchr(arg, '.');

	return dot && dot != arg && t2_key_is_one_of(dot, strlen(dot), SOURCES);
}

/* Where rustc is told what to call a crate; cargo asks about no crate as "___". */
static const char *crate_name(const char *arg, struct t2_key_args *args)
{
	static const char option[] = "--crate-name";
	const size_t len = sizeof(option) - 1;

	if (strncmp(arg, option, len))
		return NULL;
	arg = arg[len] == '=' ? arg + len + 1 : arg[len] ? NULL : t2_key_next(args);
	return arg && strcmp(arg, "___") ? arg : NULL;
}

/* The last two names of a path. */
static const char *two_names(const char *path)
{
	const char *at = strrchr(path, '/');

	while (at && at > path && at[-1] != '/')
		at--;
	return at ? at : path;
}

static void keep_first(const char **file, const char *path)
{
	if (path && *path && !*file && !is_temporary(path))
		*file = path;
}

/* What the arguments of a compiler name. */
struct files {
	const char *output, *source;
	const char *crate; /* of rustc */
};

/* @own_values: options that have a value with this program only. */
static void find_files(struct t2_key_args args, const char *own_values, struct files *files)
{
	const char *arg;

	while ((arg = t2_key_next(&args))) {
		const char *crate = crate_name(arg, &args);

		if (crate)
			files->crate = crate;
		else if (!strcmp(arg, "-o"))
			keep_first(&files->output, t2_key_next(&args));
		else if (!strncmp(arg, "-o", 2))
			keep_first(&files->output, arg + 2);
		else if (*arg != '-' && is_source(arg))
			keep_first(&files->source, arg);
		else if (t2_key_is_one_of(arg, strlen(arg), WITH_VALUE) ||
			 t2_key_is_one_of(arg, strlen(arg), own_values))
			t2_key_next(&args);
	}
	/* All build scripts have one crate name; their files are in their crates. */
	if (files->crate && strncmp(files->crate, "build_script_", 13) != 0)
		files->output = files->source = files->crate;
	else if (files->crate && files->source)
		files->output = files->source = two_names(files->source);
}

/* ar rcs ARCHIVE MEMBER... */
static void find_archive(struct t2_key_args args, struct files *files)
{
	const char *arg = t2_key_next(&args);

	if (arg && *arg == '-' && arg[1] == '-')
		arg = t2_key_next_plain(&args, "");
	if (arg)
		keep_first(&files->output, t2_key_next(&args));
}

/* .../build/CRATE-HASH/build-script-build */
static void put_crate(struct t2_buf *buf, const struct t2_process *process)
{
	const char *name = process->argc ? two_names(process->argv) : "";
	const char *end = strchr(name, '/');

	while (end && end > name && *end != '-')
		end--;
	if (!end || end == name)
		return;
	t2_buf_put_char(buf, ' ');
	t2_buf_put(buf, name, (size_t)(end - name));
}

/* The file of a compiler; NULL for others. */
static const char *find_file(const struct t2_process *process, bool prefers_source)
{
	struct t2_key_command command;
	struct files files = {0};

	t2_key_read(process, &command);
	if (t2_key_is_one_of(command.name, command.len, "ar gcc-ar llvm-ar"))
		find_archive(command.args, &files);
	else if (is_compiler(command.name, command.len))
		find_files(command.args, !strncmp(command.name, "cc1", 3) ? "-MD -MMD" : "",
			   &files);
	return (prefers_source && files.source) || !files.output ? files.source : files.output;
}

static size_t put_file(const struct t2_process *process, bool prefers_source, char *out,
		       size_t size)
{
	struct t2_key_command command;
	struct t2_buf buf;

	t2_buf_init(&buf, out, size);
	t2_key_put_name(&buf, process);
	t2_key_read(process, &command);
	if (t2_key_is_one_of(command.name, command.len, "build-script-build"))
		put_crate(&buf, process);
	t2_key_put_word(&buf, find_file(process, prefers_source));
	return t2_key_finish(&buf, out, size);
}

size_t t2_key_output(const struct t2_process *process, char *out, size_t size)
{
	return put_file(process, false, out, size);
}

size_t t2_key_source(const struct t2_process *process, char *out, size_t size)
{
	return put_file(process, true, out, size);
}

char *t2_key_without_directory(char *name)
{
	char *blank = strchr(name, ' '), *slash = strrchr(name, '/');

	if (blank && slash > blank && slash[1])
		memmove(blank + 1, slash + 1, strlen(slash));
	return name;
}

/* --- lines -------------------------------------------------------------------------- */

size_t t2_key_brief(const struct t2_process *process, bool is_unicode, char *out, size_t size)
{
	const char *file = find_file(process, true);
	struct t2_buf buf;

	*out = '\0';
	if (!file)
		return 0;
	t2_buf_init(&buf, out, size);
	t2_key_put_name(&buf, process);
	t2_key_put_word(&buf, is_unicode ? "\u2026" : "...");
	t2_key_put_word(&buf, file);
	return t2_key_finish(&buf, out, size);
}

size_t t2_key_line(const struct t2_process *process, unsigned columns, bool is_unicode, char *out,
		   size_t size)
{
	char brief[NAME_ROOM];
	size_t len = t2_key_command(process, brief, sizeof(brief)) + 1;
	char *command = malloc(len);

	if (!command)
		return t2_key_name(process, out, size);
	t2_key_command(process, command, len);
	t2_key_brief(process, is_unicode, brief, sizeof(brief));
	len = t2_text_elide_or(out, size, command, brief, columns, is_unicode);
	free(command);
	return len;
}
