/* SPDX-License-Identifier: MIT */
/*
 * The program brings its own malloc, whose first use calls what is hooked, and
 * which must not be entered twice. Confirms: nobody else allocates inside those
 * calls, and looking functions up does not need it, either.
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "victim.h"

static char heap[1 << 22] __attribute__((aligned(16)));
static atomic_size_t used;
static atomic_int is_begun;
static __thread int depth;

static void begin(void)
{
	struct sigaction action;
	pid_t pid;

	if (atomic_exchange(&is_begun, 1))
		return;
	if (sigaction(SIGTERM, NULL, &action) || (pid = _Fork()) < 0)
		_exit(VICTIM_FAILED);
	if (pid == 0)
		_exit(3);
	if (waitpid(pid, NULL, 0) != pid)
		_exit(VICTIM_FAILED);
}

void *malloc(size_t size)
{
	size_t at;

	if (depth++)
		_exit(VICTIM_FAILED);
	begin();
	at = atomic_fetch_add(&used, (size + 31) & ~(size_t)15);
	depth--;
	if (at + size + 16 > sizeof(heap))
		_exit(VICTIM_FAILED);
	*(size_t *)(heap + at) = size;
	return heap + at + 16;
}

void free(void *unused)
{
	(void)unused;
}

void *calloc(size_t nr, size_t size)
{
	return malloc(nr * size); /* fresh memory is zero */
}

void *realloc(void *old, size_t size)
{
	void *new = malloc(size);

	if (old)
		memcpy(new, old, ((size_t *)old)[-2] < size ? ((size_t *)old)[-2] : size);
	return new;
}

static void *idle(void *arg)
{
	return arg ? arg : malloc(10);
}

int main(void)
{
	pthread_t thread;
	FILE *file;
	pid_t pid = fork();

	if (pid == 0)
		_exit(4);
	victim_reap(pid, 4);
	CHECK(pthread_create(&thread, NULL, idle, NULL) == 0 && pthread_join(thread, NULL) == 0);
	CHECK(system("exit 5") == 5 << 8);
	file = popen("exit 6", "r");
	CHECK(file && pclose(file) == 6 << 8);
	return 0;
}
