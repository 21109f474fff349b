/* SPDX-License-Identifier: MIT */
#include "preload/thread.h"

#include <string.h>

#include "preload/buf.h"
#include "preload/elf.h"

__thread struct t2_thread t2_thread_local;
struct t2_thread *t2_thread_main T2_PLACE_STATE;

_Static_assert(sizeof(struct t2_thread) <= 256, "carved out of every thread's stack");

void t2_thread_begin(struct t2_thread *thread, struct t2_session *session, const char *base,
		     uint64_t start_mono_ns)
{
	struct t2_buf name;

	t2_buf_init(&name, thread->name, sizeof(thread->name) - 1);
	t2_buf_put_str(&name, "th");
	t2_buf_put_u64_padded(&name, (uint64_t)atomic_fetch_add(&session->next_thread_id, 1), 2,
			      '0');
	t2_buf_put_char(&name, ':');
	t2_buf_put_str(&name, base);
	thread->name[t2_buf_overflowed(&name) ? name.cap : name.len] = '\0';
	thread->start_mono_ns = start_mono_ns;
}

void t2_thread_begin_main(struct t2_thread *thread, uint64_t start_mono_ns)
{
	t2_thread_main = thread;
	memcpy(thread->name, "main", sizeof("main"));
	thread->start_mono_ns = start_mono_ns;
}

/* "module+0x<offset>" in what git leaves of a name behind "thNNNN:". */
static void put_place(struct t2_buf *out, const struct t2_elf_place *place)
{
	const char *module = *place->module ? place->module : "exe";
	size_t len = strlen(module);
	unsigned digits = 1;
	size_t room;

	while (digits < 16 && place->offset >> (4 * digits))
		digits++;
	room = T2_THREAD_NAME_SIZE - 1 - (sizeof("th0000:+0x") - 1) - digits;
	t2_buf_put(out, module, len < room ? len : room);
	t2_buf_put_str(out, "+0x");
	t2_buf_put_hex(out, place->offset, digits);
}

void t2_thread_base_name(char base[T2_THREAD_NAME_SIZE], const void *procedure)
{
	struct t2_elf_place place;
	struct t2_buf out;

	t2_buf_init(&out, base, T2_THREAD_NAME_SIZE - 1);
	if (!t2_elf_locate(procedure, &place))
		t2_buf_put_str(&out, "unknown");
	else if (place.symbol)
		t2_buf_put_str(&out, place.symbol);
	else
		put_place(&out, &place);
	base[t2_buf_overflowed(&out) ? out.cap : out.len] = '\0';
}
