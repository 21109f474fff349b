/* SPDX-License-Identifier: MIT */
/*
 * The gating chain: from the end backwards, whatever ended last before that moment
 * under the same coordinator, and in it the same again. What is between two of them
 * was the coordinator's own.
 *
 * It is inferred: that one waited for the other is not in a trace.
 */
#include "command/analysis_build.h"

#include <stdlib.h>

/* A process on the way down to what was busy. */
struct frame {
	uint32_t process;
	int64_t low_ns;	   /* before that the process is of no interest */
	int64_t cursor_ns; /* the chain is known from here on */
	size_t first, nr;  /* of its children in the items, by their end: those to look at */
};

struct chain {
	struct t2_work *work;
	struct frame *frames;
	uint32_t nr_frames, max_frames;
	struct t2_sort_item *items; /* children of all frames, one frame behind the other */
	size_t nr_items;
	uint32_t max_links;
};

static bool grow(void **array, uint32_t nr, uint32_t *max, size_t size)
{
	uint32_t wanted = *max * 2 + 64;
	void *larger;

	if (nr < *max)
		return true;
	larger = realloc(*array, wanted * size);
	if (!larger)
		return false;
	*array = larger;
	*max = wanted;
	return true;
}

/* Links come from the last to the first. */
static bool add_link(struct chain *chain, uint32_t process, int64_t start_ns, int64_t end_ns)
{
	struct t2_analysis *analysis = chain->work->analysis;
	struct t2_link *last = analysis->nr_links ? &analysis->links[analysis->nr_links - 1] : NULL;

	if (start_ns >= end_ns)
		return true;
	if (last && last->process == process) {
		last->start_ns = start_ns;
		return true;
	}
	if (!grow((void **)&analysis->links, analysis->nr_links, &chain->max_links,
		  sizeof(*analysis->links)))
		return false;
	analysis->links[analysis->nr_links++] = (struct t2_link){start_ns, end_ns, process};
	return true;
}

static bool enter(struct chain *chain, uint32_t process, int64_t low_ns, int64_t cursor_ns)
{
	const struct t2_life *lives = chain->work->lives;
	struct frame *frame;

	if (!grow((void **)&chain->frames, chain->nr_frames, &chain->max_frames,
		  sizeof(*chain->frames)))
		return false;
	frame = &chain->frames[chain->nr_frames++];
	*frame = (struct frame){process, low_ns, cursor_ns, chain->nr_items, 0};
	for (uint32_t id = lives[process].first; id; id = lives[id].next) {
		if (lives[id].start_ns < lives[id].end_ns)
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

/* The next child that had ended, or the end of the frame. */
static bool step(struct chain *chain)
{
	struct frame *frame = &chain->frames[chain->nr_frames - 1];
	const struct t2_life *child;
	uint32_t id;

	if (!frame->nr || frame->cursor_ns <= frame->low_ns)
		return leave(chain);
	id = chain->items[frame->first + --frame->nr].value;
	child = &chain->work->lives[id];
	if (child->end_ns > frame->cursor_ns)
		return true;
	if (child->end_ns <= frame->low_ns)
		return leave(chain);
	if (!add_link(chain, frame->process, child->end_ns, frame->cursor_ns))
		return false;
	return enter(chain, id, t2_later(child->start_ns, frame->low_ns), child->end_ns);
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
