/* SPDX-License-Identifier: MIT */
/*
 * Exceptions in threads: one is caught where it should be, cancellation and
 * pthread_exit run destructors, and one leaves the thread and ends the process by
 * std::terminate, at the place where it was thrown. Confirms: what we put between
 * the start of a thread and its procedure is no landing place.
 */
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <pthread.h>
#include <semaphore.h>
#include <stdexcept>
#include <unistd.h>

static int nr_destroyed;
static bool is_unwound;
static sem_t is_created;

struct Noisy {
	~Noisy() { nr_destroyed++; }
};

static void *catches(void *)
{
	try {
		Noisy noisy;
		throw std::runtime_error("caught");
	} catch (const std::exception &) {
	}
	return nullptr;
}

static void *leaves(void *)
{
	Noisy noisy;
	pthread_exit(nullptr);
}

static void *is_cancelled(void *)
{
	Noisy noisy;

	/* No system call, which would get a signal if it was reached in time. */
	for (;;)
		pthread_testcancel();
}

struct Unwound {
	~Unwound() { is_unwound = true; }
};

static void *throws(void *)
{
	Unwound unwound;

	/* pthread_create() blocks all signals meanwhile, which would be seen at the end. */
	sem_wait(&is_created);
	throw std::runtime_error("not caught");
}

static void on_terminate()
{
	/* Nobody has unwound anything: the stack is still there to be looked at. */
	std::printf("terminate, %s\n", is_unwound ? "unwound" : "not unwound");
	std::fflush(stdout);
	_exit(is_unwound ? 99 : 3);
}

static void run(void *(*procedure)(void *), bool cancels)
{
	pthread_t thread;

	if (pthread_create(&thread, nullptr, procedure, nullptr))
		_exit(99);
	sem_post(&is_created);
	if (cancels)
		pthread_cancel(thread);
	pthread_join(thread, nullptr);
}

int main()
{
	std::set_terminate(on_terminate);
	run(catches, false);
	run(leaves, false);
	run(is_cancelled, true);
	std::printf("%d destroyed\n", nr_destroyed);
	std::fflush(stdout);
	sem_init(&is_created, 0, 0);
	run(throws, false);
	return 99;
}
