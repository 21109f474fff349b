/* SPDX-License-Identifier: MIT */
#include "check.h"
#include "match.h"
#include "report.h"

#include <stdlib.h>
#include <string.h>

#define SID_MAX 4096
#define SID_COMPONENTS_MAX 64

static size_t count_components(const char *sid)
{
	size_t nr = 1;

	for (; *sid; sid++)
		nr += *sid == '/';
	return nr;
}

/* Is @told what remains of @real, the middle of which may be left out if it is too long? */
static bool continues(const char *told, const char *real)
{
	size_t head = strcspn(real, "/");

	if (!strcmp(told, real))
		return true;
	if (count_components(real) < SID_COMPONENTS_MAX && strlen(real) <= SID_MAX)
		return false;
	return !strncmp(told, real, head) && count_components(told) < SID_COMPONENTS_MAX &&
	       strlen(told) <= SID_MAX && !strcmp(t2_text_base(told), t2_text_base(real));
}

/* The file of an unread program may have been a script with any interpreter. */
static bool is_script_argv(const struct t2_image *image, const struct t2_vec *told)
{
	const struct t2_record *exec = image->exec;
	const char *path;

	if (!image->is_unread || !exec->u.exec.path || told->nr <= image->argv.nr ||
	    told->nr > image->argv.nr + 2)
		return false;
	path = t2_text_valid_utf8(exec->u.exec.path, strlen(exec->u.exec.path));
	if (strcmp(told->at[told->nr - image->argv.nr], path))
		return false;
	for (size_t i = 1; i < image->argv.nr; i++)
		if (strcmp(told->at[told->nr - image->argv.nr + i], image->argv.at[i]))
			return false;
	return true;
}

static bool is_loaded_argv(const struct t2_image *image, const struct t2_vec *told)
{
	struct t2_vec rest = image->argv;

	if (!image->is_loader || !told->nr || told->nr > rest.nr)
		return false;
	rest.at += rest.nr - told->nr;
	rest.nr = told->nr;
	return t2_vec_equals(&rest, told);
}

/* Children of an unread script have its argv: the one told, if it can be right. */
static void check_argv(struct t2_image *image, const struct t2_told *start)
{
	const struct t2_vec *real = t2_image_argv(image);
	struct t2_vec told = {0};

	t2_told_list(start, "argv", &told);
	if (image->exec && (is_script_argv(image, &told) || is_loaded_argv(image, &told)))
		image->argv = told;
	else if (!t2_vec_equals(real, &told))
		t2_report("%s: start has argv [%s], received was [%s]", t2_image_name(image),
			  t2_vec_join(&told, 300), t2_vec_join(real, 300));
}

static void check_opening(const struct t2_image *image)
{
	static const char *const once[] = {"version", "cmd_path", "cmd_name"};
	const struct t2_session *session = image->session;
	const struct t2_told *first = session->told.at[0];
	bool is_root = !*session->parent_sid;

	if (strcmp(first->event, "version"))
		t2_report("%s: first event is %s, not version", t2_image_name(image), first->event);
	for (size_t i = 0; i < sizeof(once) / sizeof(once[0]); i++) {
		size_t nr = t2_session_count(session, once[i]);

		if (nr != 1)
			t2_report("%s: has %zu %s events, not 1", t2_image_name(image), nr,
				  once[i]);
	}
	if (!is_root && t2_session_count(session, "cmd_ancestry"))
		t2_report("%s: has cmd_ancestry below a parent", t2_image_name(image));
}

void t2_check_start(struct t2_image *image)
{
	const struct t2_session *session = image->session;
	const char *parent_sid = t2_match_parent_sid(image);
	size_t nr = t2_session_count(session, "start");

	if (nr != 1)
		t2_report("%s: has %zu start events, not 1: %s", t2_image_name(image), nr,
			  session->sid);
	else
		check_argv(image, t2_session_find(session, "start", 0));
	if (!continues(session->parent_sid, parent_sid))
		t2_report("%s: stands below \"%s\", its real parent is \"%s\"",
			  t2_image_name(image), session->parent_sid, parent_sid);
	if (image->role == T2_ROLE_TRACED)
		check_opening(image);
}
