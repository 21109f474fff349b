/* SPDX-License-Identifier: MIT */
/*
 * Keys that readers insist on, as trace2receiver does; what git itself leaves out
 * at times is not among them.
 */
#include "command/lint_build.h"
#include "command/source.h"
#include "preload/event.h"

#include <stdio.h>
#include <string.h>

/* Each with a blank on both sides. */
static const char *const required[T2_EVENT_NR] = {
	[T2_EVENT_VERSION] = " evt exe ",
	[T2_EVENT_START] = " argv ",
	[T2_EVENT_EXIT] = " code ",
	[T2_EVENT_ATEXIT] = " code ",
	[T2_EVENT_SIGNAL] = " signo ",
	[T2_EVENT_CMD_PATH] = " path ",
	[T2_EVENT_CMD_ANCESTRY] = " ancestry ",
	[T2_EVENT_CMD_NAME] = " name hierarchy ",
	[T2_EVENT_CMD_MODE] = " name ",
	[T2_EVENT_ALIAS] = " alias argv ",
	[T2_EVENT_CHILD_START] = " child_id child_class use_shell argv ",
	[T2_EVENT_CHILD_EXIT] = " child_id pid code ",
	[T2_EVENT_CHILD_READY] = " child_id pid ready ",
	[T2_EVENT_EXEC] = " exec_id argv ",
	[T2_EVENT_EXEC_RESULT] = " exec_id code ",
	[T2_EVENT_DEF_PARAM] = " param ",
	[T2_EVENT_DEF_REPO] = " repo worktree ",
	[T2_EVENT_REGION_ENTER] = " nesting ",
	[T2_EVENT_REGION_LEAVE] = " nesting ",
	[T2_EVENT_DATA] = " nesting category key value ",
	[T2_EVENT_DATA_JSON] = " nesting category key value ",
	[T2_EVENT_TH_TIMER] = " category name intervals t_total t_min t_max ",
	[T2_EVENT_TIMER] = " category name intervals t_total t_min t_max ",
	[T2_EVENT_TH_COUNTER] = " category name count ",
	[T2_EVENT_COUNTER] = " category name count ",
};

/* The reader has a value for these where there is none, so the text has to tell. */
static bool stands_in_line(const struct t2_line *line, const char *key)
{
	char quoted[32];
	int len = snprintf(quoted, sizeof(quoted), "\"%s\"", key);

	return memmem(line->text, line->len, quoted, (size_t)len);
}

static bool is_present(const struct t2_line *line, const struct t2_field *field, const void *at)
{
	switch (field->type) {
	case T2_FIELD_STRING:
	case T2_FIELD_TEXT:
	case T2_FIELD_ARGUMENT:
	case T2_FIELD_JSON:
		return *(const char *const *)at;
	case T2_FIELD_LIST:
		return *(const char *const *const *)at;
	case T2_FIELD_NUMBER:
		return *(const int64_t *)at != T2_NO_NUMBER;
	case T2_FIELD_TIME:
		return *(const uint64_t *)at != T2_NO_TIME;
	case T2_FIELD_INT:
	case T2_FIELD_BOOL:
		return stands_in_line(line, field->name);
	}
	return true;
}

static bool is_required(const char *keys, const char *name)
{
	char word[32];

	snprintf(word, sizeof(word), " %s ", name);
	return strstr(keys, word);
}

/* Readers take the program's name from there, and some fall over it. */
static void check_argv(struct t2_lint *lint, const char *name, const char *const *argv)
{
	if (argv && !*argv)
		t2_lint_error(lint, T2_LINT_KEY, "%s has an empty argv", name);
}

void t2_lint_keys(struct t2_lint *lint, const struct t2_event *event)
{
	const struct t2_event_desc *desc = &t2_event_descs[event->kind];
	const char *keys = required[event->kind];

	for (const struct t2_field *field = desc->fields; keys && field->name[0]; field++) {
		if (is_required(keys, field->name) &&
		    !is_present(lint->line, field, (const char *)event + field->offset))
			t2_lint_error(lint, T2_LINT_KEY, "%s has no %s", desc->name, field->name);
	}
	if (event->kind == T2_EVENT_START)
		check_argv(lint, desc->name, event->u.start.argv);
	else if (event->kind == T2_EVENT_CHILD_START)
		check_argv(lint, desc->name, event->u.child_start.argv);
	else if (event->kind == T2_EVENT_ERROR && !event->u.error.msg != !event->u.error.fmt)
		t2_lint_error(lint, T2_LINT_KEY, "error has no %s",
			      event->u.error.msg ? "fmt" : "msg");
}
