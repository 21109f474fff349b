/* SPDX-License-Identifier: MIT */
/*
 * Threads tell of themselves, from inside: the first thing in the new thread
 * and, by a key's destructor, the last. That one is seen on return,
 * pthread_exit, thrd_exit and cancellation alike.
 */
#include <limits.h>
#include <string.h>

#include "hooks/birth.h"
#include "hooks/hook.h"
#include "hooks/notice.h"
#include "hooks/real.h"
#include "hooks/tallies.h"
#include "preload/elf.h"
#include "preload/slots.h"

/* How a thread was asked for; copied to its own stack before the slot is given back. */
struct request {
	void *(*run)(void *);
	int (*run_c11)(void *);
	void *arg;
	char base[T2_THREAD_NAME_SIZE];
};

static struct request requests[T2_THREAD_SLOTS] T2_PLACE_RARE;
static atomic_uint words[T2_SLOT_WORDS(T2_THREAD_SLOTS)];
static const struct t2_slots slots = {words, T2_THREAD_SLOTS};

/*
 * The key. Its value in a thread lies in the thread's own descriptor as long as
 * the key is one of the first 32; a later one would take heap, so then the end
 * is told by return and pthread_exit alone.
 */
#define KEYS_WITHOUT_HEAP 32
static atomic_uint key; /* plus one; 0: none */
static atomic_bool has_tried_key;
static int (*set_specific)(pthread_key_t, const void *);

static void end_thread(void)
{
	struct t2_guard guard;

	if (!t2_guard_enter(&guard))
		return;
	if (guard.stream)
		t2_tallies_end_thread(guard.stream, guard.thread);
	t2_guard_leave(&guard);
}

/*
 * Destructors run in rounds until no key has a value left, four at most. We
 * want to be the last, so that what the host's destructors do is still ours:
 * set the value again in every round but the last.
 */
static void end_by_key(void *value)
{
	struct t2_thread *thread = t2_thread_self();

	if (++thread->nr_rounds < PTHREAD_DESTRUCTOR_ITERATIONS)
		set_specific(atomic_load(&key) - 1, value);
	else
		end_thread();
}

static void make_key(void)
{
	int (*create)(pthread_key_t *, void (*)(void *));
	int (*destroy)(pthread_key_t);
	pthread_key_t made;

	if (atomic_exchange(&has_tried_key, true))
		return;
	create = (__typeof__(create))t2_real_find("pthread_key_create");
	destroy = (__typeof__(destroy))t2_real_find("pthread_key_delete");
	set_specific = (__typeof__(set_specific))t2_real_find("pthread_setspecific");
	if (!create || !destroy || !set_specific || create(&made, end_by_key))
		return;
	if (made < KEYS_WITHOUT_HEAP)
		atomic_store(&key, made + 1);
	else
		destroy(made);
}

/* In the new thread: the first words. */
static void begin_thread(const char *base)
{
	struct t2_guard guard;

	if (!t2_guard_enter(&guard))
		return;
	if (guard.stream) {
		t2_thread_begin(guard.thread, &guard.stream->session, base, t2_clock_now().mono_ns);
		guard.thread->is_announced = true;
		if (atomic_load(&key))
			set_specific(atomic_load(&key) - 1, guard.thread);
		t2_notice_thread_start(guard.stream, guard.thread->name);
	}
	t2_guard_leave(&guard);
}

static struct request take_request(void *slot)
{
	struct request request = *(struct request *)slot;

	t2_slots_release(&slots, (unsigned)((struct request *)slot - requests));
	begin_thread(request.base);
	return request;
}

static void end_on_return(void)
{
	if (!atomic_load(&key))
		end_thread();
}

static void *run_posix(void *slot)
{
	struct request request = take_request(slot);
	void *ret = request.run(request.arg);

	end_on_return();
	return ret;
}

static int run_c11(void *slot)
{
	struct request request = take_request(slot);
	int ret = request.run_c11(request.arg);

	end_on_return();
	return ret;
}

/*
 * A filled slot, or NULL if none is free: the thread then goes unrecorded.
 * Making a thread is something of one's own, so a silent child becomes a
 * session here.
 */
static struct request *make_request(const void *procedure, void *arg)
{
	struct t2_guard guard;
	struct request *request = NULL;
	unsigned index;

	if (!t2_guard_enter(&guard))
		return NULL;
	make_key();
	t2_birth_own_session(&guard);
	t2_emit_note_thread();
	if (guard.stream && t2_slots_claim(&slots, &index)) {
		request = &requests[index];
		memset(request, 0, sizeof(*request));
		request->arg = arg;
		t2_thread_base_name(request->base, procedure);
	}
	t2_guard_leave(&guard);
	return request;
}

static void drop_request(struct request *request)
{
	t2_slots_release(&slots, (unsigned)(request - requests));
}

T2_HOOK(int, pthread_create,
	(pthread_t * thread, const pthread_attr_t *attr, void *(*run)(void *), void *arg))
{
	struct request *request = make_request((const void *)run, arg);
	int ret;

	if (!request)
		return t2_real_pthread_create()(thread, attr, run, arg);
	request->run = run;
	ret = t2_real_pthread_create()(thread, attr, run_posix, request);
	if (ret)
		drop_request(request);
	return ret;
}

T2_HOOK(void, pthread_exit, (void *value))
{
	if (t2_guard_is_on())
		end_on_return();
	t2_real_pthread_exit()(value);
}

#if T2_GLIBC(28)
T2_HOOK(int, thrd_create, (thrd_t * thread, thrd_start_t run, void *arg))
{
	struct request *request = make_request((const void *)run, arg);
	int ret;

	if (!request)
		return t2_real_thrd_create()(thread, run, arg);
	request->run_c11 = run;
	ret = t2_real_thrd_create()(thread, run_c11, request);
	if (ret != thrd_success)
		drop_request(request);
	return ret;
}

T2_HOOK(void, thrd_exit, (int value))
{
	if (t2_guard_is_on())
		end_on_return();
	t2_real_thrd_exit()(value);
}
#endif
