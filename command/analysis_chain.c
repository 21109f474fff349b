/* SPDX-License-Identifier: MIT */
/*
 * The gating chain: from the end backwards, whatever ended last before that moment
 * under the same coordinator, and in it the same again. What is between two of them
 * was the coordinator's own, as long as it was busy or took no longer than starting a
 * process takes; else it was that of the child that it waited for meanwhile.
 *
 * It is inferred: that one waited for the other is not in a trace.
 */
#include "command/analysis_build.h"
#include "command/grow.h"

#include <stdlib.h>

/* A coordinator may take so long from the end of a child to the start of the next. */
#define TURN_NS 2000000

/* A process on the way down to what was busy. */
struct frame {
	uint32_t process;
	int64_t low_ns;	   /* before that the process is of no interest */
	int64_t cursor_ns; /* the chain is known from here on */
	size_t first, nr;  /* of its children in the items, by their end: those to look at */
	size_t nr_running; /* behind these: those that went on after the cursor */
};

struct chain {
	struct t2_work *work;
	struct frame *frames;
	uint32_t nr_frames, max_frames;
	struct t2_sort_item *items; /* children of all frames, one frame behind the other */
	size_t nr_items;
	uint32_t max_links;
};

/* Links come from the last to the first. */
static bool add_link(struct chain *chain, uint32_t process, int64_t start_ns, int64_t end_ns)
{
	struct t2_analysis *analysis = chain->work->analysis;
	struct t2_link *last = analysis->nr_links ? &analysis->links[analysis->nr_links - 1] : NULL;
	struct t2_link *links;

	if (start_ns >= end_ns)
		return true;
	if (last && last->process == process) {
		last->start_ns = start_ns;
		return true;
	}
	links = t2_grow(analysis->links, analysis->nr_links, &chain->max_links, sizeof(*links));
	if (!links)
		return false;
	analysis->links = links;
	analysis->links[analysis->nr_links++] = (struct t2_link){start_ns, end_ns, process};
	return true;
}

static bool enter(struct chain *chain, uint32_t process, int64_t low_ns, int64_t cursor_ns)
{
	const struct t2_life *lives = chain->work->lives;
	struct frame *frames, *frame;

	frames = t2_grow(chain->frames, chain->nr_frames, &chain->max_frames, sizeof(*frames));
	if (!frames)
		return false;
	chain->frames = frames;
	frame = &chain->frames[chain->nr_frames++];
	*frame = (struct frame){process, low_ns, cursor_ns, chain->nr_items, 0, 0};
	for (uint32_t id = lives[process].first; id; id = lives[id].next) {
		if (lives[id].start_ns >= cursor_ns)
			break;
		if (lives[id].end_ns > low_ns && lives[id].start_ns < lives[id].end_ns &&
		    !lives[id].is_released)
			chain->items[chain->nr_items++] =
				(struct t2_sort_item){.key = lives[id].end_ns, .value = id};
	}
	frame->nr = chain->nr_items - frame->first;
	return t2_sort(chain->items + frame->first, frame->nr);
}

/* Back to the coordinator, for which the chain now is known from its start on. */
static bool leave(struct chain *chain)
{
	const struct frame *frame = &chain->frames[--chain->nr_frames];

	chain->nr_items = frame->first;
	if (!add_link(chain, frame->process, frame->low_ns, frame->cursor_ns))
		return false;
	if (chain->nr_frames)
		chain->frames[chain->nr_frames - 1].cursor_ns = frame->low_ns;
	return true;
}

/*
 * Pass over the children that end after the cursor. Those of them that have begun
 * before it are kept right behind the ones to look at, as few as ever run together.
 */
static void pass_running(const struct chain *chain, struct frame *frame)
{
	const struct t2_life *lives = chain->work->lives;
	struct t2_sort_item *items = chain->items + frame->first;
	size_t nr_kept = 0;

	while (frame->nr && items[frame->nr - 1].key > frame->cursor_ns) {
		frame->nr--;
		frame->nr_running++;
	}
	for (size_t i = 0; i < frame->nr_running; i++) {
		struct t2_sort_item item = items[frame->nr + i];

		if (lives[item.value].start_ns < frame->cursor_ns)
			items[frame->nr + nr_kept++] = item;
	}
	frame->nr_running = nr_kept;
}

/* Of those that the coordinator waits for at the cursor, the one that ends last, if the
 * time since @from_ns is more than the coordinator needs; T2_ROOT: none. */
static uint32_t find_running(const struct chain *chain, const struct frame *frame, int64_t from_ns)
{
	int64_t turn_ns = frame->process == T2_ROOT ? 0 : TURN_NS;

	if (!frame->nr_running || frame->cursor_ns - from_ns <= turn_ns)
		return T2_ROOT;
	return chain->items[frame->first + frame->nr + frame->nr_running - 1].value;
}

/* The next child that had ended, or was there meanwhile, or the end of the frame. */
static bool step(struct chain *chain)
{
	struct frame *frame = &chain->frames[chain->nr_frames - 1];
	const struct t2_life *lives = chain->work->lives;
	int64_t cursor_ns = frame->cursor_ns, from_ns = frame->low_ns;
	uint32_t ended = T2_ROOT, running;

	if (cursor_ns <= from_ns)
		return leave(chain);
	pass_running(chain, frame);
	if (frame->nr)
		ended = chain->items[frame->first + frame->nr - 1].value;
	if (ended && lives[ended].end_ns > from_ns)
		from_ns = lives[ended].end_ns;
	else
		ended = T2_ROOT;
	running = find_running(chain, frame, from_ns);
	if (running)
		return enter(chain, running, t2_later(lives[running].start_ns, from_ns), cursor_ns);
	if (!ended)
		return leave(chain);
	frame->nr--;
	frame->nr_running++; /* no longer, as soon as the cursor is at its start */
	return add_link(chain, frame->process, from_ns, cursor_ns) &&
	       enter(chain, ended, t2_later(lives[ended].start_ns, frame->low_ns), from_ns);
}

static void reverse(struct t2_analysis *analysis)
{
	for (uint32_t i = 0; i < analysis->nr_links / 2; i++) {
		struct t2_link *other = &analysis->links[analysis->nr_links - 1 - i];
		struct t2_link link = analysis->links[i];

		analysis->links[i] = *other;
		*other = link;
	}
}

bool t2_analysis_chain(struct t2_work *work)
{
	const struct t2_analysis *analysis = work->analysis;
	struct chain chain = {.work = work};
	bool is_done;

	chain.items = malloc(work->trace->nr_processes * sizeof(*chain.items));
	is_done = chain.items && enter(&chain, T2_ROOT, analysis->start_ns, analysis->end_ns);
	while (is_done && chain.nr_frames)
		is_done = step(&chain);
	reverse(work->analysis);
	free(chain.items);
	free(chain.frames);
	return is_done;
}
