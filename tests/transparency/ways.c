/* SPDX-License-Identifier: MIT */
/*
 * ways PROBE WAY: run the probe in one of the ways there are, after having made
 * the process unlike a fresh one: so that whatever is inherited can be seen.
 */
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *probe;
static char *const own_env[] = {"ONLY=1", "ONLY=twice", "odd", "PATH=/usr/bin:/bin", NULL};

/* What a child finds: masks, dispositions, descriptors, limits of an odd parent. */
static void be_odd(void)
{
	struct rlimit limit = {100, 200};
	sigset_t set;

	umask(027);
	signal(SIGHUP, SIG_IGN);
	signal(SIGUSR1, SIG_IGN);
	signal(SIGTERM, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigaddset(&set, SIGRTMIN + 3);
	sigprocmask(SIG_BLOCK, &set, NULL);
	setrlimit(RLIMIT_NOFILE, &limit);
	setpriority(PRIO_PROCESS, 0, 3);
	if (open("/dev/null", O_RDWR) < 0 || dup2(1, 50) != 50 ||
	    open("/dev/null", O_RDONLY | O_CLOEXEC) < 0)
		err(98, "open");
	setenv("ADDED", "by the parent", 1);
	unsetenv("LC_ALL");
}

static int reap(pid_t pid)
{
	int status = 0;

	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		err(98, "child");
	return status;
}

static int by_exec(pid_t (*fork_it)(void), const char *way)
{
	char *argv[] = {"probe", "one", "", "4", NULL};
	pid_t pid = fork_it ? fork_it() : 0;

	if (pid != 0)
		return reap(pid);
	if (!strcmp(way, "execl"))
		execl(probe, "probe", "one", "", "4", NULL);
	if (!strcmp(way, "execle"))
		execle(probe, "probe", "one", "", "4", NULL, own_env);
	if (!strcmp(way, "execve-empty"))
		execve(probe, argv, own_env + 4);
	if (!strcmp(way, "execve-null"))
		execve(probe, argv, NULL);
	if (!strcmp(way, "execvpe"))
		execvpe(probe, argv, own_env);
	if (!strcmp(way, "fexecve"))
		fexecve(open(probe, O_RDONLY | O_CLOEXEC), argv, own_env);
	if (!strcmp(way, "clearenv"))
		clearenv();
	execv(probe, argv);
	_exit(98);
}

static int by_spawn(char *const *env)
{
	char *argv[] = {"probe", "spawned", "5", NULL};
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t set;
	pid_t pid;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 7, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addclose(&actions, 50);
	posix_spawnattr_init(&attr);
	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	posix_spawnattr_setsigdefault(&attr, &set);
	posix_spawnattr_setsigmask(&attr, &set);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	if (posix_spawnp(&pid, probe, &actions, &attr, argv, env) != 0)
		errx(98, "posix_spawnp");
	return reap(pid);
}

static int by_popen(void)
{
	char line[4096];
	FILE *pipe = popen(probe, "r");

	while (pipe && fgets(line, sizeof(line), pipe))
		fputs(line, stdout);
	return pclose(pipe);
}

static int run(const char *way)
{
	char command[4096];

	if (!strcmp(way, "itself"))
		return by_exec(NULL, way);
	if (!strcmp(way, "itself-execle"))
		return by_exec(NULL, "execle");
	if (!strcmp(way, "vfork"))
		return by_exec(vfork, way);
	if (!strcmp(way, "vfork-execle"))
		return by_exec(vfork, "execle");
	if (!strcmp(way, "spawn"))
		return by_spawn(environ);
	if (!strcmp(way, "spawn-own"))
		return by_spawn(own_env);
	if (!strcmp(way, "popen"))
		return by_popen();
	snprintf(command, sizeof(command), "%s \"a b\" 6", probe);
	if (!strcmp(way, "system"))
		return system(command);
	snprintf(command, sizeof(command), "env -i ONLY=1 %s \"a b\" 6", probe);
	if (!strcmp(way, "system-env-i"))
		return system(command);
	return by_exec(fork, way);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 98;
	probe = argv[1];
	be_odd();
	printf("status %#x\n", (unsigned)run(argv[2]));
	return 0;
}
