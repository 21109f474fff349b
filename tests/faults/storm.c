/* SPDX-License-Identifier: MIT */
/*
 * A signal every 100 us while each hook is called, one after the other:
 *
 *   storm count|restart|fork|exec ROUNDS
 *
 * The handler only counts (without and with SA_RESTART), or has a child that ends
 * by itself or executes. Every call has to come out as it does without signals.
 */
#include <fcntl.h>
#include <pthread.h>
#include <pty.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <threads.h>
#include <wordexp.h>

#include "tests/victims/victim.h"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

extern char **environ;
extern pid_t __fork(void), __vfork(void), __wait(int *), __waitpid(pid_t, int *, int);
extern int __cxa_at_quick_exit(void (*)(void *), void *);
extern int __clone(int (*)(void *), void *, int, void *, ...);
extern int __sigaction(int, const struct sigaction *, struct sigaction *);
extern __sighandler_t bsd_signal(int, __sighandler_t), ssignal(int, __sighandler_t),
	__sysv_signal(int, __sighandler_t);
extern FILE *_IO_popen(const char *, const char *);

static char *true_argv[] = {(char[]){"true"}, NULL};
static char *no_argv[] = {(char[]){"none"}, NULL};

/* --- the storm ------------------------------------------------------------------------- */

#define INTERVAL_US 100

static volatile unsigned nr_done; /* calls */
static enum { COUNT, FORK, EXEC } manner;

static void arm(suseconds_t us)
{
	const struct itimerval once = {{0, 0}, {0, us}};

	setitimer(ITIMER_REAL, &once, NULL);
}

static void nothing_left(void *unused)
{
	(void)unused;
}

static void have_child(void)
{
	pid_t pid = manner == FORK ? _Fork() : vfork(); /* fork() is not for handlers */

	if (!pid) {
		if (manner == EXEC)
			execv("/bin/true", true_argv);
		_exit(0);
	}
	victim_reap(pid, 0);
}

/* fork() starts anew at each signal: where nothing gets done any more, go slower. */
static void on_alarm(int signo)
{
	static unsigned last_done, nr_idle;
	int saved_errno = errno;

	(void)signo;
	nr_idle = last_done == nr_done ? nr_idle + 1 : 0;
	last_done = nr_done;
	if (manner != COUNT && nr_idle < 4)
		have_child();
	arm(nr_idle < 20 ? INTERVAL_US : nr_idle < 40 ? 20 * INTERVAL_US : 500 * INTERVAL_US);
	errno = saved_errno;
}

/* --- the calls: each is true if it came out as it should --------------------------------- */

static bool reap(pid_t pid, int code)
{
	int status = 0;
	pid_t ret;

	do {
		ret = waitpid(pid, &status, 0);
	} while (ret < 0 && errno == EINTR);
	return ret == pid && WIFEXITED(status) && WEXITSTATUS(status) == code;
}

#define CHILD(make, ...)                                                                           \
	do {                                                                                       \
		pid_t pid = make;                                                                  \
		if (!pid) {                                                                        \
			__VA_ARGS__;                                                               \
			_exit(9);                                                                  \
		}                                                                                  \
		return pid > 0 && reap(pid, 3);                                                    \
	} while (0)

#define FAILING(call) (call) == -1 && errno == ENOENT
#define NONE "/nonexistent/none"

static int child_of_clone(void *unused)
{
	(void)unused;
	return 3;
}

static bool by_clone(__typeof__(clone) *call)
{
	static char stack[65536] __attribute__((aligned(16)));

	return reap(call(child_of_clone, stack + sizeof(stack), SIGCHLD, NULL), 3);
}

static bool by_spawn(__typeof__(posix_spawn) *call)
{
	pid_t pid;

	return !call(&pid, "/bin/true", NULL, NULL, true_argv, environ) && reap(pid, 0);
}

static bool by_popen(__typeof__(popen) *call, int (*end)(FILE *))
{
	FILE *file = call("exit 3", "r");
	int status = file ? end(file) : -1;

	return status == (end == pclose ? 3 << 8 : 0) || (end == fclose && status == 3 << 8);
}

static pid_t ended_child(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(3);
	return pid;
}

#define WAITS(call)                                                                                \
	do {                                                                                       \
		int status = 0;                                                                    \
		struct rusage usage;                                                               \
		pid_t ret, pid = ended_child();                                                    \
		(void)usage;                                                                       \
		do {                                                                               \
			ret = call;                                                                \
		} while (ret < 0 && errno == EINTR);                                               \
		return ret == pid && status == 3 << 8;                                             \
	} while (0)

