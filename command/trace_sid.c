/* SPDX-License-Identifier: MIT */
/*
 * Session ids: who is whose child, where and with which pid. They are opaque but for
 * their slashes; what git's form tells beyond that is taken where it is there.
 */
#include "command/trace_build.h"
#include "formatters/scalar_reader.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define COMPONENT_LEN 43 /* YYYYMMDDThhmmss.uuuuuuZ-Hxxxxxxxx-Pxxxxxxxx */

uint64_t t2_sid_hash(const char *sid, size_t len)
{
	return XXH3_64bits(sid, len);
}

/* --- session ids -------------------------------------------------------------- */

static uint32_t find_host(struct t2_builder *builder, const char *name, size_t len)
{
	struct t2_trace *trace = builder->trace;
	const char *kept = t2_strings_keep(&builder->store->strings, name, len);
	uint32_t host = t2_map_get(&builder->host_ids, (uintptr_t)kept);
	void *grown;

	if (host != T2_MAP_NONE)
		return host;
	grown = t2_builder_grow(builder, trace->hosts, trace->nr_hosts, &builder->max_hosts,
				sizeof(*trace->hosts));
	if (!grown)
		return 0;
	trace->hosts = grown;
	host = trace->nr_hosts++;
	trace->hosts[host] = (struct t2_host){.name = kept};
	if (!kept || !t2_map_put(&builder->host_ids, (uintptr_t)kept, host))
		builder->is_out_of_memory = true;
	return host;
}

static int hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* "...-P" and eight digits, as git has it, and as others who know only that. */
static int32_t read_pid(const char *component, size_t len)
{
	uint32_t pid = 0;

	if (len < 10 || memcmp(component + len - 10, "-P", 2) != 0)
		return -1;
	for (size_t i = len - 8; i < len; i++) {
		if (hex_value(component[i]) < 0)
			return -1;
		pid = pid << 4 | (uint32_t)hex_value(component[i]);
	}
	return pid <= INT32_MAX ? (int32_t)pid : -1;
}

/* Between the time's "Z-" and "-P". */
static uint32_t read_host(struct t2_builder *builder, const char *component, size_t len)
{
	const char *dash = memchr(component, '-', len);

	if (!dash || read_pid(component, len) < 0 || component + len - 10 <= dash)
		return find_host(builder, "", 0);
	return find_host(builder, dash + 1, (size_t)(component + len - 10 - dash - 1));
}

/* The time that a session id holds, for sessions that tell no other. */
static int64_t read_sid_time(const char *component, size_t len)
{
	uint64_t ns;
	char text[28];

	if (len != COMPONENT_LEN)
		return T2_NEVER;
	/* YYYYMMDDThhmmss.uuuuuuZ -> YYYY-MM-DDThh:mm:ss.uuuuuuZ */
	memcpy(text, component, 4);
	text[4] = text[7] = '-';
	memcpy(text + 5, component + 4, 2);
	memcpy(text + 8, component + 6, 5);
	text[13] = text[16] = ':';
	memcpy(text + 14, component + 11, 2);
	memcpy(text + 17, component + 13, 10);
	text[27] = '\0';
	if (t2_scalar_to_wall_ns(text, &ns) != T2_SCALAR_OK || ns > (uint64_t)T2_TIME_MAX)
		return T2_NEVER;
	return (int64_t)ns;
}

static uint32_t add_session(struct t2_builder *builder, const char *sid, size_t len, uint64_t hash)
{
	const char *slash = memrchr(sid, '/', len);
	const char *component = slash ? slash + 1 : sid;
	size_t component_len = (size_t)(sid + len - component);
	uint32_t id = t2_builder_add(builder);
	struct t2_process *process;
	struct t2_session *session;

	if (id == T2_NO_PROCESS)
		return id;
	if (!t2_map_put(&builder->store->sids, hash, id))
		builder->is_out_of_memory = true;
	process = &builder->trace->processes[id];
	session = &builder->sessions[id];
	process->sid = t2_builder_keep(builder, component);
	process->pid = read_pid(component, component_len);
	process->host = read_host(builder, component, component_len);
	process->image_ns = read_sid_time(component, component_len);
	if (!slash)
		return id;
	process->parent =
		t2_map_get(&builder->store->sids, t2_sid_hash(sid, (size_t)(slash - sid)));
	if (process->parent != T2_MAP_NONE)
		return id;
	process->parent = T2_ROOT;
	session->prefix = t2_strings_keep(&builder->store->strings, sid, (size_t)(slash - sid));
	if (!session->prefix)
		builder->is_out_of_memory = true;
	return id;
}

uint32_t t2_builder_session(struct t2_builder *builder, const char *sid)
{
	size_t len = strlen(sid);
	uint64_t hash = t2_sid_hash(sid, len);
	uint32_t id = t2_map_get(&builder->store->sids, hash);

	return id != T2_MAP_NONE ? id : add_session(builder, sid, len, hash);
}
