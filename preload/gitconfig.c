/* SPDX-License-Identifier: MIT */
#include "preload/gitconfig.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "preload/buf.h"
#include "preload/config.h"
#include "preload/pool.h"
#include "preload/str.h"
#include "preload/sys.h"

/* Where a distribution's git looks. */
#define SYSTEM_FILE "/etc/gitconfig"

/* The unread rest of a file. What is decoded goes over what has been read. */
struct cursor {
	char *at, *end;
	unsigned line;
	bool is_at_end; /* the newline read last is not in the file */
};

/* "name." or "name.subsection.", in the file's memory. */
struct section {
	const char *text;
	size_t len;
};

void t2_gitconfig_init(struct t2_gitconfig *files,
		       void (*take)(void *arg, const struct t2_gitconfig_entry *entry), void *arg)
{
	memset(files, 0, sizeof(*files));
	files->take = take;
	files->arg = arg;
	files->scope = "global";
}

/* The last byte of the fault stays NUL. */
static void begin_fault(struct t2_gitconfig *files, struct t2_buf *out)
{
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

/* One character; CR LF is one, and so is the end of the file: a newline. */
static int next_char(struct cursor *in)
{
	if (in->at == in->end) {
		in->is_at_end = true;
		return '\n';
	}
	if (*in->at == '\r' && in->at + 1 < in->end && in->at[1] == '\n')
		in->at++;
	in->line += *in->at == '\n';
	return (unsigned char)*in->at++;
}

static bool is_blank(int c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_letter(int c)
{
	return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
}

static bool is_key_char(int c)
{
	return is_letter(c) || (c >= '0' && c <= '9') || c == '-';
}

static char lower(int c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

/* The rest of [section "Subsection"] behind the first blank, @c. */
static bool parse_subsection(struct cursor *in, int c, char **out)
{
	while (is_blank(c) && c != '\n')
		c = next_char(in);
	if (c != '"')
		return false;
	*(*out)++ = '.';
	while ((c = next_char(in)) != '"') {
		if (c == '\\')
			c = next_char(in);
		if (c == '\n')
			return false;
		*(*out)++ = (char)c;
	}
	return next_char(in) == ']';
}

static bool parse_section(struct cursor *in, struct section *ret_section)
{
	char *start = in->at - 1; /* the bracket */
	char *out = start;
	int c;

	while ((c = next_char(in)) != ']') {
		if (is_blank(c)) {
			if (!parse_subsection(in, c, &out))
				return false;
			break;
		}
		if (!is_key_char(c) && c != '.')
			return false;
		*out++ = lower(c);
	}
	if (out == start)
		return false;
	*out++ = '.';
	*ret_section = (struct section){start, (size_t)(out - start)};
	return true;
}

static bool unescape(int *c)
{
	switch (*c) {
	case 't':
		*c = '\t';
		return true;
	case 'b':
		*c = '\b';
		return true;
	case 'n':
		*c = '\n';
		return true;
	default:
		return *c == '\\' || *c == '"';
	}
}

/*
 * What follows the "=", up to the end of the line. Blanks at either end are
 * left out, those between stay as they are (git before 2.45 made them spaces).
 */
static char *parse_value(struct cursor *in)
{
	char *start = in->at, *out = start, *end = start;
	bool is_quoted = false, is_comment = false;

	for (;;) {
		int c = next_char(in);

		if (c == '\n' && is_quoted)
			return NULL;
		if (c == '\n')
			break;
		if (is_comment)
			continue;
		if (is_blank(c) && !is_quoted) {
			if (out > start)
				*out++ = (char)c;
			continue;
		}
		if (!is_quoted && (c == ';' || c == '#')) {
			is_comment = true;
			continue;
		}
		if (c == '"') {
			is_quoted = !is_quoted;
		} else if (c != '\\') {
			*out++ = (char)c;
		} else if ((c = next_char(in)) != '\n') {
			if (!unescape(&c))
				return NULL;
			*out++ = (char)c;
		}
		end = out;
	}
	*end = '\0';
	return start;
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

static void deliver(struct t2_gitconfig *files, const struct section *section, const char *name,
		    size_t name_len, const char *value)
{
	struct t2_buf key;

	t2_buf_init(&key, files->key, sizeof(files->key));
	t2_buf_put(&key, section->text, section->len);
	t2_buf_put(&key, name, name_len);
	t2_buf_put_char(&key, '\0');
	if (t2_buf_overflowed(&key)) {
		files->key[0] = '\0';
		return;
	}
	files->take(files->arg, &(struct t2_gitconfig_entry){files->key, value, files->scope});
}

/* A line "name = value" or "name"; its first letter has been read. */
static bool parse_entry(struct t2_gitconfig *files, struct cursor *in, const char *path,
			const struct section *section)
{
	char *name = in->at - 1;
	char *out = name;
	char *value = NULL;
	int c = (unsigned char)*name;

	do {
		*out++ = lower(c);
		c = next_char(in);
	} while (is_key_char(c));
	while (c == ' ' || c == '\t')
		c = next_char(in);
	if (c != '\n') {
		value = c == '=' ? parse_value(in) : NULL;
		if (!value)
			return false;
	}
	deliver(files, section, name, (size_t)(out - name), value);
	if (!strcmp(files->key, "include.path"))
		include(files, path, value);
	return true;
}

static void skip_comment(struct cursor *in)
{
	while (next_char(in) != '\n')
		;
}

void t2_gitconfig_parse(struct t2_gitconfig *files, const char *path, char *text, size_t len)
{
	struct cursor in = {.at = text, .end = text + len, .line = 1};
	struct section section = {"", 0};

	if (len >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		in.at += 3;
	for (;;) {
		unsigned line = in.line;
		int c = next_char(&in);
		bool is_good = true;

		if (in.is_at_end)
			return;
		if (c == '#' || c == ';')
			skip_comment(&in);
		else if (c == '[')
			is_good = parse_section(&in, &section);
		else if (is_letter(c))
			is_good = parse_entry(files, &in, path, &section);
		else
			is_good = is_blank(c);
		if (!is_good) {
			fault_at_line(files, line, path);
			return;
		}
	}
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

/* @dir, a slash and @leaf, if there is room at @path. */
static void read_below(struct t2_gitconfig *files, char path[T2_PATH_SIZE], const char *dir,
		       const char *leaf)
{
	struct t2_buf out;

	t2_buf_init(&out, path, T2_PATH_SIZE);
	t2_buf_put_str(&out, dir);
	t2_buf_put_str(&out, leaf);
	t2_buf_put_char(&out, '\0');
	if (!t2_buf_overflowed(&out))
		read_file(files, path, false);
}

void t2_gitconfig_read(struct t2_gitconfig *files, char *const *envp)
{
	const char *no_system = t2_config_getenv(envp, "GIT_CONFIG_NOSYSTEM");
	const char *system = t2_config_getenv(envp, "GIT_CONFIG_SYSTEM");
	const char *global = t2_config_getenv(envp, "GIT_CONFIG_GLOBAL");
	const char *xdg = t2_config_getenv(envp, "XDG_CONFIG_HOME");
	struct t2_block path;

	if (t2_pool_claim(&path, T2_PATH_SIZE, files))
		return;
	files->home = t2_config_getenv(envp, "HOME");
	files->scope = "system";
	if (!no_system || t2_str_to_bool(no_system) != 1)
		read_file(files, system ? system : SYSTEM_FILE, false);
	files->scope = "global";
	if (global) {
		read_file(files, global, false);
	} else {
		if (xdg && *xdg)
			read_below(files, path.mem, xdg, "/git/config");
		else if (files->home)
			read_below(files, path.mem, files->home, "/.config/git/config");
		if (files->home)
			read_below(files, path.mem, files->home, "/.gitconfig");
	}
	t2_pool_release(&path);
}
