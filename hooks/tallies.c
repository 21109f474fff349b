/* SPDX-License-Identifier: MIT */
#include "hooks/tallies.h"

#include "hooks/notice.h"
#include "preload/ledger.h"

/* Timers are the one time that git rounds to microseconds instead of cutting it. */
static uint64_t rounded(uint64_t ns)
{
	return (ns + 500) / 1000 * 1000;
}

static void tell_timer(struct t2_stream *stream, const char *thread_name, enum t2_event_kind kind,
		       const struct t2_ledger_entry *entry, const struct t2_tally *tally)
{
	struct t2_event event;

	if (!tally->nr)
		return;
	t2_event_init(&event, kind);
	event.file = __FILE__;
	event.line = __LINE__;
	event.u.timer.category = entry->category;
	event.u.timer.name = entry->name;
	event.u.timer.intervals = (int64_t)tally->nr;
	event.u.timer.total_ns = rounded(tally->total_ns);
	event.u.timer.min_ns = rounded(tally->min_ns);
	event.u.timer.max_ns = rounded(tally->max_ns);
	t2_emit(stream, thread_name, &event, 1, T2_ALL_TARGETS, 0);
}

static void tell_counter(struct t2_stream *stream, const char *thread_name, enum t2_event_kind kind,
			 const struct t2_ledger_entry *entry, uint64_t count)
{
	struct t2_event event;

	if (!count)
		return;
	t2_event_init(&event, kind);
	event.file = __FILE__;
	event.line = __LINE__;
	event.u.counter.category = entry->category;
	event.u.counter.name = entry->name;
	event.u.counter.count = (int64_t)count;
	t2_emit(stream, thread_name, &event, 1, T2_ALL_TARGETS, 0);
}

static void tell_threads_own(struct t2_stream *stream, const struct t2_ledger *ledger,
			     const char *thread_name)
{
	const struct t2_ledger_entry *entry;

	for (int i = 0; (entry = t2_ledger_timer_at(i)); i++) {
		if (entry->wants_threads)
			tell_timer(stream, thread_name, T2_EVENT_TH_TIMER, entry,
				   &ledger->timers[i].tally);
	}
	for (int i = 0; (entry = t2_ledger_counter_at(i)); i++) {
		if (entry->wants_threads)
			tell_counter(stream, thread_name, T2_EVENT_TH_COUNTER, entry,
				     ledger->counters[i]);
	}
}

static void tell_totals(struct t2_stream *stream, const char *thread_name)
{
	const struct t2_ledger_entry *entry;

	for (int i = 0; (entry = t2_ledger_timer_at(i)); i++) {
		struct t2_tally total = t2_ledger_timer_total(i);

		tell_timer(stream, thread_name, T2_EVENT_TIMER, entry, &total);
	}
	for (int i = 0; (entry = t2_ledger_counter_at(i)); i++)
		tell_counter(stream, thread_name, T2_EVENT_COUNTER, entry,
			     t2_ledger_counter_total(i));
}

void t2_tallies_end_thread(struct t2_stream *stream, struct t2_thread *thread)
{
	if (!thread->is_announced)
		return;
	thread->is_announced = false;
	thread->nr_regions = 0;
	if (thread->ledger)
		tell_threads_own(stream, thread->ledger, thread->name);
	t2_notice_thread_exit(stream, thread->name, thread->start_mono_ns);
	t2_ledger_close(thread);
}

bool t2_tallies_are_used(const struct t2_thread *thread)
{
	return thread->nr_regions || thread->ledger || t2_ledger_timer_at(0) ||
	       t2_ledger_counter_at(0);
}

void t2_tallies_end_process(struct t2_stream *stream, struct t2_thread *thread,
			    const char *thread_name)
{
	thread->nr_regions = 0;
	if (thread->ledger)
		tell_threads_own(stream, thread->ledger, thread_name);
	t2_ledger_close(thread);
	/* The process may end in another thread than it began in. */
	if (t2_thread_main)
		t2_ledger_close(t2_thread_main);
	tell_totals(stream, thread_name);
}
