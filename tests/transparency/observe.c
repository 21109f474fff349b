/* SPDX-License-Identifier: MIT */
#include "tests/transparency/observe.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <unistd.h>

#define PATH_SIZE 4200

static void path_of(char path[PATH_SIZE], pid_t pid, const char *what)
{
	snprintf(path, PATH_SIZE, "/proc/%d/%s", pid, what);
}

unsigned long observe_auxv(pid_t pid, unsigned long type)
{
	unsigned long entry[2] = {0, 0};
	char path[PATH_SIZE];
	FILE *file;

	path_of(path, pid, "auxv");
	file = fopen(path, "r");
	while (file && fread(entry, sizeof(entry), 1, file) == 1 && entry[0] && entry[0] != type)
		;
	if (file)
		fclose(file);
	return entry[0] == type ? entry[1] : 0;
}

static void begin_line(FILE *out, const struct observed *who, const char *when, const char *facet)
{
	fprintf(out, "%s#%d %s %s ", who->name, who->image, when, facet);
}

static void tell(FILE *out, const struct observed *who, const char *when, const char *facet,
		 const char *text)
{
	begin_line(out, who, when, facet);
	for (; *text; text++) {
		if (*text == '\n')
			fputs("\\n", out);
		else
			fputc(*text, out);
	}
	fputc('\n', out);
}

static void tell_link(FILE *out, const struct observed *who, const char *when, const char *facet,
		      const char *what)
{
	char path[PATH_SIZE], target[PATH_SIZE], text[2 * PATH_SIZE];
	ssize_t len;

	path_of(path, who->pid, what);
	len = readlink(path, target, sizeof(target) - 1);
	target[len < 0 ? 0 : len] = '\0';
	snprintf(text, sizeof(text), "%s %s", what, target);
	tell(out, who, when, facet, text);
}

/* The lines of a file of /proc that begin with one of @wanted; all if that is NULL. */
static void tell_lines(FILE *out, const struct observed *who, const char *when, const char *facet,
		       const char *what, const char *const *wanted)
{
	char path[PATH_SIZE];
	char *line = NULL;
	size_t size = 0;
	FILE *file;

	path_of(path, who->pid, what);
	file = fopen(path, "r");
	while (file && getline(&line, &size, file) > 0) {
		const char *const *prefix = wanted;

		while (prefix && *prefix && strncmp(line, *prefix, strlen(*prefix)) != 0)
			prefix++;
		line[strcspn(line, "\n")] = '\0';
		if (!prefix || *prefix) {
			begin_line(out, who, when, facet);
			fprintf(out, "%s %s\n", what, line);
		}
	}
	if (file)
		fclose(file);
	free(line);
}

/* Number, what is open there, and with which flags. */
static void tell_fds(FILE *out, const struct observed *who, const char *when)
{
	static const char *const flags[] = {"flags:", NULL};
	char path[PATH_SIZE], what[300];
	struct dirent **entries;
	int nr, i;

	path_of(path, who->pid, "fd");
	nr = scandir(path, &entries, NULL, versionsort);
	for (i = 0; i < nr; i++) {
		if (entries[i]->d_name[0] != '.') {
			snprintf(what, sizeof(what), "fd/%s", entries[i]->d_name);
			tell_link(out, who, when, "fds", what);
			snprintf(what, sizeof(what), "fdinfo/%s", entries[i]->d_name);
			tell_lines(out, who, when, "fds", what, flags);
		}
		free(entries[i]);
	}
	if (nr >= 0)
		free(entries);
}

/* A string of the process, up to @size bytes of it; false if there is none. */
static int read_string(pid_t pid, unsigned long at, char *text, size_t size)
{
	size_t len = 0;

	while (len + 1 < size) {
		size_t part = 4096 - at % 4096;
		struct iovec to = {text + len, part < size - 1 - len ? part : size - 1 - len};
		struct iovec from = {(void *)at, to.iov_len};
		ssize_t got = process_vm_readv(pid, &to, 1, &from, 1, 0);

		if (got <= 0)
			return 0;
		if (memchr(text + len, '\0', (size_t)got))
			return 1;
		len += (size_t)got;
		at += (size_t)got;
	}
	text[len] = '\0';
	return 1;
}

/* The vector main gets; the kernel's own copy in /proc cannot be edited by anyone. */
static void tell_env(FILE *out, const struct observed *who, const char *when)
{
	static char text[1 << 17];
	unsigned long at = who->env_at;
	long string;

	if (!at)
		return;
	while (errno = 0, (string = ptrace(PTRACE_PEEKDATA, who->pid, at, 0)) != 0 && !errno) {
		if (read_string(who->pid, (unsigned long)string, text, sizeof(text)))
			tell(out, who, when, "env", text);
		at += sizeof(long);
	}
}

/* What is mapped from files, and which of it how. */
static void tell_maps(FILE *out, const struct observed *who, const char *when)
{
	char path[PATH_SIZE], rights[8], text[PATH_SIZE];
	char *line = NULL, *name;
	size_t size = 0;
	FILE *file;

	path_of(path, who->pid, "maps");
	file = fopen(path, "r");
	while (file && getline(&line, &size, file) > 0) {
		name = strchr(line, '/');
		if (!name || sscanf(line, "%*s %7s", rights) != 1)
			continue;
		name[strcspn(name, "\n")] = '\0';
		snprintf(text, sizeof(text), "%s %s", rights, name);
		tell(out, who, when, "maps", text);
	}
	if (file)
		fclose(file);
	free(line);
}

void observe(FILE *out, const struct observed *who, const char *when)
{
	static const char *const status[] = {
		"Umask:",      "SigPnd:",  "ShdPnd:",	   "SigBlk:", "SigIgn:",  "SigCgt:",
		"NoNewPrivs:", "Uid:",	   "Gid:",	   "CapEff:", "CapInh:",  "CapBnd:",
		"Seccomp:",    "Threads:", "CoreDumping:", "Cpus_al", "THP_enab", NULL};
	static const char *const alone[] = {
		"limits",	   "personality", "oom_score_adj",
		"coredump_filter", "timers",	  "timerslack_ns",
	};
	char text[40];
	size_t i;

	tell_fds(out, who, when);
	tell_env(out, who, when);
	tell_lines(out, who, when, "dispositions", "status", status);
	for (i = 0; i < sizeof(alone) / sizeof(alone[0]); i++)
		tell_lines(out, who, when, "dispositions", alone[i], NULL);
	tell_link(out, who, when, "dispositions", "cwd");
	tell_link(out, who, when, "dispositions", "root");
	snprintf(text, sizeof(text), "threads made: %d", who->nr_threads);
	tell(out, who, when, "dispositions", text);
	snprintf(text, sizeof(text), "leads: session %d, group %d", getsid(who->pid) == who->pid,
		 getpgid(who->pid) == who->pid);
	tell(out, who, when, "dispositions", text);
	tell_maps(out, who, when);
}
