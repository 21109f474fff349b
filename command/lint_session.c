/* SPDX-License-Identifier: MIT */
/*
 * What events mean for their sessions: ids that fit together, and the order of
 * things.
 *
 * A child announces itself in its parent's name, perhaps in a file that is read
 * before the parent's. So child_start may come late, and what never fits is only
 * known at the end.
 */
#include "command/grow.h"
#include "command/lint_build.h"
#include "command/source.h"
#include "preload/event.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The two clocks of an event are read one after the other, and a busy machine may
 * do something else in between. */
#define STEP_NS INT64_C(500000000)

#define LOST_PREFIX "lost lines:"

static void *grow(struct t2_lint *lint, void *array, uint32_t nr, uint32_t *max, size_t size)
{
	void *larger = t2_grow(array, nr, max, size);

	if (!larger)
		lint->is_out_of_memory = true;
	return larger;
}

static struct t2_lint_session *find_session(struct t2_lint *lint, const char *sid)
{
	size_t len = strlen(sid);
	uint64_t hash = XXH3_64bits(sid, len);
	uint32_t at = t2_map_get(&lint->session_ids, hash);
	void *grown;

	if (at != T2_MAP_NONE)
		return &lint->sessions[at];
	grown = grow(lint, lint->sessions, lint->nr_sessions, &lint->max_sessions,
		     sizeof(*lint->sessions));
	if (!grown)
		return NULL;
	lint->sessions = grown;
	at = lint->nr_sessions;
	lint->sessions[at] = (struct t2_lint_session){
		.sid = t2_strings_keep(&lint->strings, sid, len),
		.file = lint->file,
		.line = lint->line->number,
		.origin_ns = T2_NO_TIME,
		.last_ns = T2_NO_TIME,
		.is_announced_only = true,
	};
	if (!lint->sessions[at].sid || !t2_map_put(&lint->session_ids, hash, at)) {
		lint->is_out_of_memory = true;
		return NULL;
	}
	lint->nr_sessions++;
	return &lint->sessions[at];
}

/* The item of that kind with that id, or for threads and regions with that name. */
static struct t2_lint_item *find_item(struct t2_lint *lint, const struct t2_lint_session *session,
				      enum t2_lint_item_kind kind, int64_t id, const char *name)
{
	const uint64_t key[] = {(uint64_t)(session - lint->sessions), kind, (uint64_t)id,
				name ? XXH3_64bits(name, strlen(name)) : 0};
	uint64_t hash = XXH3_64bits(key, sizeof(key));
	uint32_t at = t2_map_get(&lint->item_ids, hash);
	void *grown;

	if (at != T2_MAP_NONE)
		return &lint->items[at];
	grown = grow(lint, lint->items, lint->nr_items, &lint->max_items, sizeof(*lint->items));
	if (!grown)
		return NULL;
	lint->items = grown;
	at = lint->nr_items;
	lint->items[at] = (struct t2_lint_item){
		.kind = kind,
		.session = (uint32_t)key[0],
		.id = id,
		.file = lint->file,
		.line = lint->line->number,
	};
	if (!t2_map_put(&lint->item_ids, hash, at)) {
		lint->is_out_of_memory = true;
		return NULL;
	}
	lint->nr_items++;
	return &lint->items[at];
}

static uint64_t killed_key(const char *sid, size_t len, int64_t pid)
{
	return XXH3_64bits_withSeed(sid, len, (uint64_t)pid);
}

/* --- beginning and end -------------------------------------------------------- */

static void take_version(struct t2_lint *lint, struct t2_lint_session *session,
			 const struct t2_event *event)
{
	const char *evt = event->u.version.evt;

	if (session->has_version)
		t2_lint_error(lint, T2_LINT_REPEATED, "the session begins again: %s", session->sid);
	else if (!session->is_announced_only)
		t2_lint_error(lint, T2_LINT_ORDER, "version is not the first event of %s",
			      session->sid);
	session->has_version = true;
	if (evt && (strlen(evt) != 1 || *evt < '1' || *evt > '4'))
		t2_lint_warning(lint, T2_LINT_EVENT, "evt %s is not known", evt);
}

