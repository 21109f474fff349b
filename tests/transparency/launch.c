/* SPDX-License-Identifier: MIT */
/*
 * Launch a command the same way every time, wait for it and for all it leaves
 * behind, and tell the raw wait status (the core flag is in it).
 *
 *   launch [-o FILE] [-t SECONDS] [-E NAME=VALUE]... STATUS OUT ERR DIR COMMAND [ARG...]
 *
 * -o also tells what every process image of the tree is given and what it
 * leaves: it is stopped at its entry point, where all constructors but its own
 * have run and main has not, and again when it ends. x86-64 only.
 *
 * Exit status: 0, or 2 if it could not be done, or 3 after the time limit.
 */
#include "tests/transparency/observe.h"

#include <elf.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define CANNOT 2
#define TIMED_OUT 3
#define ENV_MAX 32
#define BREAKPOINT 0xccUL

struct options {
	const char *observed;
	unsigned limit_s;
	char *env[ENV_MAX];
	int nr_env;
	const char *status, *out, *err, *dir;
	char **argv;
};

/* A process of the tree. Threads are only counted. */
struct process {
	struct observed who;
	int nr_children;
	unsigned long entry;  /* where a breakpoint is, 0: nowhere */
	unsigned long hidden; /* what it hides */
	bool is_gone;
};

static struct process *processes;
static size_t nr_processes;
/* Stopped before the call that made them was told of. */
static pid_t *early;
static size_t nr_early;
static FILE *observed;
static volatile sig_atomic_t is_late;

static void open_as(int fd, const char *path, int flags)
{
	int opened = open(path, flags, 0666);

	if (opened < 0 || dup2(opened, fd) != fd)
		_exit(CANNOT);
}

