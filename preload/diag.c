/* SPDX-License-Identifier: MIT */
#include "preload/diag.h"

#include <stdatomic.h>
#include <string.h>

#include "formatters/errno_text.h"
#include "preload/config.h"
#include "preload/dst.h"
#include "preload/limits.h"
#include "preload/thread.h"

/* Off, until t2_diag_init() has pinned it to what descriptor 2 was. */
static struct t2_dst standard_error;
static atomic_uint nr_said;

void t2_diag_init(void)
{
	if (standard_error.is_known)
		return;
	t2_dst_init(&standard_error, "2");
	t2_dst_identify(&standard_error);
}

bool t2_diag_is_wanted(void)
{
	return t2_config_number(&t2_config, T2_SETTING_DST_DEBUG) > 0;
}

bool t2_diag_begin(struct t2_diag *diag)
{
	if (standard_error.kind == T2_DST_OFF ||
	    atomic_fetch_add(&nr_said, 1) >= T2_WARNINGS_MAX ||
	    t2_pool_claim(&diag->block, T2_WARNING_SIZE, t2_thread_self()))
		return false;
	t2_buf_init(&diag->line, diag->block.mem, T2_WARNING_SIZE - 1);
	t2_buf_put_str(&diag->line, "warning: ");
	return true;
}

void t2_diag_end(struct t2_diag *diag)
{
	struct t2_buf *line = &diag->line;
	size_t len = t2_buf_overflowed(line) ? line->cap : line->len;

	/* A terminal is not to obey what stands in a setting; git does the same. */
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)line->base[i];

		if ((c < ' ' && c != '\t' && c != '\n') || c == 0x7f)
			line->base[i] = '?';
	}
	line->base[len++] = '\n';
	/* Borrowed: whatever comes of it, nothing is remembered, and any thread may. */
	t2_dst_write(&standard_error, "", line->base, len, T2_DST_GUARD_LIMIT | T2_DST_BORROWED);
	t2_pool_release(&diag->block);
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

void t2_diag_dst(const struct t2_dst *dst, const char *name, const char *spec, const char *leaf)
{
	struct t2_diag diag;

	if (!dst->fault || !t2_diag_begin(&diag))
		return;
	put_fault(&diag.line, dst, name, spec, leaf);
	t2_diag_end(&diag);
}