static void take_start(struct t2_lint *lint, struct t2_lint_session *session)
{
	if (session->has_start)
		t2_lint_error(lint, T2_LINT_REPEATED, "a second start of %s", session->sid);
	session->has_start = true;
}

/*
 * A child that begins writes in the name of its parent, which may be over by then, or in
 * a file that is read later; child_start with a time that was before.
 */
static bool is_of_a_child(const struct t2_event *event)
{
	return event->kind == T2_EVENT_CHILD_START || event->kind == T2_EVENT_CHILD_READY;
}

/* git forks processes that go on under the id of their parent. */
static void check_after_end(struct t2_lint *lint, struct t2_lint_session *session,
			    const struct t2_event *event)
{
	if (!session->has_atexit || is_of_a_child(event) || session->is_after_end_told)
		return;
	session->is_after_end_told = true;
	t2_lint_warning(lint, T2_LINT_ORDER, "%s after atexit of %s", lint->reader.name,
			session->sid);
}

/* --- clocks ------------------------------------------------------------------- */

static void check_clock(struct t2_lint *lint, struct t2_lint_session *session,
			const struct t2_event *event)
{
	int64_t step = 0;

	if (event->wall_ns == T2_NO_TIME || is_of_a_child(event))
		return;
	if (event->abs_ns != T2_NO_TIME) {
		uint64_t origin_ns = event->wall_ns - event->abs_ns;

		if (session->origin_ns != T2_NO_TIME)
			step = (int64_t)(origin_ns - session->origin_ns);
		if (session->origin_ns == T2_NO_TIME || step > STEP_NS || step < -STEP_NS)
			session->origin_ns = origin_ns;
	} else if (session->last_ns != T2_NO_TIME && event->wall_ns < session->last_ns) {
		step = (int64_t)(event->wall_ns - session->last_ns);
		if (step < -STEP_NS && session->origin_ns != T2_NO_TIME)
			session->origin_ns += (uint64_t)step;
	}
	session->last_ns = event->wall_ns;
	if (step > STEP_NS || step < -STEP_NS)
		t2_lint_warning(lint, T2_LINT_CLOCK, "the clock went %s by %" PRId64 " ms in %s",
				step < 0 ? "back" : "ahead", (step < 0 ? -step : step) / 1000000,
				session->sid);
}

static void check_time(struct t2_lint *lint, struct t2_lint_session *session,
		       const struct t2_event *event)
{
	if (event->wall_ns == T2_NO_TIME && !session->is_brief_told) {
		session->is_brief_told = true;
		t2_lint_warning(lint, T2_LINT_BRIEF, "%s has no time (written briefly?)",
				lint->reader.name);
	}
	check_clock(lint, session, event);
}

/* --- children, execs, threads, regions ---------------------------------------- */

static void take_child_start(struct t2_lint *lint, struct t2_lint_session *session, int64_t id)
{
	struct t2_lint_item *item;

	item = id != T2_NO_NUMBER ? find_item(lint, session, T2_LINT_CHILD, id, NULL) : NULL;
	if (!item)
		return;
	if (item->is_started)
		t2_lint_error(lint, T2_LINT_REPEATED, "a second child_start with child_id %" PRId64,
			      id);
	item->is_started = true;
}

static void take_child_end(struct t2_lint *lint, struct t2_lint_session *session,
			   const struct t2_event *event)
{
	bool is_exit = event->kind == T2_EVENT_CHILD_EXIT;
	int64_t id = is_exit ? event->u.child_exit.child_id : event->u.child_ready.child_id;
	struct t2_lint_item *item;

	if (id == T2_NO_NUMBER)
		return;
	item = find_item(lint, session, T2_LINT_CHILD, id, NULL);
	if (!item)
		return;
	if (item->is_ended && is_exit)
		t2_lint_error(lint, T2_LINT_REPEATED, "a second child_exit with child_id %" PRId64,
			      id);
	item->is_ended = true;
	if (!item->is_started) {
		item->file = lint->file;
		item->line = lint->line->number;
	}
	if (is_exit && event->u.child_exit.code >= 128 &&
	    !t2_map_put(&lint->killed,
			killed_key(session->sid, strlen(session->sid), event->u.child_exit.pid), 1))
		lint->is_out_of_memory = true;
}