/* As after a login. */
static void become(const struct options *options, int go)
{
	struct rlimit core;
	sigset_t none;
	char byte;
	int i;

	if (read(go, &byte, 1) != 0)
		_exit(CANNOT);
	setpgid(0, 0);
	for (i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	umask(022);
	open_as(STDIN_FILENO, "/dev/null", O_RDONLY);
	open_as(STDOUT_FILENO, options->out, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
	open_as(STDERR_FILENO, options->err, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND);
	close_range(3, ~0U, 0);
	if (getrlimit(RLIMIT_CORE, &core) == 0) {
		core.rlim_cur = core.rlim_max;
		setrlimit(RLIMIT_CORE, &core);
	}
	for (i = 0; i < options->nr_env; i++)
		putenv(options->env[i]);
	if (chdir(options->dir) != 0)
		_exit(CANNOT);
	execvp(options->argv[0], options->argv);
	_exit(127);
}

static struct process *find(pid_t pid)
{
	size_t i = nr_processes;

	while (i-- > 0)
		if (processes[i].who.pid == pid && !processes[i].is_gone)
			return &processes[i];
	return NULL;
}

static pid_t leader_of(pid_t tid)
{
	char path[64], *line = NULL;
	size_t size = 0;
	pid_t leader = tid;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	file = fopen(path, "r");
	while (file && getline(&line, &size, file) > 0)
		if (sscanf(line, "Tgid: %d", &leader) == 1)
			break;
	if (file)
		fclose(file);
	free(line);
	return leader;
}

static struct process *add(pid_t pid)
{
	processes = realloc(processes, (nr_processes + 1) * sizeof(*processes));
	if (!processes)
		err(CANNOT, "memory");
	memset(&processes[nr_processes], 0, sizeof(*processes));
	processes[nr_processes].who.pid = pid;
	return &processes[nr_processes++];
}

static void go_on(pid_t tid, int signo)
{
	ptrace(PTRACE_CONT, tid, 0, (long)signo);
}

/* Stop where the loader is done; it has not begun yet. */
static void begin_image(pid_t pid)
{
	struct process *process = find(pid);

	if (!process)
		return;
	process->who.image++;
	process->who.env_at = 0;
	process->who.nr_threads = 0;
	process->entry = observe_auxv(pid, AT_ENTRY);
	errno = 0;
	process->hidden = (unsigned long)ptrace(PTRACE_PEEKTEXT, pid, process->entry, 0);
	if (errno || ptrace(PTRACE_POKETEXT, pid, process->entry,
			    (process->hidden & ~0xffUL) | BREAKPOINT) != 0)
		process->entry = 0;
}

/* Whether @tid stopped at the breakpoint, which is then gone. */
static bool enter_image(pid_t tid)
{
	struct user_regs_struct regs;
	struct process *process = find(tid);
	unsigned long argc;

	if (!process || !process->entry || ptrace(PTRACE_GETREGS, tid, 0, &regs) != 0 ||
	    regs.rip != process->entry + 1)
		return false;
	ptrace(PTRACE_POKETEXT, tid, process->entry, process->hidden);
	regs.rip = process->entry;
	ptrace(PTRACE_SETREGS, tid, 0, &regs);
	process->entry = 0;
	argc = (unsigned long)ptrace(PTRACE_PEEKDATA, tid, regs.rsp, 0);
	process->who.env_at = regs.rsp + (argc + 2) * sizeof(long);
	observe(observed, &process->who, "entry");
	return true;
}

/* @tid made another one. */
static void beget(pid_t tid)
{
	struct process *parent = find(leader_of(tid));
	struct process *child;
	unsigned long message = 0;
	pid_t made;
	size_t i;

	ptrace(PTRACE_GETEVENTMSG, tid, 0, &message);
	made = (pid_t)message;
	if (parent && leader_of(made) != made) {
		parent->who.nr_threads++;
	} else if (parent) {
		pid_t parent_pid = parent->who.pid;

		child = add(made);
		parent = find(parent_pid);
		child->entry = parent->entry;
		child->hidden = parent->hidden;
		snprintf(child->who.name, sizeof(child->who.name), "%.240s.%d", parent->who.name,
			 ++parent->nr_children);
	}
	for (i = 0; i < nr_early; i++) {
		if (early[i] == made) {
			early[i] = early[--nr_early];
			go_on(made, 0);
			return;
		}
	}
}

/* A new task stops for the first time; known already, or to be told of soon. */
static void is_born(pid_t tid)
{
	if (find(leader_of(tid))) {
		go_on(tid, 0);
		return;
	}
	early = realloc(early, (nr_early + 1) * sizeof(*early));
	if (!early)
		err(CANNOT, "memory");
	early[nr_early++] = tid;
}

static void stopped(pid_t tid, int status)
{
	struct process *process = find(tid);
	int signo = WSTOPSIG(status);

	switch (status >> 16) {
	case PTRACE_EVENT_FORK:
	case PTRACE_EVENT_VFORK:
	case PTRACE_EVENT_CLONE:
		beget(tid);
		break;
	case PTRACE_EVENT_EXEC:
		begin_image(tid);
		break;
	case PTRACE_EVENT_EXIT:
		if (process)
			observe(observed, &process->who, "exit");
		break;
	case PTRACE_EVENT_STOP:
		if (signo == SIGTRAP)
			is_born(tid);
		else
			ptrace(PTRACE_LISTEN, tid, 0, 0);
		return;
	default:
		go_on(tid, signo == SIGTRAP && enter_image(tid) ? 0 : signo);
		return;
	}
	go_on(tid, 0);
}

/* Kill whoever is below us; the ones below them fall to us next. */
static void kill_children(void)
{
	FILE *file = fopen("/proc/thread-self/children", "r");
	int pid;

	while (file && fscanf(file, "%d", &pid) == 1)
		kill(pid, SIGKILL);
	if (file)
		fclose(file);
}

static void on_alarm(int signo)
{
	(void)signo;
	is_late = 1;
}

/* Reap until nobody is left below us. Returns the wait status of @root. */
static int wait_for_all(pid_t root)
{
	int root_status = -1, status;
	struct process *process;
	pid_t pid;

	while ((pid = waitpid(-1, &status, __WALL)) >= 0 || errno == EINTR) {
		if (is_late)
			kill_children();
		if (pid < 0)
			continue;
		if (WIFSTOPPED(status)) {
			stopped(pid, status);
			continue;
		}
		process = find(pid);
		if (process)
			process->is_gone = true;
		if (pid == root)
			root_status = status;
	}
	return root_status;
}

static void seize(pid_t pid)
{
	const long events = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
			    PTRACE_O_TRACEEXEC | PTRACE_O_TRACEEXIT | PTRACE_O_EXITKILL;

	strcpy(add(pid)->who.name, "0");
	if (ptrace(PTRACE_SEIZE, pid, 0, events) != 0)
		err(CANNOT, "ptrace");
}

static int launch(const struct options *options)
{
	struct sigaction alarmed = {.sa_handler = on_alarm};
	FILE *file;
	int go[2], status;
	pid_t pid;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (pipe2(go, O_CLOEXEC) != 0 || (pid = fork()) < 0)
		err(CANNOT, "fork");
	if (pid == 0) {
		close(go[1]);
		become(options, go[0]);
	}
	if (observed)
		seize(pid);
	sigaction(SIGALRM, &alarmed, NULL);
	alarm(options->limit_s);
	close(go[1]);
	status = wait_for_all(pid);
	file = fopen(options->status, "w");
	if (!file || fprintf(file, "%#x\n", (unsigned)status) < 0 || fclose(file) != 0)
		err(CANNOT, "%s", options->status);
	return is_late ? TIMED_OUT : 0;
}

int main(int argc, char **argv)
{
	struct options options = {.limit_s = 60};
	int letter;

	while ((letter = getopt(argc, argv, "+o:t:E:")) != -1) {
		if (letter == 'o')
			options.observed = optarg;
		else if (letter == 't')
			options.limit_s = (unsigned)atoi(optarg);
		else if (letter == 'E' && options.nr_env < ENV_MAX)
			options.env[options.nr_env++] = optarg;
		else
			return CANNOT;
	}
	if (argc - optind < 5)
		errx(CANNOT, "launch: see the top of its source");
	options.status = argv[optind];
	options.out = argv[optind + 1];
	options.err = argv[optind + 2];
	options.dir = argv[optind + 3];
	options.argv = argv + optind + 4;
	if (options.observed && !(observed = fopen(options.observed, "we")))
		err(CANNOT, "%s", options.observed);
	return launch(&options);
}
