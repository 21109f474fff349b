/* SPDX-License-Identifier: MIT */
#include "preload/diag.h"

#include <stdatomic.h>
#include <string.h>

#include "formatters/errno_text.h"
#include "formatters/format.h"
#include "preload/buf.h"
#include "preload/config.h"
#include "preload/dst.h"
#include "preload/emit.h"
#include "preload/limits.h"
#include "preload/pool.h"
#include "preload/str.h"
#include "preload/sys.h"
#include "preload/thread.h"

/* Off, until it has been pinned to what descriptor 2 was at the start. */
static struct t2_dst standard_error;
static atomic_uint nr_said;

/* One warning being made. */
struct warning {
	struct t2_block block;
	struct t2_buf line;
};

/* Whether GIT_TRACE2_DST_DEBUG asks for warnings. */
static bool is_wanted(void)
{
	return t2_config_number(&t2_config, T2_SETTING_DST_DEBUG) > 0;
}

static T2_RARE void pin_standard_error(void)
{
	if (standard_error.is_known)
		return;
	t2_dst_init(&standard_error, "2");
	if (t2_dst_identify(&standard_error))
		standard_error.kind = T2_DST_OFF;
}

/* False: it would not be seen. */
static bool begin(struct warning *warning)
{
	if (standard_error.kind == T2_DST_OFF || atomic_fetch_add(&nr_said, 1) >= T2_WARNINGS_MAX ||
	    t2_pool_claim(&warning->block, T2_WARNING_SIZE, t2_thread_self()))
		return false;
	t2_buf_init(&warning->line, warning->block.mem, T2_WARNING_SIZE - 1);
	t2_buf_put_str(&warning->line, "warning: ");
	return true;
}

/* Say it as one line with one write. */
static void end(struct warning *warning)
{
	struct t2_buf *line = &warning->line;
	size_t len = t2_buf_overflowed(line) ? line->cap : line->len;

	/* A terminal is not to obey what stands in a setting; git does the same. */
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)line->base[i];

		if ((c < ' ' && c != '\t' && c != '\n') || c == 0x7f)
			line->base[i] = '?';
	}
	line->base[len++] = '\n';
	/* Borrowed: whatever comes of it, nothing is remembered, and any thread may. */
	t2_dst_write(&standard_error, &(struct t2_dst_batch){
					      .leaf = "",
					      .text = line->base,
					      .len = len,
					      .mode = T2_DST_GUARD_LIMIT | T2_DST_BORROWED,
				      });
	t2_pool_release(&warning->block);
}

/* The file that was to be opened; of one in a directory without ".N". */
static void put_path(struct t2_buf *line, const struct t2_dst *dst, const char *leaf)
{
	size_t len = strlen(dst->path);

	t2_buf_put(line, dst->path, len);
	if (dst->was != T2_DST_DIRECTORY)
		return;
	if (dst->path[len - 1] != '/')
		t2_buf_put_char(line, '/');
	t2_buf_put_str(line, leaf);
}

static void put_tracing(struct t2_buf *line, const char *name)
{
	t2_buf_put_str(line, "' for '");
	t2_buf_put_str(line, name);
	t2_buf_put_str(line, "' tracing");
}

static void put_error(struct t2_buf *line, const struct t2_dst *dst)
{
	t2_buf_put_str(line, ": ");
	t2_errno_text_put(line, -(int64_t)dst->error);
}

