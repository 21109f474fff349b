/* SPDX-License-Identifier: MIT */
/*
 * One launch: environment, process, time limit.
 *
 * The time limit waits for SIGCHLD instead of polling, so a test takes as long as
 * its victim. Past it the whole group and every orphan that fell to us is killed.
 */
#include "tests/support/launch.h"

#include "tests/support/run.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ENV_MAX 64
#define TIME_LIMIT_S 20
#define CANNOT_START 98

struct env {
	char *entries[ENV_MAX + 1];
	size_t nr;
};

/* Put @entry in the place of one with its name; without "=" only remove that. */
static void env_put(struct env *env, const char *entry)
{
	size_t name_len = strcspn(entry, "=");
	size_t i;

	for (i = 0; i < env->nr; i++)
		if (strncmp(env->entries[i], entry, name_len) == 0 &&
		    env->entries[i][name_len] == '=')
			break;
	if (i < env->nr) {
		free(env->entries[i]);
		env->entries[i] = env->entries[--env->nr];
		env->entries[env->nr] = NULL;
	}
	if (!entry[name_len])
		return;
	cr_assert_lt(env->nr, ENV_MAX);
	env->entries[env->nr++] = strdup(entry);
}

static void env_put_value(struct env *env, const char *name, const char *value)
{
	char *entry = t2_format_text("%s=%s", name, value);

	env_put(env, entry);
	free(entry);
}

static void env_put_targets(struct env *env, const struct t2_run *run,
			    const struct t2_launch *launch)
{
	static const struct {
		enum t2_target target;
		const char *name, *brief_name, *file;
	} targets[] = {
		{T2_TARGET_NORMAL, "GIT_TRACE2", "GIT_TRACE2_BRIEF", "normal"},
		{T2_TARGET_PERF, "GIT_TRACE2_PERF", "GIT_TRACE2_PERF_BRIEF", "perf"},
		{T2_TARGET_EVENT, "GIT_TRACE2_EVENT", "GIT_TRACE2_EVENT_BRIEF", "event"},
	};
	size_t i;

	for (i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
		if (!(launch->targets & targets[i].target))
			continue;
		env_put_value(env, targets[i].name, t2_run_path(run, targets[i].file));
		if (launch->is_brief)
			env_put_value(env, targets[i].brief_name, "1");
	}
}

/*
 * Bare runs have the targets in their environment too: nobody reads them, and
 * what a program sees of its environment can be compared.
 */
static void env_build(struct env *env, const struct t2_run *run, const struct t2_launch *launch)
{
	const char *const *entry;

	env_put(env, "PATH=/usr/local/bin:/usr/bin:/bin");
	env_put(env, "LANG=C");
	env_put(env, "GIT_CONFIG_NOSYSTEM=1");
	env_put_value(env, "HOME", run->dir);
	env_put_targets(env, run, launch);
	if (launch->preload == T2_SHIM)
		env_put_value(env, "LD_PRELOAD", t2_build_path("libt2shim.so"));
	if (launch->preload == T2_EMPTY)
		env_put_value(env, "LD_PRELOAD", t2_build_path("tests/empty.so"));
	for (entry = launch->env; entry && *entry; entry++)
		env_put(env, *entry);
}

static void open_stream(int fd, const char *path, int flags)
{
	int opened = open(path, flags, 0600);

	if (opened < 0 || dup2(opened, fd) != fd)
		_exit(CANNOT_START);
}

/* In the new process: everything the victim must find as after a login. */
static void become(const char *path, char *const *env, const struct t2_launch *launch,
		   const char *const places[3])
{
	struct rlimit core;
	sigset_t none;
	int signo;

	setpgid(0, 0);
	for (signo = 1; signo < NSIG; signo++)
		signal(signo, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	open_stream(STDIN_FILENO, "/dev/null", O_RDONLY);
	open_stream(STDOUT_FILENO, places[0], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
	open_stream(STDERR_FILENO, places[1], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
	close_range(3, ~0U, 0);
	if (getrlimit(RLIMIT_CORE, &core) == 0) {
		core.rlim_cur = core.rlim_max; /* the core flag is compared */
		setrlimit(RLIMIT_CORE, &core);
	}
	if (chdir(places[2]) != 0)
		_exit(CANNOT_START);
	if (launch->set_up)
		launch->set_up(launch->arg);
	execve(path, (char *const *)launch->argv, env);
	_exit(CANNOT_START);
}

/* Kill what is left: the group, and whoever was handed down to us. */
static void kill_all(pid_t group)
{
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	char path[300];
	FILE *file;
	int parent;
	int pid;

	kill(-group, SIGKILL);
	while (dir && (entry = readdir(dir)) != NULL) {
		snprintf(path, sizeof(path), "/proc/%s/stat", entry->d_name);
		file = atoi(entry->d_name) > 0 ? fopen(path, "r") : NULL;
		if (!file)
			continue;
		if (fscanf(file, "%d (%*[^)]) %*c %d", &pid, &parent) == 2 && parent == getpid())
			kill(pid, SIGKILL);
		fclose(file);
	}
	if (dir)
		closedir(dir);
}

/* Reap until nobody is left below us. */
static void wait_for_all(struct t2_run *run, pid_t pid, int limit_s)
{
	struct timespec now;
	struct timespec end;
	struct timespec patience = {1, 0};
	sigset_t child;
	int status;
	pid_t gone;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += limit_s;
	while ((gone = waitpid(-1, &status, WNOHANG)) >= 0) {
		if (gone == pid)
			run->status = status;
		if (gone > 0)
			continue;
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (now.tv_sec >= end.tv_sec) {
			run->is_timed_out = true;
			kill_all(pid);
		}
		sigtimedwait(&child, NULL, &patience);
	}
	cr_assert_eq(errno, ECHILD);
}

void t2_launch(struct t2_run *run, const struct t2_launch *launch)
{
	const char *places[3] = {t2_run_path(run, "stdout"), t2_run_path(run, "stderr"),
				 t2_run_path(run, "cwd")};
	char *victim = t2_format_text("tests/victims/%s", launch->argv[0]);
	const char *path = strchr(launch->argv[0], '/') ? launch->argv[0] : t2_build_path(victim);
	struct env env = {0};
	sigset_t child;
	size_t i;
	pid_t pid;

	cr_assert_eq(access(path, X_OK), 0, "%s: %s", path, strerror(errno));
	env_build(&env, run, launch);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	run->status = -1;
	run->is_timed_out = false;
	pid = fork();
	cr_assert_geq(pid, 0);
	if (pid == 0)
		become(path, env.entries, launch, places);
	setpgid(pid, pid);
	wait_for_all(run, pid, launch->time_limit_s ? launch->time_limit_s : TIME_LIMIT_S);
	for (i = 0; i < env.nr; i++)
		free(env.entries[i]);
	free(victim);
}
