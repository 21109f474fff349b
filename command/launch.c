/* SPDX-License-Identifier: MIT */
#include "command/launch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command/command.h"

/* How often the status line changes. */
#define TICK_NS 250000000

/* How long a continued group may take until all of it goes on. */
#define GRACE_NS 10000000
#define GRACE_TIMES 5

/* What we need otherwise than we were given it. */
static const struct {
	int signo;
	void (*handler)(int);
} ours[] = {
	{SIGCHLD, SIG_DFL}, /* ignored, it would lose us the exit status */
	{SIGPIPE, SIG_IGN}, {SIGTSTP, SIG_DFL}, {SIGTTIN, SIG_DFL}, {SIGTTOU, SIG_DFL},
};

#define NR_OURS (sizeof(ours) / sizeof(*ours))

struct signals {
	sigset_t mask;
	struct sigaction actions[NR_OURS];
};

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* From here on signals wait until we ask for them. */
static void take_signals(struct signals *before)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before->mask);
	for (size_t i = 0; i < NR_OURS; i++) {
		const struct sigaction action = {.sa_handler = ours[i].handler};

		sigaction(ours[i].signo, &action, &before->actions[i]);
	}
}

static void give_back_signals(const struct signals *before)
{
	for (size_t i = 0; i < NR_OURS; i++)
		sigaction(ours[i].signo, &before->actions[i], NULL);
	sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

/* Fork and execute. Returns 0 or an errno; the pipe is closed by a successful exec. */
static int start(const struct t2_launch *launch, const struct signals *before, pid_t *ret_pid)
{
	int fds[2], error = 0;

	if (pipe2(fds, O_CLOEXEC))
		return errno;
	*ret_pid = fork();
	if (*ret_pid < 0) {
		error = errno;
	} else if (!*ret_pid) {
		give_back_signals(before);
		execvp(launch->argv[0], launch->argv);
		error = errno;
		_exit(write(fds[1], &error, sizeof(error)) < 0);
	}
	close(fds[1]);
	if (*ret_pid > 0 && read(fds[0], &error, sizeof(error)) > 0)
		waitpid(*ret_pid, NULL, 0);
	close(fds[0]);
	return error;
}

/*
 * What the command inherited is its own: a reader waits until the last writer of a
 * pipe is gone, and that must not be us. Standard error is kept for the summary.
 */
static void let_go(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	const struct dirent *entry;
	DIR *dir;

	if (null >= 0) {
		dup2(null, STDIN_FILENO);
		dup2(null, STDOUT_FILENO);
		if (null > STDERR_FILENO)
			close(null);
	}
	dir = opendir("/proc/self/fd");
	while (dir && (entry = readdir(dir))) {
		int fd = atoi(entry->d_name);

		if (fd > STDERR_FILENO && !(fcntl(fd, F_GETFD) & FD_CLOEXEC))
			close(fd);
	}
	if (dir)
		closedir(dir);
}

/* The state and the parent of @pid, as proc(5) has them. */
static bool read_stat(pid_t pid, char *ret_state, pid_t *ret_parent)
{
	char path[32], text[512];
	const char *end;
	FILE *file;
	size_t len;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	len = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[len] = '\0';
	/* The name in the middle may hold anything. */
	end = strrchr(text, ')');
	return end && sscanf(end + 1, " %c %d", ret_state, ret_parent) == 2;
}

/* Whether the command or something below it is @pid. */
static bool is_below(pid_t pid, pid_t command)
{
	char state;

	while (pid > 1 && pid != command) {
		if (!read_stat(pid, &state, &pid))
			return false;
	}
	return pid == command;
}

/* What reached the command as well, or came from it, is not for us to pass on. */
static bool is_to_pass_on(const siginfo_t *info, pid_t command)
{
	switch (info->si_code) {
	case SI_USER:
	case SI_QUEUE:
	case SI_TKILL:
		return !is_below(info->si_pid, command);
	default:
		/* A timer that was set before us, or a terminal that has only us to tell. */
		return info->si_signo == SIGALRM ||
		       (info->si_signo == SIGHUP && getsid(0) == getpid());
	}
}

static void pass_on(const siginfo_t *info, pid_t command)
{
	/* SIGCONT goes along with the stop it ends. */
	if (info->si_signo == SIGCHLD || info->si_signo == SIGCONT || !is_to_pass_on(info, command))
		return;
	if (info->si_code == SI_QUEUE)
		sigqueue(command, info->si_signo, info->si_value);
	else
		kill(command, info->si_signo);
}

/* Stop as the command did, and when we are continued, see to it that it is. */
static void stop_along(const struct t2_launch *launch, pid_t command, int signo)
{
	const struct timespec grace = {.tv_nsec = GRACE_NS};
	sigset_t one;
	pid_t parent;
	char state = '?';

	if (launch->stopped)
		launch->stopped(launch->arg);
	if (signo != SIGTSTP && signo != SIGTTIN && signo != SIGTTOU)
		signo = SIGSTOP;
	sigemptyset(&one);
	sigaddset(&one, signo);
	kill(getpid(), signo);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	sigprocmask(SIG_BLOCK, &one, NULL);
	for (int i = 0; i < GRACE_TIMES; i++) {
		if (!read_stat(command, &state, &parent) || state != 'T')
			break;
		nanosleep(&grace, NULL);
	}
	if (state == 'T')
		kill(command, SIGCONT);
	if (launch->continued)
		launch->continued(launch->arg);
}

/* Take what there is to know of children. Returns whether the command ended. */
static bool reap(const struct t2_launch *launch, struct t2_outcome *outcome)
{
	struct rusage usage;
	int status;
	pid_t pid;

	/* Any: what the process that we were before left behind is ours, too. */
	while ((pid = wait4(-1, &status, WNOHANG | WUNTRACED, &usage)) > 0) {
		if (pid != outcome->pid)
			continue;
		if (WIFSTOPPED(status)) {
			stop_along(launch, pid, WSTOPSIG(status));
			continue;
		}
		outcome->status = status;
		outcome->usage = usage;
		return true;
	}
	return false;
}

int t2_launch(const struct t2_launch *launch, struct t2_outcome *outcome)
{
	const struct timespec tick = {.tv_nsec = TICK_NS}, at_once = {0};
	int64_t start_ns = now_ns();
	struct signals before;
	siginfo_t info;
	sigset_t all;
	int error;

	take_signals(&before);
	error = start(launch, &before, &outcome->pid);
	if (error) {
		give_back_signals(&before);
		return error;
	}
	if (!launch->keep_fds)
		let_go();
	sigfillset(&all);
	while (!reap(launch, outcome)) {
		int signo =
			launch->tick ? sigtimedwait(&all, &info, &tick) : sigwaitinfo(&all, &info);

		if (signo > 0)
			pass_on(&info, outcome->pid);
		else if (errno == EAGAIN)
			launch->tick(launch->arg);
	}
	outcome->wall_ns = now_ns() - start_ns;
	/* What came for the command came too late; what comes from now on is for us. */
	while (sigtimedwait(&all, &info, &at_once) > 0)
		;
	sigprocmask(SIG_SETMASK, &before.mask, NULL);
	return 0;
}

int t2_launch_status(int error)
{
	if (error == EAGAIN)
		return T2_EXIT_TROUBLE;
	return error == ENOENT ? T2_EXIT_NOT_FOUND : T2_EXIT_NOT_EXECUTED;
}

int t2_end_as(int status)
{
	const struct rlimit no_core = {0, 0};
	sigset_t one;
	int signo;

	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	signo = WTERMSIG(status);
	/* One core dump is enough. */
	setrlimit(RLIMIT_CORE, &no_core);
	signal(signo, SIG_DFL);
	sigemptyset(&one);
	sigaddset(&one, signo);
	raise(signo);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	/* The first process of a container does not die of it. */
	return 128 + signo;
}
