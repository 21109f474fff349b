/* SPDX-License-Identifier: MIT */
#include "command/record.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHIM_NAME "libt2shim.so"

/* Returns false, for callers to return. */
static bool complain(const char *what, const char *why)
{
	fprintf(stderr, "t2: %s: %s\n", what, why);
	return false;
}

/* The same of the file for the events, after a system call that failed. */
static bool complain_of_file(const char *name)
{
	fprintf(stderr, "t2: %s: %s; nothing was run: -o FILE puts the events elsewhere\n", name,
		strerror(errno));
	return false;
}

/* --- the shim ------------------------------------------------------------------ */

bool t2_preload_has_shim(const char *list)
{
	const size_t name_len = sizeof(SHIM_NAME) - 1;

	while (list && *list) {
		size_t len = strcspn(list, ": ");

		if (len >= name_len && !memcmp(list + len - name_len, SHIM_NAME, name_len) &&
		    (len == name_len || list[len - name_len - 1] == '/'))
			return true;
		list += len;
		list += strspn(list, ": ");
	}
	return false;
}

/* The directory we are in, with a slash at its end. */
static bool own_directory(char *out, size_t size)
{
	ssize_t len = readlink("/proc/self/exe", out, size - 1);
	char *slash;

	if (len < 0)
		return false;
	out[len] = '\0';
	slash = strrchr(out, '/');
	if (slash)
		slash[1] = '\0';
	return slash;
}

char *t2_shim_near(const char *directory)
{
	static const char *const places[] = {"", "../lib/t2shim/", "../lib/"};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		char *path = NULL, *shim;

		if (asprintf(&path, "%s%s" SHIM_NAME, directory, places[i]) < 0)
			return NULL;
		shim = realpath(path, NULL);
		free(path);
		if (shim)
			return shim;
	}
	return NULL;
}

static bool look_around(struct t2_record *record)
{
	char own[PATH_MAX];

	if (own_directory(own, sizeof(own)))
		record->shim = t2_shim_near(own);
	if (!record->shim)
		record->shim = realpath(T2_LIBDIR "/t2shim/" SHIM_NAME, NULL);
	return record->shim;
}

static bool find_shim(struct t2_record *record)
{
	const char *given = getenv("T2_SHIM");

	if (given && *given) {
		record->shim = realpath(given, NULL);
		if (!record->shim)
			return complain(given,
					"T2_SHIM names no file; unset it, or name " SHIM_NAME);
	} else if (!look_around(record)) {
		return complain(SHIM_NAME, "found neither beside t2 nor in " T2_LIBDIR
					   "/t2shim; T2_SHIM=PATH tells where it is");
	}
	if (!t2_preload_has_shim(record->shim))
		return complain(record->shim, "must be called " SHIM_NAME
					      ", in a directory without blanks and colons");
	if (access(record->shim, R_OK))
		return complain(record->shim, strerror(errno));
	return true;
}

/* --- the file ------------------------------------------------------------------ */

/* @name from the root, through symbolic links where it is there already. */
static char *absolute(const char *name)
{
	char *path = realpath(name, NULL);
	char *cwd;

	if (path)
		return path;
	if (*name == '/')
		return strdup(name);
	cwd = getcwd(NULL, 0);
	if (!cwd || asprintf(&path, "%s/%s", strcmp(cwd, "/") ? cwd : "", name) < 0)
		path = NULL;
	free(cwd);
	return path;
}

static bool is_empty_directory(const char *path)
{
	const struct dirent *entry;
	DIR *dir = opendir(path);
	int nr = 0;

	while (dir && (entry = readdir(dir)))
		nr++;
	if (dir)
		closedir(dir);
	return nr == 2;
}

/*
 * Whether nobody else writes to it: a file that is renamed under a run that goes on
 * would get half of each. File systems without locks have none to respect.
 */
static bool lock(int fd)
{
	return !flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK;
}

/* Keep what is there as FILE.old, unless it is being written. */
static bool set_aside(struct t2_record *record)
{
	int fd = open(record->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool is_free = fd < 0 || lock(fd);

	if (fd >= 0)
		close(fd);
	if (!is_free)
		return complain(record->name,
				"another t2 is recording into it; -o FILE names another file");
	if (asprintf(&record->old, "%s.old", record->path) < 0) {
		record->old = NULL;
		return complain(record->name, strerror(errno));
	}
	if (!rename(record->path, record->old))
		return true;
	free(record->old);
	record->old = NULL;
	return complain_of_file(record->name);
}

static bool make_file(struct t2_record *record)
{
	struct stat status;

	if (!lstat(record->path, &status)) {
		record->is_readable = S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
		if (S_ISDIR(status.st_mode))
			return is_empty_directory(record->path) ||
			       complain(record->name, "is not empty; -o takes a file, or an "
						      "empty directory");
		if (!S_ISREG(status.st_mode))
			return true;
		if (!set_aside(record))
			return false;
	}
	record->is_readable = true;
	record->lock = open(record->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (record->lock < 0)
		return complain_of_file(record->name);
	lock(record->lock);
	return true;
}

/* --- the environment ----------------------------------------------------------- */

char *t2_preload_with(const char *list, const char *shim)
{
	char *longer = NULL;

	if (!list || !*list)
		return strdup(shim);
	/* Last, so that whatever the user preloads goes on coming first. */
	return asprintf(&longer, "%s:%s", list, shim) < 0 ? NULL : longer;
}

static bool set_preload(const struct t2_record *record)
{
	char *list;
	bool ok;

	if (record->is_nested)
		return true;
	list = t2_preload_with(getenv("LD_PRELOAD"), record->shim);
	ok = list && !setenv("LD_PRELOAD", list, 1);
	free(list);
	return ok;
}

/* A brief stream has no times: whoever asked for it did not mean this one. */
static bool set_environment(const struct t2_record *record)
{
	return (set_preload(record) && !setenv("GIT_TRACE2_EVENT", record->path, 1) &&
		!setenv("GIT_TRACE2_EVENT_BRIEF", "0", 1)) ||
	       complain("environment", strerror(errno));
}

bool t2_record_open(struct t2_record *record, const char *name)
{
	const char *target = getenv("GIT_TRACE2_EVENT");

	*record = (struct t2_record){.name = name, .lock = -1};
	record->is_nested = t2_preload_has_shim(getenv("LD_PRELOAD"));
	if (!find_shim(record))
		return false;
	record->path = absolute(name);
	if (!record->path)
		return complain(name, strerror(errno));
	if (!record->is_nested && target && *target && strcmp(target, "0") != 0)
		record->instead = strdup(target);
	record->is_joined = record->is_nested && target && !strcmp(target, record->path);
	if (record->is_joined)
		record->is_readable = true;
	else if (!make_file(record))
		return false;
	return set_environment(record);
}

void t2_record_undo(struct t2_record *record)
{
	if (record->lock < 0)
		return;
	unlink(record->path);
	if (record->old)
		rename(record->old, record->path);
}

void t2_record_close(struct t2_record *record)
{
	if (record->lock >= 0)
		close(record->lock);
	free(record->shim);
	free(record->path);
	free(record->old);
	free(record->instead);
}
