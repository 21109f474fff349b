/* SPDX-License-Identifier: MIT */
#include "preload/ledger.h"

#include <string.h>

#include "preload/sys.h"
#include "preload/thread.h"

/* One kind of thing the program has entered. */
struct book {
	struct t2_ledger_entry *entries;
	atomic_bool *is_filled;
	atomic_int *nr;
	int max;
};

static struct t2_ledger_entry timer_entries[T2_TIMERS_MAX] T2_PLACE_RARE;
static struct t2_ledger_entry counter_entries[T2_COUNTERS_MAX] T2_PLACE_RARE;
static atomic_bool has_timer[T2_TIMERS_MAX], has_counter[T2_COUNTERS_MAX];
static atomic_int nr_timers T2_PLACE_STATE, nr_counters T2_PLACE_STATE;
static const struct book timers = {timer_entries, has_timer, &nr_timers, T2_TIMERS_MAX};
static const struct book counters = {counter_entries, has_counter, &nr_counters, T2_COUNTERS_MAX};

/* The process's sums. */
static struct {
	_Atomic uint64_t nr, total_ns, min_ns, max_ns;
} timer_totals[T2_TIMERS_MAX] T2_PLACE_RARE;
static _Atomic uint64_t counter_totals[T2_COUNTERS_MAX] T2_PLACE_RARE;

struct t2_ledger *t2_ledger_of(struct t2_thread *thread)
{
	if (!thread->ledger)
		thread->ledger = t2_sys_map(sizeof(struct t2_ledger), MAP_PRIVATE);
	return thread->ledger;
}

static void copy_cut(char *to, size_t size, const char *from)
{
	size_t len = from ? strlen(from) : 0;

	len = len < size ? len : size - 1;
	memcpy(to, from ? from : "", len);
	to[len] = '\0';
}

/*
 * Two threads may enter the same one at once: both take an index, and the one
 * that is not put into @slot stays empty.
 */
static int enter(const struct book *book, int *slot, const char *category, const char *name,
		 bool wants_threads)
{
	int index, nobody = 0;
	int seen = __atomic_load_n(slot, __ATOMIC_ACQUIRE);

	if (seen)
		return seen > 0 && seen <= book->max ? seen - 1 : -1;
	if (atomic_load(book->nr) >= book->max ||
	    (index = atomic_fetch_add(book->nr, 1)) >= book->max) {
		__atomic_store_n(slot, -1, __ATOMIC_RELEASE);
		return -1;
	}
	copy_cut(book->entries[index].category, T2_TALLY_CATEGORY_SIZE, category);
	copy_cut(book->entries[index].name, T2_TALLY_NAME_SIZE, name);
	book->entries[index].wants_threads = wants_threads;
	atomic_store(&book->is_filled[index], true);
	if (__atomic_compare_exchange_n(slot, &nobody, index + 1, false, __ATOMIC_ACQ_REL,
					__ATOMIC_ACQUIRE))
		return index;
	return nobody - 1;
}

int t2_ledger_timer(int *slot, const char *category, const char *name, bool wants_threads)
{
	return enter(&timers, slot, category, name, wants_threads);
}

int t2_ledger_counter(int *slot, const char *category, const char *name, bool wants_threads)
{
	return enter(&counters, slot, category, name, wants_threads);
}

static const struct t2_ledger_entry *entry_at(const struct book *book, int index)
{
	int nr = atomic_load(book->nr);

	if (index >= (nr < book->max ? nr : book->max))
		return NULL;
	return &book->entries[index];
}

const struct t2_ledger_entry *t2_ledger_timer_at(int index)
{
	return entry_at(&timers, index);
}

const struct t2_ledger_entry *t2_ledger_counter_at(int index)
{
	return entry_at(&counters, index);
}

void t2_ledger_start(struct t2_ledger *ledger, int index, uint64_t now_ns)
{
	if (ledger->timers[index].nr_running++ == 0)
		ledger->timers[index].start_ns = now_ns;
}

static void add_interval(struct t2_tally *tally, uint64_t ns)
{
	if (!tally->nr || ns < tally->min_ns)
		tally->min_ns = ns;
	if (ns > tally->max_ns)
		tally->max_ns = ns;
	tally->total_ns += ns;
	tally->nr++;
}

void t2_ledger_stop(struct t2_ledger *ledger, int index, uint64_t now_ns)
{
	if (!ledger->timers[index].nr_running || --ledger->timers[index].nr_running)
		return;
	add_interval(&ledger->timers[index].tally, now_ns - ledger->timers[index].start_ns);
}

static void raise_to(_Atomic uint64_t *max, uint64_t value)
{
	uint64_t seen = atomic_load(max);

	while (seen < value && !atomic_compare_exchange_weak(max, &seen, value))
		;
}

/* Kept as its complement, so that zero means none. */
static void lower_to(_Atomic uint64_t *min, uint64_t value)
{
	raise_to(min, ~value);
}

static void add_timer(int index, const struct t2_tally *tally)
{
	if (!tally->nr)
		return;
	atomic_fetch_add(&timer_totals[index].nr, tally->nr);
	atomic_fetch_add(&timer_totals[index].total_ns, tally->total_ns);
	lower_to(&timer_totals[index].min_ns, tally->min_ns);
	raise_to(&timer_totals[index].max_ns, tally->max_ns);
}

void t2_ledger_close(struct t2_thread *thread)
{
	struct t2_ledger *ledger = thread->ledger;

	thread->nr_regions = 0;
	if (!ledger)
		return;
	thread->ledger = NULL;
	for (int i = 0; i < T2_TIMERS_MAX; i++)
		add_timer(i, &ledger->timers[i].tally);
	for (int i = 0; i < T2_COUNTERS_MAX; i++)
		atomic_fetch_add(&counter_totals[i], ledger->counters[i]);
	t2_sys_unmap(ledger, sizeof(*ledger));
}

struct t2_tally t2_ledger_timer_total(int index)
{
	struct t2_tally tally = {
		.nr = atomic_load(&timer_totals[index].nr),
		.total_ns = atomic_load(&timer_totals[index].total_ns),
		.min_ns = ~atomic_load(&timer_totals[index].min_ns),
		.max_ns = atomic_load(&timer_totals[index].max_ns),
	};

	return tally;
}

uint64_t t2_ledger_counter_total(int index)
{
	return atomic_load(&counter_totals[index]);
}

void t2_ledger_reset(struct t2_thread *thread)
{
	t2_ledger_close(thread);
	/* No further than they are used: the rest is memory that nobody has touched. */
	memset(timer_totals, 0, (size_t)atomic_load(&nr_timers) * sizeof(*timer_totals));
	memset(counter_totals, 0, (size_t)atomic_load(&nr_counters) * sizeof(*counter_totals));
}
