/* SPDX-License-Identifier: MIT */
#include "command/digest.h"

#include <dirent.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "command/analysis.h"
#include "command/causes.h"
#include "command/key.h"
#include "command/machine.h"
#include "command/record.h"
#include "command/source.h"
#include "command/text.h"
#include "command/trace.h"

#define NS_PER_S 1000000000
#define COMMAND_MAX 4096

static uint64_t cpu_of(const struct rusage *usage)
{
	const struct timeval *user = &usage->ru_utime, *sys = &usage->ru_stime;

	return (uint64_t)(user->tv_sec + sys->tv_sec) * NS_PER_S +
	       (uint64_t)(user->tv_usec + sys->tv_usec) * 1000;
}

char *t2_command_text(char **argv)
{
	struct t2_process process = {0};
	char *flat, *out, *at;
	size_t size = 0;

	for (char **arg = argv; *arg; arg++, process.argc++)
		size += strlen(*arg) + 1;
	flat = malloc(size);
	out = malloc(COMMAND_MAX);
	if (flat && out) {
		at = flat;
		for (char **arg = argv; *arg; arg++)
			at = stpcpy(at, *arg) + 1;
		process.argv = flat;
		t2_key_command(&process, out, COMMAND_MAX);
	} else {
		free(out);
		out = NULL;
	}
	free(flat);
	return out;
}

static uint64_t size_of(const char *path)
{
	struct stat status;
	const struct dirent *entry;
	uint64_t sum = 0;
	DIR *dir;

	if (stat(path, &status))
		return 0;
	if (!S_ISDIR(status.st_mode))
		return (uint64_t)status.st_size;
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		if (!fstatat(dirfd(dir), entry->d_name, &status, 0) && S_ISREG(status.st_mode))
			sum += (uint64_t)status.st_size;
	}
	if (dir)
		closedir(dir);
	return sum;
}

/* The first image with the pid of the command; of several, the latest. */
static uint32_t find_root(const struct t2_trace *trace, pid_t pid)
{
	uint32_t found = T2_NO_PROCESS;

	for (uint32_t id = 1; id < trace->nr_processes; id++) {
		const struct t2_process *process = &trace->processes[id];

		if (process->pid == pid && !process->is_exec &&
		    (found == T2_NO_PROCESS ||
		     process->start_ns > trace->processes[found].start_ns))
			found = id;
	}
	return found;
}

static void count_processes(struct t2_digest *digest)
{
	const struct t2_trace *trace = digest->trace;
	uint32_t end = trace->processes[digest->root].end_id;

	for (uint32_t id = digest->root ? digest->root : 1; id < end; id++) {
		const struct t2_process *process = &trace->processes[id];

		if (process->is_exec || process->is_unstarted)
			continue;
		digest->nr_processes++;
		digest->nr_outside += process->is_outside;
	}
}

static void find_causes(struct t2_digest *digest)
{
	struct t2_view view = {.trace = digest->trace, .root = digest->root};
	struct t2_causes causes = {0};

	if (digest->outcome.status && t2_causes_find(&causes, &view)) {
		digest->nr_causes = causes.nr;
		digest->nr_failed = causes.nr_failed;
		for (uint32_t i = 0; i < causes.nr && i < T2_DIGEST_CAUSES; i++)
			digest->causes[i] = t2_cause_shown(&view, causes.ids[i]);
	}
	t2_causes_free(&causes);
}

static void read_trace(struct t2_digest *digest, const char *path)
{
	struct t2_source *source = t2_source_open(&path, 1, NULL);
	struct t2_analysis_opts opts = {.nr_cpus = digest->nr_cpus};

	digest->trace = source ? t2_trace_read(source, NULL) : NULL;
	t2_source_close(source);
	if (!digest->trace)
		return;
	digest->root = find_root(digest->trace, digest->outcome.pid);
	/* Some other process may be the first that could be entered. */
	if (digest->root == T2_NO_PROCESS && !digest->is_joined && digest->trace->nr_processes > 1)
		digest->root = T2_ROOT;
	if (digest->root == T2_NO_PROCESS) {
		t2_trace_free(digest->trace);
		digest->trace = NULL;
		return;
	}
	opts.root = digest->root;
	digest->analysis = t2_analyse(digest->trace, &opts);
	count_processes(digest);
	find_causes(digest);
}

void t2_digest_make(struct t2_digest *digest, char **argv, const struct t2_outcome *outcome,
		    const struct t2_record *record)
{
	setlocale(LC_CTYPE, "");
	*digest = (struct t2_digest){
		.is_unicode = !strcmp(nl_langinfo(CODESET), "UTF-8"),
		.command = t2_command_text(argv),
		.outcome = *outcome,
		.cpu_ns = cpu_of(&outcome->usage),
		.max_rss_kb = (uint64_t)outcome->usage.ru_maxrss,
		.nr_cpus = t2_machine_cpus(),
		.data = record->name,
		.instead = record->instead ? strdup(record->instead) : NULL,
		.is_joined = record->is_joined,
	};
	if (!record->is_readable)
		return;
	digest->data_kb = (size_of(record->path) + 1023) / 1024;
	read_trace(digest, record->path);
}

void t2_digest_free(struct t2_digest *digest)
{
	t2_analysis_free(digest->analysis);
	t2_trace_free(digest->trace);
	free(digest->command);
	free(digest->instead);
}
