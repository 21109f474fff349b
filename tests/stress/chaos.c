/* SPDX-License-Identifier: MIT */
/*
 * A random tree of processes, the same one for the same seed: chaos SEED DEPTH.
 * Each does a few things out of all that can be done with processes, and then
 * ends in one of all possible ways.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char *self;

struct dice {
	uint64_t state;
	int depth;
	bool is_thread;
};

static unsigned roll(struct dice *dice, unsigned sides)
{
	dice->state = dice->state * 6364136223846793005U + 1442695040888963407U;
	return (unsigned)(dice->state >> 33) % sides;
}

static void play(struct dice *dice);

struct call {
	char seed[24];
	char depth[12];
	char *argv[4];
};

static void prepare(struct dice *dice, struct call *call)
{
	snprintf(call->seed, sizeof(call->seed), "%u", roll(dice, 1000000));
	snprintf(call->depth, sizeof(call->depth), "%d", dice->depth - 1);
	call->argv[0] = (char *)self;
	call->argv[1] = call->seed;
	call->argv[2] = call->depth;
	call->argv[3] = NULL;
}

static void await(struct dice *dice, pid_t pid)
{
	struct rusage usage;
	siginfo_t info;
	int status;

	switch (roll(dice, 6)) {
	case 0:
		waitpid(pid, &status, 0);
		break;
	case 1:
		wait4(pid, NULL, 0, &usage);
		break;
	case 2:
		waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
		waitid(P_PID, (id_t)pid, &info, WEXITED);
		break;
	case 3:
		while (!waitpid(pid, &status, WNOHANG))
			usleep(50);
		break;
	case 4:
		waitpid(pid, &status, WUNTRACED | WCONTINUED);
		break;
	case 5: /* never */
		break;
	}
}

/* A child that goes on playing in this memory's copy. */
static void fork_player(struct dice *dice)
{
	struct dice child = {.state = roll(dice, 1000000), .depth = dice->depth - 1};
	pid_t pid = fork();

	if (!pid) {
		play(&child);
		_exit(0);
	}
	await(dice, pid);
}

static void fork_exec(struct dice *dice, bool fails_first)
{
	struct call call;
	pid_t pid;

	prepare(dice, &call);
	pid = fork();
	if (!pid) {
		if (fails_first)
			execv("/nosuchfile_t2", call.argv);
		execv(self, call.argv);
		_exit(1);
	}
	await(dice, pid);
}

static void vfork_exec(struct dice *dice, const char *file)
{
	struct call call;
	pid_t pid;

	prepare(dice, &call);
	pid = vfork();
	if (!pid) {
		execv(file, call.argv);
		_exit(2);
	}
	await(dice, pid);
}

static void spawn(struct dice *dice, const char *file)
{
	struct call call;
	pid_t pid;

	prepare(dice, &call);
	if (!posix_spawn(&pid, file, NULL, NULL, call.argv, environ))
		await(dice, pid);
}

static void shell(struct dice *dice, bool is_pipe)
{
	struct call call;
	char command[4200];
	FILE *stream;

	prepare(dice, &call);
	snprintf(command, sizeof(command), "exec %s %s %s", self, call.seed, call.depth);
	if (!is_pipe) {
		if (system(command) < 0)
			_exit(3);
		return;
	}
	stream = popen(command, "r");
	while (stream && getc(stream) != EOF)
		;
	if (stream)
		pclose(stream);
}

static void kill_child(struct dice *dice)
{
	static const int signals[] = {SIGTERM, SIGKILL, SIGHUP, SIGUSR1, SIGINT, SIGSEGV, SIGABRT};
	int signo = signals[roll(dice, 7)];
	unsigned delay_us = roll(dice, 600);
	bool is_own = roll(dice, 2), does_exec = roll(dice, 2);
	struct call call;
	pid_t pid;

	prepare(dice, &call);
	pid = fork();
	if (!pid) {
		if (is_own)
			raise(signo);
		if (does_exec)
			execl("/bin/sleep", "sleep", "9", NULL);
		for (;;)
			pause();
	}
	if (pid < 0) /* kill(2) would take that for everybody */
		return;
	usleep(delay_us);
	kill(pid, signo);
	await(dice, pid);
}

static void *play_in_thread(void *arg)
{
	play(arg);
	return NULL;
}

static void thread(struct dice *dice)
{
	struct dice own = {
		.state = roll(dice, 1000000), .depth = dice->depth - 1, .is_thread = true};
	pthread_t thread;

	if (!pthread_create(&thread, NULL, play_in_thread, &own))
		pthread_join(thread, NULL);
}

static void act(struct dice *dice)
{
	switch (roll(dice, 13)) {
	case 0:
	case 1:
		fork_player(dice);
		break;
	case 2:
		fork_exec(dice, false);
		break;
	case 3:
		fork_exec(dice, true);
		break;
	case 4:
		vfork_exec(dice, self);
		break;
	case 5:
		vfork_exec(dice, "/nosuchfile_t2");
		break;
	case 6:
		spawn(dice, self);
		break;
	case 7:
		spawn(dice, "/nosuchfile_t2");
		break;
	case 8:
		shell(dice, false);
		break;
	case 9:
		shell(dice, true);
		break;
	case 10:
		kill_child(dice);
		break;
	case 11:
	case 12:
		thread(dice);
		break;
	}
}

static void end(struct dice *dice)
{
	struct call call;

	switch (roll(dice, 10)) {
	case 0:
		_exit((int)roll(dice, 256));
	case 1:
		quick_exit((int)roll(dice, 256));
	case 2:
		raise(SIGTERM);
		break;
	case 3:
		abort();
	case 4:
		prepare(dice, &call);
		execv(self, call.argv);
		break;
	case 5:
		execv("/nosuchfile_t2", (char *[]){"nosuchfile_t2", NULL});
		break;
	default:
		break;
	}
	exit((int)roll(dice, 256));
}

static void play(struct dice *dice)
{
	unsigned nr_acts = dice->depth > 0 ? 1 + roll(dice, 4) : 0;

	for (unsigned i = 0; i < nr_acts; i++)
		act(dice);
	/* A thread seldom ends them all. */
	if (!dice->is_thread || !roll(dice, 8))
		end(dice);
}

int main(int argc, char **argv)
{
	struct rlimit no_core = {0, 0};
	struct dice dice;

	if (argc < 3)
		return 2;
	setrlimit(RLIMIT_CORE, &no_core);
	self = argv[0];
	dice = (struct dice){.state = strtoul(argv[1], NULL, 10), .depth = atoi(argv[2])};
	roll(&dice, 2);
	play(&dice);
	return 0;
}
