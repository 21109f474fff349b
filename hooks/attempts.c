/* SPDX-License-Identifier: MIT */
#include "hooks/attempts.h"

#include "hooks/notice.h"
#include "preload/buf.h"
#include "preload/thread.h"

/* One attempt: strings, each with its NUL, behind this head: the file, then argv. */
struct attempt {
	size_t size; /* with the strings, rounded up; 0 ends the list */
	int error;
	unsigned nr_args;
	struct t2_moment when;
	char text[];
};

#define ALIGN(size) (((size) + 15) & ~(size_t)15)

static struct attempt *at(struct t2_block *attempts, size_t offset)
{
	return (struct attempt *)(void *)(attempts->mem + offset);
}

static size_t end_of(struct t2_block *attempts)
{
	size_t offset = 0;

	while (at(attempts, offset)->size)
		offset += at(attempts, offset)->size;
	return offset;
}

void t2_attempts_remember(struct t2_block *attempts, const char *exe, const char *const *argv,
			  int error)
{
	struct attempt *attempt;
	struct t2_buf text;
	size_t offset;

	if (!attempts->mem) {
		if (t2_pool_claim(attempts, T2_BLOCK_SIZE, t2_thread_self()))
			return;
		at(attempts, 0)->size = 0;
	}
	offset = end_of(attempts);
	attempt = at(attempts, offset);
	if (attempts->size - offset < 3 * sizeof(*attempt))
		return;
	attempt->error = error;
	attempt->when = t2_clock_now();
	attempt->nr_args = 0;
	/* Behind it a head must fit, to end the list. */
	t2_buf_init(&text, attempt->text, attempts->size - offset - 2 * sizeof(*attempt) - 16);
	t2_buf_put_str(&text, exe);
	t2_buf_put_char(&text, '\0');
	while (argv && argv[attempt->nr_args] && attempt->nr_args < T2_ATTEMPT_ARGS) {
		t2_buf_put_str(&text, argv[attempt->nr_args++]);
		t2_buf_put_char(&text, '\0');
	}
	if (t2_buf_overflowed(&text))
		return;
	at(attempts, offset + ALIGN(sizeof(*attempt) + text.len))->size = 0;
	attempt->size = ALIGN(sizeof(*attempt) + text.len);
}

static void tell(const struct attempt *attempt, struct t2_stream *stream, const char *thread_name)
{
	const char *argv[T2_ATTEMPT_ARGS + 1];
	const char *next = attempt->text;

	for (unsigned i = 0; i < attempt->nr_args; i++) {
		while (*next++)
			;
		argv[i] = next;
	}
	argv[attempt->nr_args] = NULL;
	t2_notice_exec_failed(stream, thread_name, attempt->text, argv, attempt->when,
			      attempt->error);
}

void t2_attempts_tell(struct t2_block *attempts, struct t2_stream *stream, const char *thread_name)
{
	size_t offset = 0;

	if (!attempts->mem)
		return;
	for (; at(attempts, offset)->size; offset += at(attempts, offset)->size)
		tell(at(attempts, offset), stream, thread_name);
	t2_pool_release(attempts);
}
