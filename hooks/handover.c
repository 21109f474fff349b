/* SPDX-License-Identifier: MIT */
#include "hooks/handover.h"

#include <stdatomic.h>

#include "hooks/altstack.h"
#include "hooks/hook.h"
#include "preload/elf.h"
#include "preload/env.h"
#include "preload/libc.h"
#include "preload/thread.h"

bool t2_handover_is_needed(void)
{
	enum t2_state state = atomic_load(&t2_state);

	return (state == T2_STATE_ON || state == T2_STATE_PASSIVE || state == T2_STATE_CONFINED) &&
	       !t2_altstack_is_tight();
}

bool t2_handover_may_look(void)
{
	return atomic_load(&t2_state) != T2_STATE_CONFINED &&
	       !(t2_thread_has_storage() && t2_thread_self()->birth.is_confined);
}

/* Look at the files only if something is missing: it costs four system calls. */
static bool may_restore(const struct t2_search *search, char *const *envp)
{
	if (!t2_env_needs_restoring(&t2_config, envp) || !t2_env_has_library(&t2_config))
		return false;
	if (!search || !search->file)
		return true;
	return search->is_fd || t2_env_can_load(search->dirfd, search->file, search->flags);
}

void t2_handover_begin(struct t2_handover *handover, const struct t2_stream *stream,
		       const struct t2_search *search, char *const *envp)
{
	const struct t2_env_gift gift = {
		.config = &t2_config,
		.sid_entry = stream ? stream->session.sid_entry : NULL,
		.name_entry = stream ? stream->session.name_entry : NULL,
		.may_restore = t2_handover_may_look() && may_restore(search, envp),
		.confines = !t2_handover_may_look(),
	};

	handover->environment.mem = NULL;
	handover->envp = t2_env_edit(&gift, envp, &handover->environment, t2_thread_self());
}

void t2_handover_end(struct t2_handover *handover)
{
	t2_pool_release(&handover->environment);
}

void t2_loan_begin(struct t2_loan *loan, const struct t2_stream *stream)
{
	loan->original = NULL;
	if (!t2_libc_is_single_threaded())
		return;
	t2_handover_begin(&loan->handover, stream, NULL, *t2_environ());
	loan->original = *t2_environ();
	*t2_environ() = (char **)(void *)loan->handover.envp;
}

void t2_loan_end(struct t2_loan *loan)
{
	if (!loan->original)
		return;
	*t2_environ() = loan->original;
	t2_handover_end(&loan->handover);
}
