/* SPDX-License-Identifier: MIT */
#include "program.h"
#include "history.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCRIPT_DEPTH_MAX 5
#define STARTUP_US 20000
#define SCRIPT_LINE_MAX 255 /* the kernel looks no further */

enum kind {
	KIND_UNKNOWN, /* not there any more, or another one by now */
	KIND_DYNAMIC, /* of our own machine, with glibc's loader */
	KIND_OTHER,
};

struct file {
	unsigned char head[4096];
	size_t len;
	bool is_setuid;
};

static const char *whole_path(const char *dir, const char *path)
{
	char *whole = NULL;

	if (path[0] == '/' || !dir)
		return path;
	return asprintf(&whole, "%s/%s", dir, path) < 0 ? path : whole;
}

static bool read_file(struct file *file, const char *path, int64_t before_us)
{
	struct stat st;
	ssize_t got = -1;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && (int64_t)st.st_mtime * 1000000 <= before_us)
		got = read(fd, file->head, sizeof(file->head));
	close(fd);
	file->is_setuid = got > 0 && (st.st_mode & (S_ISUID | S_ISGID));
	file->len = got > 0 ? (size_t)got : 0;
	return got > 0;
}

static enum kind kind_of(const struct file *file)
{
	const Elf64_Ehdr *header = (const void *)file->head;
	struct file self;

	if (!read_file(&self, "/proc/self/exe", INT64_MAX) || file->len < sizeof(*header))
		return KIND_OTHER;
	if (memcmp(file->head, self.head, SELFMAG + 1) ||
	    header->e_machine != ((const Elf64_Ehdr *)(const void *)self.head)->e_machine)
		return KIND_OTHER;
	for (int i = 0; i < header->e_phnum; i++) {
		size_t at = header->e_phoff + (size_t)i * header->e_phentsize;
		const Elf64_Phdr *segment = (const void *)(file->head + at);

		if (at + sizeof(*segment) > file->len)
			break;
		if (segment->p_type != PT_INTERP || segment->p_offset >= file->len)
			continue;
		return memmem(file->head + segment->p_offset, file->len - segment->p_offset,
			      "ld-linux", 8)
			       ? KIND_DYNAMIC
			       : KIND_OTHER;
	}
	return KIND_OTHER;
}

/* Put interpreter and its argument in front of @argv, as the kernel does. */
static const char *apply_script(struct t2_vec *argv, const struct file *file, const char *path)
{
	size_t len = file->len < SCRIPT_LINE_MAX ? file->len : SCRIPT_LINE_MAX;
	char *line = strndup((const char *)file->head + 2, len > 2 ? len - 2 : 0);
	struct t2_vec whole = {0};
	char *interpreter, *arg;
	size_t end;

	line[strcspn(line, "\n")] = '\0';
	for (end = strlen(line); end && strchr(" \t", line[end - 1]);)
		line[--end] = '\0';
	interpreter = line + strspn(line, " \t");
	arg = interpreter + strcspn(interpreter, " \t");
	t2_vec_add(&whole, t2_text_valid_utf8(interpreter, (size_t)(arg - interpreter)));
	if (*arg) {
		*arg++ = '\0';
		arg += strspn(arg, " \t");
		t2_vec_add(&whole, t2_text_valid_utf8(arg, strlen(arg)));
	}
	t2_vec_add(&whole, t2_text_valid_utf8(path, strlen(path)));
	for (size_t i = 1; i < argv->nr; i++)
		t2_vec_add(&whole, argv->at[i]);
	*argv = whole;
	return interpreter;
}

/* What finally runs, scripts followed to their interpreters. */
static enum kind follow(struct t2_image *image, const char **ret_path, bool *ret_is_setuid)
{
	const struct t2_record *exec = image->exec;
	const char *path = exec->u.exec.path;
	const char *dir = exec->u.exec.at ? exec->u.exec.at : image->cwd;
	const char *given = path;
	char *by_fd = NULL;

	if (exec->u.exec.is_by_fd && asprintf(&by_fd, "/dev/fd/%d", exec->u.exec.fd) > 0) {
		path = exec->u.exec.at;
		given = by_fd;
	}
	for (int depth = 0; path && depth < SCRIPT_DEPTH_MAX; depth++) {
		struct file file = {.len = 0};

		*ret_path = path;
		if (!read_file(&file, whole_path(dir, path), exec->begin_us))
			return KIND_UNKNOWN;
		*ret_is_setuid = file.is_setuid;
		if (file.len < 2 || memcmp(file.head, "#!", 2))
			return kind_of(&file);
		path = given = apply_script(&image->argv, &file, given);
		dir = image->cwd;
	}
	return KIND_UNKNOWN;
}

static bool is_native(const char *path)
{
	const char *base = t2_text_base(path);

	return !strcmp(base, "git") || !strncmp(base, "git-", 4) || !strcmp(base, "scalar");
}

/*
 * May it have been killed before the preload could say anything? Between the
 * loader's first step and the preload's the trace shows nothing.
 */
static bool is_stillborn(const struct t2_image *image, bool has_loaded)
{
	bool is_idle = !image->attempts.nr && !image->children.nr && !image->nr_threads &&
		       !image->is_active;

	if (image->end != T2_END_KILLED || !has_loaded)
		return false;
	return !image->is_loaded || (is_idle && image->end_us - image->loaded_us < STARTUP_US);
}

void t2_program_examine(struct t2_image *image, const char *shim, bool has_loaded)
{
	const struct t2_record *exec = image->exec;
	const char *path = exec->u.exec.path ? exec->u.exec.path : "";
	bool is_setuid = false;
	enum kind kind;

	/* Since Linux 5.18 a program never sees an empty argv. */
	if (image->has_argv && !image->argv.nr)
		t2_vec_add(&image->argv, "");
	kind = follow(image, &path, &is_setuid);
	image->is_unread = kind == KIND_UNKNOWN;
	image->role = T2_ROLE_OUTSIDE;
	image->need = T2_NEED_NONE;
	if (exec->u.exec.is_listing)
		return;
	if (kind == KIND_OTHER && !image->is_loaded)
		return;
	if (kind == KIND_UNKNOWN && has_loaded && !image->is_loaded && !is_stillborn(image, true))
		return;
	if (!exec->u.exec.preload || !strstr(exec->u.exec.preload, shim))
		return;
	/* The loader run by name: what it loads does not see its name and options. */
	image->is_loader = kind == KIND_OTHER;
	image->role = is_native(path) ? T2_ROLE_NATIVE : T2_ROLE_TRACED;
	image->need = T2_NEED_MUST;
	if (is_setuid || kind == KIND_OTHER || is_stillborn(image, has_loaded) ||
	    (kind == KIND_UNKNOWN && !has_loaded))
		image->need = T2_NEED_MAY;
}