static void take_exec(struct t2_lint *lint, struct t2_lint_session *session, int64_t id)
{
	struct t2_lint_item *item;

	item = id != T2_NO_NUMBER ? find_item(lint, session, T2_LINT_EXEC, id, NULL) : NULL;
	session->has_open_exec = true;
	if (!item)
		return;
	if (item->is_started)
		t2_lint_error(lint, T2_LINT_REPEATED, "a second exec with exec_id %" PRId64, id);
	item->is_started = true;
}

static void take_exec_result(struct t2_lint *lint, struct t2_lint_session *session, int64_t id)
{
	struct t2_lint_item *item;

	item = id != T2_NO_NUMBER ? find_item(lint, session, T2_LINT_EXEC, id, NULL) : NULL;
	session->has_open_exec = false;
	if (item && !item->is_started)
		t2_lint_error(lint, T2_LINT_UNMATCHED, "exec_result without exec, exec_id %" PRId64,
			      id);
}

static void take_thread(struct t2_lint *lint, struct t2_lint_session *session,
			const struct t2_event *event)
{
	struct t2_lint_item *item;

	if (!event->thread)
		return;
	item = find_item(lint, session, T2_LINT_THREAD, 0, event->thread);
	if (!item)
		return;
	if (event->kind == T2_EVENT_THREAD_START) {
		if (item->is_started)
			t2_lint_error(lint, T2_LINT_REPEATED, "a second thread_start of %s",
				      event->thread);
		item->is_started = true;
		return;
	}
	if (!item->is_started)
		t2_lint_error(lint, T2_LINT_UNMATCHED, "thread_exit without thread_start: %s",
			      event->thread);
}

static void take_region(struct t2_lint *lint, struct t2_lint_session *session,
			const struct t2_event *event)
{
	bool is_enter = event->kind == T2_EVENT_REGION_ENTER;
	struct t2_lint_item *item;

	if (!event->thread)
		return;
	item = find_item(lint, session, T2_LINT_REGIONS, 0, event->thread);
	if (!item)
		return;
	if (is_enter && event->nesting != item->open + 1)
		t2_lint_warning(lint, T2_LINT_ORDER,
				"region_enter with nesting %d, with %d regions open",
				event->nesting, item->open);
	else if (!is_enter && !item->open)
		t2_lint_error(lint, T2_LINT_UNMATCHED, "region_leave without region_enter: %s",
			      event->u.region.label ? event->u.region.label : "(no label)");
	else if (!is_enter && event->nesting != item->open)
		t2_lint_warning(lint, T2_LINT_ORDER,
				"region_leave with nesting %d, with %d regions open",
				event->nesting, item->open);
	item->open = is_enter ? event->nesting : event->nesting - 1;
}

/* --- losses ------------------------------------------------------------------- */

static void check_lost(struct t2_lint *lint, const struct t2_event *event)
{
	const char *digits = NULL;
	uint64_t nr;

	if (event->kind == T2_EVENT_DATA_JSON && event->u.data_json.value &&
	    event->u.data_json.category && !strcmp(event->u.data_json.category, "t2shim") &&
	    event->u.data_json.key && !strcmp(event->u.data_json.key, "lost"))
		digits = strpbrk(event->u.data_json.value, "0123456789");
	else if (event->kind == T2_EVENT_PRINTF && event->u.printf.msg &&
		 !strncmp(event->u.printf.msg, LOST_PREFIX, strlen(LOST_PREFIX)))
		digits = event->u.printf.msg + strlen(LOST_PREFIX);
	if (!digits)
		return;
	nr = strtoull(digits, NULL, 10);
	lint->stats.nr_lost += nr;
	t2_lint_error(lint, T2_LINT_LOST, "%" PRIu64 " lines before this one were lost", nr);
}

/* --- all of it ---------------------------------------------------------------- */