static void *idle(void *unused)
{
	return unused;
}

static void *leave(void *unused)
{
	pthread_exit(unused);
}

static int idle_c11(void *unused)
{
	return unused ? 1 : 0;
}

static int leave_c11(void *unused)
{
	thrd_exit(unused ? 1 : 0);
}

static bool by_thread(void *(*procedure)(void *))
{
	pthread_t thread;
	void *result = NULL;

	return !pthread_create(&thread, NULL, procedure, environ) &&
	       !pthread_join(thread, &result) && result == environ;
}

static bool by_c11(thrd_start_t procedure)
{
	thrd_t thread;
	int result = 0;

	return thrd_create(&thread, procedure, &thread) == thrd_success &&
	       thrd_join(thread, &result) == thrd_success && result == 1;
}

static bool by_signal(__typeof__(signal) *call)
{
	return call(SIGTERM, SIG_IGN) == SIG_DFL && call(SIGTERM, SIG_DFL) == SIG_IGN;
}

static bool by_sigaction(__typeof__(sigaction) *call)
{
	const struct sigaction act = {.sa_handler = SIG_IGN}, dfl = {.sa_handler = SIG_DFL};
	struct sigaction old;

	return !call(SIGTERM, &act, &old) && old.sa_handler == SIG_DFL &&
	       !call(SIGTERM, &dfl, &old) && old.sa_handler == SIG_IGN;
}

static bool by_wordexp(void)
{
	wordexp_t words;
	bool is_right = !wordexp("$(echo one two)", &words, 0) && words.we_wordc == 2;

	wordfree(&words);
	return is_right;
}

static bool by_waitid(void)
{
	siginfo_t info = {.si_pid = 0};
	pid_t pid = ended_child();
	int ret;

	do {
		ret = waitid(P_PID, (id_t)pid, &info, WEXITED);
	} while (ret < 0 && errno == EINTR);
	return !ret && info.si_pid == pid && info.si_status == 3;
}

/* Its child goes on, and the caller ends with 0. */
static bool by_daemon(void)
{
	pid_t pid = fork();

	if (!pid) {
		daemon(1, 1);
		_exit(3);
	}
	return pid > 0 && reap(pid, 0);
}

static bool by_forkpty(void)
{
	int master = -1;
	pid_t pid = forkpty(&master, NULL, NULL, NULL);
	bool is_right;

	if (!pid)
		_exit(3);
	is_right = pid > 0 && reap(pid, 3);
	close(master);
	return is_right;
}

/* The least there may be: from then on nobody stands in for a default. */
static bool by_altstack(void)
{
	static char memory[65536];
	stack_t stack = {.ss_sp = memory, .ss_size = (size_t)sysconf(_SC_MINSIGSTKSZ)};

	return sigaltstack(&stack, NULL) == 0;
}