static void put_fault(struct t2_buf *line, const struct t2_dst *dst, const char *name,
		      const char *spec, const char *leaf)
{
	switch (dst->fault) {
	case T2_DST_NO_FAULT:
		break;
	case T2_DST_BAD_VALUE:
		t2_buf_put_str(line, "trace2: unknown value for '");
		t2_buf_put_str(line, name);
		t2_buf_put_str(line, "': '");
		t2_buf_put_str(line, spec);
		t2_buf_put_str(line, "'");
		break;
	case T2_DST_BAD_ADDRESS:
		t2_buf_put_str(line, "trace2: invalid AF_UNIX value '");
		t2_buf_put_str(line, spec);
		put_tracing(line, name);
		break;
	case T2_DST_BAD_PATH:
		t2_buf_put_str(line, "trace2: invalid AF_UNIX path '");
		t2_buf_put_str(line, dst->path);
		put_tracing(line, name);
		break;
	case T2_DST_NOT_OPENED:
		t2_buf_put_str(line, "trace2: could not open '");
		put_path(line, dst, leaf);
		put_tracing(line, name);
		put_error(line, dst);
		break;
	case T2_DST_NOT_CONNECTED:
		t2_buf_put_str(line, "trace2: could not connect to socket '");
		t2_buf_put_str(line, dst->path);
		put_tracing(line, name);
		put_error(line, dst);
		break;
	case T2_DST_NOT_WRITTEN:
		t2_buf_put_str(line, "unable to write trace to '");
		t2_buf_put_str(line, name);
		t2_buf_put_str(line, "'");
		put_error(line, dst);
		break;
	case T2_DST_OVERLOADED:
		t2_buf_put_str(line, "trace2: not opening ");
		t2_buf_put_str(line, name);
		t2_buf_put_str(line, " trace file due to too many files in target directory ");
		t2_buf_put_str(line, dst->path);
		break;
	}
}

static T2_RARE void warn_of(const struct t2_stream *stream, int target)
{
	const struct t2_dst *dst = &stream->dst[target];
	const enum t2_setting setting = t2_formats[target]->target;
	struct warning warning;

	if (!dst->fault || !begin(&warning))
		return;
	put_fault(&warning.line, dst, t2_setting_names[setting],
		  t2_config_value(&t2_config, setting), t2_session_leaf(&stream->session));
	end(&warning);
}

void t2_diag_target(const struct t2_stream *stream, int target)
{
	if (is_wanted())
		warn_of(stream, target);
}

bool t2_diag_is_due(const struct t2_stream *stream)
{
	bool is_due = is_wanted();

	for (int i = 0; i < T2_FORMAT_NR; i++)
		is_due = is_due || stream->dst[i].fault;
	return is_due;
}

/*
 * Whether to tell of a value that is no destination, as git always does. But git
 * is not every process of a build: only the first one tells, and where nothing is
 * on, so that all are first, only what a shell started as a job of its own.
 */
static T2_RARE bool tells_bad_values(const struct t2_stream *stream)
{
	bool is_on = false;

	for (int i = 0; i < T2_FORMAT_NR; i++)
		is_on = is_on || stream->dst[i].kind != T2_DST_OFF;
	return t2_config.is_first && (is_on || t2_sys_getpgid() == t2_sys_getpid());
}

static T2_RARE void warn_of_configuration(void)
{
	const char *redact = t2_config_value(&t2_config, T2_SETTING_REDACT);
	struct warning warning;

	if (t2_config.fault && begin(&warning)) {
		t2_buf_put_str(&warning.line, "trace2: ");
		t2_buf_put_str(&warning.line, t2_config.fault);
		end(&warning);
	}
	if (redact && *redact && t2_str_to_bool(redact) < 0 && begin(&warning)) {
		t2_buf_put_str(&warning.line, "trace2: bad boolean environment value '");
		t2_buf_put_str(&warning.line, redact);
		t2_buf_put_str(&warning.line, "' for 'GIT_TRACE2_REDACT'");
		end(&warning);
	}
}

void t2_diag_settings(const struct t2_stream *stream)
{
	const bool tells_all = is_wanted();
	bool tells_values = tells_all;

	for (int i = 0; i < T2_FORMAT_NR && !tells_values; i++)
		tells_values = stream->dst[i].fault == T2_DST_BAD_VALUE && tells_bad_values(stream);
	if (!tells_values)
		return;
	pin_standard_error();
	if (tells_all)
		warn_of_configuration();
	for (int i = 0; i < T2_FORMAT_NR; i++) {
		if (tells_all || stream->dst[i].fault == T2_DST_BAD_VALUE)
			warn_of(stream, i);
	}
}
