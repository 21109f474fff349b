/* SPDX-License-Identifier: MIT */
#include "preload/gitconfig.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "preload/buf.h"
#include "preload/config.h"
#include "preload/gitsyntax.h"
#include "preload/pool.h"
#include "preload/str.h"
#include "preload/sys.h"

/* Where a distribution's git looks. */
#define SYSTEM_FILE "/etc/gitconfig"

void t2_gitconfig_init(struct t2_gitconfig *files,
		       void (*take)(void *arg, const struct t2_gitconfig_entry *entry), void *arg)
{
	files->take = take;
	files->arg = arg;
	files->home = NULL;
	files->scope = "global";
	files->depth = 0;
	files->nr_files = 0;
	files->fault[0] = '\0';
}

/* What goes to @out will end with a NUL, cut or not. */
static void begin_fault(struct t2_gitconfig *files, struct t2_buf *out)
{
	memset(files->fault, 0, sizeof(files->fault));
	t2_buf_init(out, files->fault, sizeof(files->fault) - 1);
}

void t2_gitconfig_fault(struct t2_gitconfig *files, const char *what, const char *name)
{
	struct t2_buf out;

	if (files->fault[0])
		return;
	begin_fault(files, &out);
	t2_buf_put_str(&out, what);
	t2_buf_put_char(&out, '\'');
	t2_buf_put_str(&out, name);
	t2_buf_put_char(&out, '\'');
}

static void fault_at_line(struct t2_gitconfig *files, unsigned line, const char *path)
{
	struct t2_buf out;

	if (files->fault[0])
		return;
	begin_fault(files, &out);
	t2_buf_put_str(&out, "bad config line ");
	t2_buf_put_u64(&out, line);
	t2_buf_put_str(&out, " in file ");
	t2_buf_put_str(&out, path);
}

static void read_file(struct t2_gitconfig *files, const char *path, bool is_included);

/* "~/..." below home, and what is relative where the including file @from is. */
static bool expand(const struct t2_gitconfig *files, const char *from, const char *path,
		   struct t2_buf *out)
{
	if (t2_str_starts_with(path, "~/")) {
		if (!files->home)
			return false;
		t2_buf_put_str(out, files->home);
		path++;
	} else if (*path == '~' || t2_str_starts_with(path, "%(prefix)/")) {
		return false;
	} else if (*path != '/') {
		t2_buf_put(out, from, (size_t)(t2_str_base_name(from) - from));
	}
	t2_buf_put_str(out, path);
	t2_buf_put_char(out, '\0');
	return !t2_buf_overflowed(out);
}

static void include(struct t2_gitconfig *files, const char *from, const char *path)
{
	struct t2_block block;
	struct t2_buf expanded;

	if (!path) {
		t2_gitconfig_fault(files, "missing value for ", "include.path");
		return;
	}
	if (t2_pool_claim(&block, T2_PATH_SIZE, files))
		return;
	t2_buf_init(&expanded, block.mem, T2_PATH_SIZE);
	if (expand(files, from, path, &expanded))
		read_file(files, block.mem, true);
	else
		t2_gitconfig_fault(files, "could not expand include path ", path);
	t2_pool_release(&block);
}

/* One file being read. */
struct reading {
	struct t2_gitconfig *files;
	const char *path;
};

static void take(void *arg, const char *key, const char *value)
{
	const struct reading *reading = arg;
	struct t2_gitconfig *files = reading->files;

	files->take(files->arg, &(struct t2_gitconfig_entry){key, value, files->scope});
	if (!strcmp(key, "include.path"))
		include(files, reading->path, value);
}

void t2_gitconfig_parse(struct t2_gitconfig *files, const char *path, char *text, size_t len)
{
	struct reading reading = {files, path};
	const struct t2_gitsyntax to = {files->key, sizeof(files->key), take, &reading};
	unsigned line = t2_gitsyntax_parse(&to, text, len);

	if (line)
		fault_at_line(files, line, path);
}

/* All of it, or as much as comes. */
static size_t read_all(int fd, char *text, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t nr = t2_sys_read(fd, text + len, size - len);

		if (nr == -EINTR)
			continue;
		if (nr <= 0)
			break;
		len += (size_t)nr;
	}
	return len;
}

/*
 * The open file at @path. Only a regular one: to read a pipe would take it away
 * from the git that it is meant for.
 */
