/* SPDX-License-Identifier: MIT */
#include "match.h"
#include "program.h"
#include "report.h"

#include <fnmatch.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* A fork child's session begins when its parent called fork, before the trace shows it. */
#define FORK_SLACK_US 5000000
/* Between an event and strace's own reading of the clock. */
#define END_SLACK_US 20000

bool t2_match_is_catchable(int signo)
{
	static const int signals[] = {
		SIGHUP,	 SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS,  SIGFPE,
		SIGUSR1, SIGSEGV, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ,
	};

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (signals[i] == signo)
			return true;
	return false;
}

/* The image whose memory or whose exec made @image. */
static const struct t2_image *origin(const struct t2_image *image)
{
	return image->exec ? image->previous : image->process->creator;
}

const char *t2_match_parent_sid(const struct t2_image *image)
{
	const struct t2_image *above = origin(image);

	/* Where the shim was not there, the environment alone hands it on. */
	if (image->exec && above->role == T2_ROLE_OUTSIDE)
		return image->exec->u.exec.parent_sid ? image->exec->u.exec.parent_sid : "";
	for (; above; above = origin(above)) {
		if (above->session)
			return above->session->sid;
		if (above->exec && above->role == T2_ROLE_OUTSIDE)
			break;
	}
	return "";
}

bool t2_match_is_listed(const struct t2_image *image, const struct t2_vec *patterns)
{
	const char *argv = patterns->nr ? t2_vec_join(t2_image_argv(image), 4096) : "";

	for (size_t i = 0; i < patterns->nr; i++) {
		const char *pattern = patterns->at[i];

		if (atol(pattern) == image->process->pid || !fnmatch(pattern, argv, 0))
			return true;
	}
	return false;
}

/* A forked child that only executes something is told of by its parent alone. */
static enum t2_need need_of_fork(const struct t2_image *image)
{
	const struct t2_process *process = image->process;

	if (image->role != T2_ROLE_TRACED)
		return T2_NEED_NONE;
	if (process->birth == T2_BIRTH_SPAWN)
		return image->end == T2_END_EXEC ? T2_NEED_NONE : T2_NEED_MAY;
	if (process->birth == T2_BIRTH_CLONE && (image->is_thread_exit || image->children.nr))
		return T2_NEED_MAY;
	if (image->dying || image->end == T2_END_UNKNOWN || process->creator->need != T2_NEED_MUST)
		return T2_NEED_MAY;
	if (image->children.nr || image->nr_threads || image->end == T2_END_EXIT)
		return T2_NEED_MUST;
	if (image->end == T2_END_KILLED)
		return t2_match_is_catchable(image->end_code) ? T2_NEED_MUST : T2_NEED_MAY;
	return T2_NEED_NONE;
}

static void judge(struct t2_image *image, const struct t2_rules *rules, bool has_loaded)
{
	const struct t2_image *above = origin(image);

	if (image->exec) {
		t2_program_examine(image, rules->shim, has_loaded);
	} else if (above) {
		image->role = above->role;
		image->need = need_of_fork(image);
	}
	image->is_exempt = t2_match_is_listed(image, &rules->exempt);
	if (image->need == T2_NEED_MUST && image->is_exempt)
		image->need = T2_NEED_MAY;
}

/* A program of ours executed another one: does the shim go with it? */
static void check_preload(const struct t2_image *image, const struct t2_rules *rules)
{
	const struct t2_image *above = origin(image);
	const char *preload;

	if (!image->exec || above->role == T2_ROLE_OUTSIDE || image->is_exempt ||
	    rules->is_leak_allowed)
		return;
	preload = image->exec->u.exec.preload;
	if (!preload || !strstr(preload, rules->shim))
		t2_report("%s: was executed without the preload (LD_PRELOAD %s) by %s",
			  t2_image_name(image), preload ? preload : "is not set",
			  t2_image_name(above));
}

static int compare_images(const void *a, const void *b)
{
	const struct t2_image *x = *(struct t2_image *const *)a;
	const struct t2_image *y = *(struct t2_image *const *)b;

	if (x->process->pid != y->process->pid)
		return x->process->pid < y->process->pid ? -1 : 1;
	return x->begin_us < y->begin_us ? -1 : x->begin_us > y->begin_us;
}

static int compare_sessions(const void *a, const void *b)
{
	const struct t2_session *x = *(struct t2_session *const *)a;
	const struct t2_session *y = *(struct t2_session *const *)b;

	return x->begin_us < y->begin_us ? -1 : x->begin_us > y->begin_us;
}

/* Index of the first image of @pid in sorted @images, or of what would follow it. */
static size_t first_of_pid(const struct t2_vec *images, long pid)
{
	size_t low = 0, high = images->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct t2_image *image = images->at[middle];

		if (image->process->pid < pid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Images of one pid follow each other: the time tells which one spoke. */
static struct t2_image *find_image(const struct t2_vec *images, const struct t2_session *session)
{
	struct t2_image *found = NULL, *next = NULL;

	for (size_t i = first_of_pid(images, session->pid); i < images->nr; i++) {
		struct t2_image *image = images->at[i];

		if (image->process->pid != session->pid)
			break;
		if (image->begin_us > session->begin_us) {
			next = image;
			break;
		}
		found = image;
	}
	if (found &&
	    (found->end == T2_END_UNKNOWN || session->begin_us <= found->end_us + END_SLACK_US))
		return found;
	if (next && !next->exec && next->begin_us - session->begin_us < FORK_SLACK_US)
		return next;
	return NULL;
}

static void attach(struct t2_session *session, const struct t2_vec *images)
{
	struct t2_image *image = find_image(images, session);

	if (!image) {
		t2_report("session %s: no process ran then", session->sid);
		return;
	}
	session->image = image;
	if (image->session && !image->is_exempt)
		t2_report("%s: has another session: %s and %s", t2_image_name(image),
			  image->session->sid, session->sid);
	if (!image->session)
		image->session = session;
}

static const char *why(const struct t2_image *image)
{
	if (image->exec)
		return "runs a dynamic program with the preload";
	if (image->children.nr)
		return "made a child itself";
	if (image->nr_threads)
		return "made a thread itself";
	return image->end == T2_END_KILLED ? "died without exec" : "exited without exec";
}

static void check_need(const struct t2_image *image)
{
	if (image->need == T2_NEED_MUST && !image->session)
		t2_report("%s: has no session though it %s", t2_image_name(image), why(image));
	if (image->need == T2_NEED_NONE && image->session && !image->is_exempt)
		t2_report("%s: has a session it should not have: %s", t2_image_name(image),
			  image->session->sid);
}

void t2_match(struct t2_history *history, struct t2_sessions *sessions,
	      const struct t2_rules *rules, bool has_loaded)
{
	struct t2_vec images = {0};

	for (size_t i = 0; i < history->processes.nr; i++) {
		const struct t2_process *process = history->processes.at[i];

		for (size_t k = 0; k < process->images.nr; k++) {
			t2_vec_add(&images, process->images.at[k]);
			judge(process->images.at[k], rules, has_loaded);
		}
	}
	qsort(images.at, images.nr, sizeof(*images.at), compare_images);
	qsort(sessions->all.at, sessions->all.nr, sizeof(*sessions->all.at), compare_sessions);
	for (size_t i = 0; i < sessions->all.nr; i++)
		attach(sessions->all.at[i], &images);
	for (size_t i = 0; i < images.nr; i++) {
		check_preload(images.at[i], rules);
		check_need(images.at[i]);
	}
	free(images.at);
}