/* The name of each is that of a hook; the list is compared with the shim's. */
#define CALLS(CALL)                                                                                \
	CALL(fork, CHILD(fork(), _exit(3)))                                                        \
	CALL(__fork, CHILD(__fork(), _exit(3)))                                                    \
	CALL(_Fork, CHILD(_Fork(), _exit(3)))                                                      \
	CALL(vfork, CHILD(vfork(), _exit(3)))                                                      \
	CALL(__vfork, CHILD(__vfork(), _exit(3)))                                                  \
	CALL(clone, return by_clone(clone))                                                        \
	CALL(__clone, return by_clone(__clone))                                                    \
	CALL(daemon, return by_daemon())                                                           \
	CALL(forkpty, return by_forkpty())                                                         \
	CALL(execve, return FAILING(execve(NONE, no_argv, environ)))                               \
	CALL(execv, return FAILING(execv(NONE, no_argv)))                                          \
	CALL(execvp, return FAILING(execvp(NONE, no_argv)))                                        \
	CALL(execvpe, return FAILING(execvpe(NONE, no_argv, environ)))                             \
	CALL(execl, return FAILING(execl(NONE, "none", (char *)NULL)))                             \
	CALL(execlp, return FAILING(execlp(NONE, "none", (char *)NULL)))                           \
	CALL(execle, return FAILING(execle(NONE, "none", (char *)NULL, environ)))                  \
	CALL(fexecve, return fexecve(-1, no_argv, environ) == -1)                                  \
	CALL(execveat, return FAILING(execveat(AT_FDCWD, NONE, no_argv, environ, 0)))              \
	CALL(posix_spawn, return by_spawn(posix_spawn))                                            \
	CALL(posix_spawnp, return by_spawn(posix_spawnp))                                          \
	CALL(system, return system("exit 3") == 3 << 8)                                            \
	CALL(popen, return by_popen(popen, pclose))                                                \
	CALL(_IO_popen, return by_popen(_IO_popen, pclose))                                        \
	CALL(pclose, return by_popen(popen, pclose))                                               \
	CALL(fclose, return by_popen(popen, fclose))                                               \
	CALL(wordexp, return by_wordexp())                                                         \
	CALL(wait, WAITS(wait(&status)))                                                           \
	CALL(__wait, WAITS(__wait(&status)))                                                       \
	CALL(waitpid, WAITS(waitpid(pid, &status, 0)))                                             \
	CALL(__waitpid, WAITS(__waitpid(pid, &status, 0)))                                         \
	CALL(wait3, WAITS(wait3(&status, 0, &usage)))                                              \
	CALL(wait4, WAITS(wait4(pid, &status, 0, &usage)))                                         \
	CALL(waitid, return by_waitid())                                                           \
	CALL(pthread_create, return by_thread(idle))                                               \
	CALL(pthread_exit, return by_thread(leave))                                                \
	CALL(thrd_create, return by_c11(idle_c11))                                                 \
	CALL(thrd_exit, return by_c11(leave_c11))                                                  \
	CALL(exit, CHILD(fork(), exit(3)))                                                         \
	CALL(_exit, CHILD(fork(), _exit(3)))                                                       \
	CALL(_Exit, CHILD(fork(), _Exit(3)))                                                       \
	CALL(quick_exit, CHILD(fork(), quick_exit(3)))                                             \
	CALL(__cxa_at_quick_exit,                                                                  \
	     CHILD(fork(), __cxa_at_quick_exit(nothing_left, NULL) ? _exit(4) : quick_exit(3)))    \
	CALL(sigaction, return by_sigaction(sigaction))                                            \
	CALL(__sigaction, return by_sigaction(__sigaction))                                        \
	CALL(signal, return by_signal(signal))                                                     \
	CALL(bsd_signal, return by_signal(bsd_signal))                                             \
	CALL(ssignal, return by_signal(ssignal))                                                   \
	CALL(sysv_signal, return by_signal(sysv_signal))                                           \
	CALL(__sysv_signal, return by_signal(__sysv_signal))                                       \
	CALL(sigset, return by_signal(sigset))                                                     \
	CALL(sigignore, return !sigignore(SIGTERM) && signal(SIGTERM, SIG_DFL) == SIG_IGN)         \
	CALL(siginterrupt, return !siginterrupt(SIGTERM, 1) && !siginterrupt(SIGTERM, 0))          \
	CALL(sigaltstack, CHILD(fork(), _exit(by_altstack() ? 3 : 4)))                             \
	CALL(prctl, return prctl(PR_GET_DUMPABLE) == 1)                                            \
	CALL(syscall, return syscall(SYS_getpid) == getpid())

#define DEFINE(name, ...)                                                                          \
	static bool call_##name(void)                                                              \
	{                                                                                          \
		__VA_ARGS__;                                                                       \
	}
#define ENTRY(name, ...) {#name, call_##name},

CALLS(DEFINE)

static const struct call {
	const char *name;
	bool (*run)(void);
} calls[] = {CALLS(ENTRY)};

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = on_alarm};
	int nr_rounds;

	CHECK(argc > 2);
	nr_rounds = atoi(argv[2]);
	manner = victim_asked(argv, "fork") ? FORK : victim_asked(argv, "exec") ? EXEC : COUNT;
	if (!victim_asked(argv, "count"))
		action.sa_flags = SA_RESTART;
	CHECK(sigaction(SIGALRM, &action, NULL) == 0);
	arm(INTERVAL_US);
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		int nr_right = 0;

		for (int round = 0; round < nr_rounds; round++) {
			nr_right += calls[i].run();
			nr_done++;
		}
		dprintf(STDOUT_FILENO, "%s: %d of %d\n", calls[i].name, nr_right, nr_rounds);
	}
	arm(0);
	CHECK(wait(NULL) == -1 && errno == ECHILD);
	return 7;
}