static void parse_file(struct t2_gitconfig *files, const char *path, int fd)
{
	struct t2_block block;
	struct stat st;
	size_t size;

	if (t2_sys_fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return;
	size = (size_t)st.st_size;
	if (size > T2_CONFIG_FILE_MAX) {
		t2_gitconfig_fault(files, "too long: ", path);
		return;
	}
	if (t2_pool_claim(&block, size + 1, files))
		return;
	t2_gitconfig_parse(files, path, block.mem, read_all(fd, block.mem, size));
	t2_pool_release(&block);
}

/* A file that is not there is none; one that may not be read is, if it is included. */
static void read_file(struct t2_gitconfig *files, const char *path, bool is_included)
{
	int fd;

	if (files->nr_files >= T2_CONFIG_FILES_MAX)
		return;
	fd = t2_sys_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
	if (fd < 0) {
		if (is_included && fd != -ENOENT && fd != -ENOTDIR)
			t2_gitconfig_fault(files, "unable to access ", path);
		return;
	}
	if (is_included && files->depth >= T2_CONFIG_DEPTH_MAX) {
		/* git ends here; going on elsewhere could take for ever. */
		files->nr_files = T2_CONFIG_FILES_MAX;
		t2_gitconfig_fault(files, "exceeded maximum include depth while including ", path);
	} else {
		files->nr_files++;
		files->depth += is_included;
		parse_file(files, path, fd);
		files->depth -= is_included;
	}
	t2_sys_close(fd);
}

/* A file there may be: @leaf, which begins with a slash, below @dir. */
struct place {
	const char *dir, *leaf;
	const char *scope;
};

#define PLACES_MAX 3

/* Where git looks, in its order. Returns how many places that are. */
static size_t find_places(struct place places[PLACES_MAX], char *const *envp)
{
	const char *no_system = t2_config_getenv(envp, "GIT_CONFIG_NOSYSTEM");
	const char *system = t2_config_getenv(envp, "GIT_CONFIG_SYSTEM");
	const char *global = t2_config_getenv(envp, "GIT_CONFIG_GLOBAL");
	const char *xdg = t2_config_getenv(envp, "XDG_CONFIG_HOME");
	const char *home = t2_config_getenv(envp, "HOME");
	size_t nr = 0;

	if (!no_system || t2_str_to_bool(no_system) != 1)
		places[nr++] = (struct place){system ? system : SYSTEM_FILE, "", "system"};
	if (global) {
		places[nr++] = (struct place){global, "", "global"};
		return nr;
	}
	if (xdg && *xdg)
		places[nr++] = (struct place){xdg, "/git/config", "global"};
	else if (home)
		places[nr++] = (struct place){home, "/.config/git/config", "global"};
	if (home)
		places[nr++] = (struct place){home, "/.gitconfig", "global"};
	return nr;
}

/* Its path, with its NUL; false: it is too long to be opened. */
static bool put_path(const struct place *place, char *path, size_t size)
{
	struct t2_buf out;

	t2_buf_init(&out, path, size);
	t2_buf_put_str(&out, place->dir);
	t2_buf_put_str(&out, place->leaf);
	t2_buf_put_char(&out, '\0');
	return !t2_buf_overflowed(&out);
}

void t2_gitconfig_read(struct t2_gitconfig *files, char *const *envp)
{
	struct place places[PLACES_MAX];
	size_t nr = find_places(places, envp);

	files->home = t2_config_getenv(envp, "HOME");
	for (size_t i = 0; i < nr; i++) {
		files->scope = places[i].scope;
		if (put_path(&places[i], files->path, sizeof(files->path)))
			read_file(files, files->path, false);
	}
	files->scope = "global";
}

/* Whether @text holds @word, in upper or lower case. */
static bool has_word(const char *text, size_t len, const char *word)
{
	size_t word_len = strlen(word);

	for (; len >= word_len; text++, len--) {
		size_t i = 0;

		while (i < word_len && (text[i] == word[i] || (text[i] | 0x20) == word[i]))
			i++;
		if (i == word_len)
			return true;
	}
	return false;
}

/* Room on the stack, which is memory already, for a look at a file. */
#define LOOK_PATH_SIZE 256
#define LOOK_SIZE 768

/*
 * pread(2) at once: what is no regular file cannot, and is left unread for the git
 * that it is meant for.
 */
static __attribute__((noinline)) bool mentions(const char *word, int fd)
{
	const size_t overlap = sizeof("include") - 1;
	char text[LOOK_SIZE];
	off_t at = 0;
	ssize_t len;

	while ((len = t2_sys_pread(fd, text, sizeof(text), at)) > 0) {
		if (has_word(text, (size_t)len, word) || has_word(text, (size_t)len, "include"))
			return true;
		if ((size_t)len < sizeof(text))
			return false;
		at += len - (off_t)overlap;
		if (at > T2_CONFIG_FILE_MAX)
			return true;
	}
	return false;
}

bool t2_gitconfig_mentions(char *const *envp, const char *word)
{
	struct place places[PLACES_MAX];
	size_t nr = find_places(places, envp);
	bool found = false;

	for (size_t i = 0; i < nr && !found; i++) {
		char path[LOOK_PATH_SIZE];
		int fd;

		if (!put_path(&places[i], path, sizeof(path)))
			return true;
		fd = t2_sys_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
		if (fd < 0)
			continue;
		found = mentions(word, fd);
		t2_sys_close(fd);
	}
	return found;
}
