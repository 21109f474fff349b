/* SPDX-License-Identifier: MIT */
/*
 * Prints what a program can see of itself by its own means: arguments,
 * environment, descriptors, dispositions by every name, stacks, masks, limits,
 * timers. Whatever is different every time (pids, addresses) it does not print.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

extern char **environ;
/* Names of one thing that no header declares any more. */
extern int __sigaction(int signo, const struct sigaction *act, struct sigaction *old);
extern sighandler_t bsd_signal(int signo, sighandler_t handler);

static void tell_vectors(int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++)
		printf("argv[%d] %s\n", i, argv[i]);
	printf("argv ends %d\n", argv[argc] == NULL);
	for (i = 0; environ && environ[i]; i++)
		puts(environ[i]);
	/* As setproctitle() wants them: one string behind the other. */
	for (i = 0; i + 1 < argc; i++)
		printf("argv[%d] is next to the last %d\n", i + 1,
		       argv[i + 1] == argv[i] + strlen(argv[i]) + 1);
	printf("getenv HOME %d, PATH %d\n", getenv("HOME") != NULL, getenv("PATH") != NULL);
	printf("name %s\n", program_invocation_short_name);
}

static void tell_descriptors(void)
{
	struct stat st;
	int fd;

	for (fd = 0; fd < 1024; fd++) {
		int flags = fcntl(fd, F_GETFD);

		if (flags < 0)
			continue;
		fstat(fd, &st);
		printf("fd %d: flags %d, status %#x, type %o\n", fd, flags, fcntl(fd, F_GETFL),
		       st.st_mode & S_IFMT);
	}
	fd = open("/dev/null", O_RDONLY);
	printf("next fd %d\n", fd);
	close(fd);
}

static const char *name_of(sighandler_t handler)
{
	if (handler == SIG_DFL)
		return "default";
	return handler == SIG_IGN ? "ignored" : "caught";
}

static void nothing(int signo)
{
	(void)signo;
}

static void tell_action(const char *how, int signo, const struct sigaction *action)
{
	int nr = 0, other;

	for (other = 1; other < NSIG; other++)
		nr += sigismember(&action->sa_mask, other) == 1;
	printf("signal %d by %s: %s, flags %#x, mask of %d\n", signo, how,
	       action->sa_handler == nothing ? "ours" : name_of(action->sa_handler),
	       action->sa_flags & ~0x04000000, nr); /* without SA_RESTORER */
}

/* Set and asked for by every name in turn: each must tell what the one before set. */
static void tell_signal(int signo)
{
	struct sigaction old, ours = {.sa_handler = nothing, .sa_flags = SA_NODEFER};
	struct sigaction first;

	if (sigaction(signo, NULL, &first) != 0) {
		printf("signal %d: %s\n", signo, strerror(errno));
		return;
	}
	tell_action("sigaction", signo, &first);
	if (signo == SIGKILL || signo == SIGSTOP)
		return;
	__sigaction(signo, &ours, &old);
	tell_action("__sigaction", signo, &old);
	printf("signal %d by signal: %s\n", signo,
	       signal(signo, SIG_IGN) == nothing ? "ours" : "other");
	printf("signal %d by bsd_signal: %s\n", signo, name_of(bsd_signal(signo, SIG_DFL)));
	printf("signal %d by ssignal: %s\n", signo, name_of(ssignal(signo, SIG_DFL)));
	printf("signal %d by sysv_signal: %s\n", signo, name_of(sysv_signal(signo, SIG_IGN)));
	printf("signal %d by sigset: %s\n", signo, name_of(sigset(signo, SIG_DFL)));
	printf("signal %d by sigignore: %d\n", signo, sigignore(signo));
	sigaction(signo, NULL, &old);
	tell_action("sigaction after", signo, &old);
	printf("signal %d by siginterrupt: %d\n", signo, siginterrupt(signo, 1));
	sigaction(signo, &first, &old);
	tell_action("sigaction last", signo, &old);
	sigaction(signo, NULL, &old);
	tell_action("sigaction again", signo, &old);
}

static void tell_signals(void)
{
	sigset_t set;
	stack_t stack;
	int signo;

	for (signo = 1; signo <= NSIG; signo++)
		tell_signal(signo);
	sigprocmask(SIG_BLOCK, NULL, &set);
	for (signo = 1; signo < NSIG; signo++)
		if (sigismember(&set, signo) == 1)
			printf("blocked %d\n", signo);
	sigpending(&set);
	for (signo = 1; signo < NSIG; signo++)
		if (sigismember(&set, signo) == 1 && signo != SIGCHLD)
			printf("pending %d\n", signo);
	sigaltstack(NULL, &stack);
	printf("altstack flags %d, size %zu\n", stack.ss_flags, stack.ss_size);
}

static void tell_limits(void)
{
	struct rlimit limit;
	int i;

	for (i = 0; i < RLIM_NLIMITS; i++)
		if (getrlimit((__rlimit_resource_t)i, &limit) == 0)
			printf("limit %d: %lu %lu\n", i, limit.rlim_cur, limit.rlim_max);
}

static void tell_timers(void)
{
	struct itimerval timer;
	int i;

	for (i = ITIMER_REAL; i <= ITIMER_PROF; i++) {
		getitimer((__itimer_which_t)i, &timer);
		printf("timer %d: %ld\n", i,
		       timer.it_value.tv_sec + timer.it_interval.tv_sec + timer.it_value.tv_usec);
	}
	printf("alarm %u\n", alarm(0));
}

static void tell_rest(void)
{
	char path[4096];
	mode_t mask = umask(0);
	struct rusage usage;

	umask(mask);
	printf("umask %o, cwd %s\n", mask, getcwd(path, sizeof(path)));
	printf("nice %d, policy %d, personality %#x\n", getpriority(PRIO_PROCESS, 0),
	       sched_getscheduler(0), personality(0xffffffff));
	printf("ids %d %d %d %d, secure %lu\n", getuid(), geteuid(), getgid(), getegid(),
	       getauxval(AT_SECURE));
	printf("clktck %lu, pagesz %lu, entry %d\n", getauxval(AT_CLKTCK), getauxval(AT_PAGESZ),
	       getauxval(AT_ENTRY) != 0);
	printf("dumpable %d, no_new_privs %d, subreaper %d\n", prctl(PR_GET_DUMPABLE),
	       prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0),
	       prctl(PR_GET_CHILD_SUBREAPER, &(int){0}, 0, 0, 0));
	prctl(PR_GET_NAME, path);
	printf("thread name %s\n", path);
	getrusage(RUSAGE_CHILDREN, &usage);
	printf("had children %d\n", usage.ru_minflt != 0);
	printf("errno %d\n", errno);
}

int main(int argc, char **argv)
{
	static const char name[] = "/proc/self/task";
	struct dirent *entry;
	int first_errno = errno, nr = 0;
	DIR *dir;

	printf("errno at first %d\n", first_errno);
	tell_descriptors();
	tell_vectors(argc, argv);
	tell_signals();
	tell_limits();
	tell_timers();
	tell_rest();
	dir = opendir(name);
	while (dir && (entry = readdir(dir)) != NULL)
		nr += entry->d_name[0] != '.';
	if (dir)
		closedir(dir);
	printf("threads %d\n", nr);
	fflush(stdout);
	return argc > 1 ? atoi(argv[argc - 1]) : 0;
}
