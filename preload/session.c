/* SPDX-License-Identifier: MIT */
#include "preload/session.h"

#include <string.h>

#include "preload/buf.h"
#include "preload/civil.h"
#include "preload/sha1.h"
#include "preload/str.h"
#include "preload/sys.h"

static int count_slashes(const char *str, size_t len)
{
	const char *end = str + len;
	int nr = 0;

	while ((str = memchr(str, '/', (size_t)(end - str)))) {
		str++;
		nr++;
	}
	return nr;
}

/* @list without its middle, see move_bounded(). */
static T2_RARE void move_ends(struct t2_buf *out, const char *list, size_t len, size_t max,
			      unsigned max_parts)
{
	size_t head = 0, tail = len;
	unsigned head_parts = 0, tail_parts = 0;

	for (size_t i = 0; i < max / 4 && head_parts < max_parts / 4; i++) {
		if (list[i] != '/')
			continue;
		head = i + 1;
		head_parts++;
	}
	for (size_t i = len; i-- && len - i + head <= max && tail_parts + head_parts < max_parts;) {
		if (list[i] != '/')
			continue;
		tail = i + 1;
		tail_parts++;
	}
	t2_buf_move(out, list, head);
	/* One part alone that is too long: its end tells more than nothing. */
	t2_buf_move(out, tail < len ? list + tail : list + len - max / 2,
		    tail < len ? len - tail : max / 2);
}

/*
 * Copy the '/'-separated @list, leaving out the middle if it is longer than
 * @max bytes or @max_parts parts: as many of the last parts as fit stay, and of
 * the first ones half as much.
 */
static void move_bounded(struct t2_buf *out, const char *list, size_t max, unsigned max_parts)
{
	size_t len = strlen(list);

	if (len <= max && 1U + (unsigned)count_slashes(list, len) <= max_parts)
		t2_buf_move(out, list, len);
	else
		move_ends(out, list, len, max, max_parts);
}

static bool is_host_hash(const char *host)
{
	if (*host++ != 'H')
		return false;
	for (int i = 0; i < 8; i++, host++) {
		if (!(*host >= '0' && *host <= '9') && !(*host >= 'a' && *host <= 'f'))
			return false;
	}
	return true;
}

/* "Hxxxxxxxx" or "Localhost", both of nine bytes, of the parent's last component; or NULL. */
static const char *inherited_host(const char *parent_sid, size_t *ret_len)
{
	const char *last = t2_str_base_name(parent_sid);
	const char *host = last + sizeof("20261120T170652.372883Z-") - 1;

	if (strlen(last) < T2_SID_COMPONENT_LEN || host[-1] != '-' ||
	    !t2_str_starts_with(host + 9, "-P") ||
	    !(is_host_hash(host) || t2_str_starts_with(host, "Localhost")))
		return NULL;
	*ret_len = 9;
	return host;
}

/* The first process of a tree. */
static T2_RARE void put_own_host(struct t2_buf *out)
{
	struct utsname name;

	if (t2_sys_uname(&name) < 0) {
		t2_buf_put_str(out, "Localhost");
	} else {
		t2_buf_put_char(out, 'H');
		t2_buf_put_hex(out, t2_sha1_head(name.nodename, strlen(name.nodename)), 8);
	}
}

static void put_host(struct t2_buf *out, const char *parent_sid)
{
	size_t len;
	const char *host = inherited_host(parent_sid, &len);

	if (host)
		t2_buf_put(out, host, len);
	else
		put_own_host(out);
}

static void put_component(struct t2_buf *out, const char *parent_sid, pid_t pid,
			  struct t2_moment start)
{
	t2_civil_put_compact(out, start.wall_ns);
	t2_buf_put_char(out, '-');
	put_host(out, parent_sid);
	t2_buf_put_str(out, "-P");
	t2_buf_put_hex(out, (uint32_t)pid, 8);
}

static void begin_sid(struct t2_session *session, const char *parent_sid, pid_t pid,
		      struct t2_moment start)
{
	char component[T2_SID_COMPONENT_LEN + 1];
	struct t2_buf own, sid;

	/* First the component: the parent's id may be the one written over. */
	t2_buf_init(&own, component, sizeof(component) - 1);
	put_component(&own, parent_sid, pid, start);

	t2_buf_init(&sid, session->sid_entry, sizeof(session->sid_entry) - 1);
	t2_buf_put_str(&sid, T2_PARENT_SID_VAR "=");
	if (*parent_sid) {
		move_bounded(&sid, parent_sid, T2_SID_MAX, T2_SID_COMPONENTS_MAX - 1);
		t2_buf_put_char(&sid, '/');
	}
	session->depth = count_slashes(session->sid_entry, sid.len);
	session->leaf = sid.len;
	t2_buf_put(&sid, component, T2_SID_COMPONENT_LEN);
	session->sid_entry[sid.len] = '\0';
}

static void begin_name(struct t2_session *session, const char *parent_name, const char *name)
{
	struct t2_buf entry;
	size_t len = strlen(name);

	t2_buf_init(&entry, session->name_entry, sizeof(session->name_entry) - 1);
	t2_buf_put_str(&entry, T2_PARENT_NAME_VAR "=");
	if (*parent_name) {
		move_bounded(&entry, parent_name, T2_HIERARCHY_MAX, T2_SID_COMPONENTS_MAX);
		t2_buf_put_char(&entry, '/');
	}
	t2_buf_put(&entry, name, len < T2_NAME_MAX ? len : T2_NAME_MAX);
	session->name_entry[entry.len] = '\0';
}

void t2_session_begin(struct t2_session *session, const char *parent_sid, const char *parent_name,
		      const char *name, pid_t pid, struct t2_moment start)
{
	begin_sid(session, parent_sid ? parent_sid : "", pid, start);
	begin_name(session, parent_name ? parent_name : "", name);
	session->pid = pid;
	session->start = start;
	session->is_foreign = false;
	atomic_store(&session->next_child_id, 0);
	atomic_store(&session->next_exec_id, 0);
	atomic_store(&session->next_thread_id, 1);
	atomic_store(&session->next_repo_id, 1);
	atomic_store(&session->has_exit, false);
	atomic_store(&session->has_ended, false);
	atomic_store(&session->has_died, false);
}

void t2_session_add_name(struct t2_session *session, const char *name)
{
	size_t used = strlen(session->name_entry);
	size_t len = strlen(name);

	if (used + 1 + len >= sizeof(session->name_entry))
		return;
	/* A child that is being handed the entry meanwhile sees the old name or
	 * the new one: the new end first, then what joins them. */
	memcpy(session->name_entry + used + 1, name, len + 1);
	session->name_entry[used] = '/';
}