static void take(struct t2_lint *lint, struct t2_lint_session *session,
		 const struct t2_event *event)
{
	switch ((int)event->kind) {
	case T2_EVENT_VERSION:
		take_version(lint, session, event);
		break;
	case T2_EVENT_START:
		take_start(lint, session);
		break;
	case T2_EVENT_EXIT:
	case T2_EVENT_SIGNAL:
		session->has_end = true;
		break;
	case T2_EVENT_ATEXIT:
		session->has_end = session->has_atexit = true;
		break;
	case T2_EVENT_CHILD_START:
		take_child_start(lint, session, event->u.child_start.child_id);
		break;
	case T2_EVENT_CHILD_EXIT:
	case T2_EVENT_CHILD_READY:
		take_child_end(lint, session, event);
		break;
	case T2_EVENT_EXEC:
		take_exec(lint, session, event->u.exec.exec_id);
		break;
	case T2_EVENT_EXEC_RESULT:
		take_exec_result(lint, session, event->u.exec_result.exec_id);
		break;
	case T2_EVENT_THREAD_START:
	case T2_EVENT_THREAD_EXIT:
		take_thread(lint, session, event);
		break;
	case T2_EVENT_REGION_ENTER:
	case T2_EVENT_REGION_LEAVE:
		take_region(lint, session, event);
		break;
	default:
		check_lost(lint, event);
	}
}

bool t2_lint_event(struct t2_lint *lint, const struct t2_event *event)
{
	struct t2_lint_session *session = find_session(lint, event->sid);

	if (!session)
		return false;
	check_time(lint, session, event);
	check_after_end(lint, session, event);
	take(lint, session, event);
	/* git tells of a target that fails before it has told anything else. */
	if (!is_of_a_child(event) && event->kind != T2_EVENT_ERROR)
		session->is_announced_only = false;
	return !lint->is_out_of_memory;
}

/* --- what only the end shows -------------------------------------------------- */

/* Whether a parent, or whoever was its parent before an exec, told of its death. */
static bool is_killed(const struct t2_lint *lint, const char *sid)
{
	size_t len = strlen(sid);
	const char *pid = len > 10 ? sid + len - 8 : "";
	char *end;
	int64_t number = (int64_t)strtoull(pid, &end, 16);

	if (!*pid || *end || pid[-1] != 'P')
		return false;
	while (len) {
		if (sid[--len] == '/' &&
		    t2_map_get(&lint->killed, killed_key(sid, len, number)) != T2_MAP_NONE)
			return true;
	}
	return false;
}

static void finish_session(struct t2_lint *lint, const struct t2_lint_session *session)
{
	if (!session->has_version && !session->is_announced_only)
		t2_lint_at(lint, session->file, session->line, false, T2_LINT_NO_BEGINNING,
			   "no version of %s", session->sid);
	else if (session->has_version && !session->has_start)
		t2_lint_at(lint, session->file, session->line, false, T2_LINT_NO_BEGINNING,
			   "no start of %s", session->sid);
	if (session->has_version && !session->has_end && !session->has_open_exec &&
	    !is_killed(lint, session->sid))
		t2_lint_at(lint, session->file, session->line, false, T2_LINT_NO_END,
			   "no end of %s", session->sid);
}

static void finish_item(struct t2_lint *lint, const struct t2_lint_item *item)
{
	const struct t2_lint_session *session = &lint->sessions[item->session];

	if (item->kind != T2_LINT_CHILD)
		return;
	if (item->is_ended && !item->is_started)
		t2_lint_at(lint, item->file, item->line, true, T2_LINT_UNMATCHED,
			   "child_exit without child_start, child_id %" PRId64 " of %s", item->id,
			   session->sid);
	else if (!item->is_ended && session->has_atexit)
		t2_lint_at(lint, item->file, item->line, false, T2_LINT_NO_END,
			   "no end of child %" PRId64 " of %s", item->id, session->sid);
}

void t2_lint_finish(struct t2_lint *lint)
{
	for (uint32_t i = 0; i < lint->nr_sessions; i++)
		finish_session(lint, &lint->sessions[i]);
	for (uint32_t i = 0; i < lint->nr_items; i++)
		finish_item(lint, &lint->items[i]);
}
