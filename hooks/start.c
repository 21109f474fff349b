/* SPDX-License-Identifier: MIT */
/*
 * A process image begins: read the settings, become a session, say so. Runs
 * before the host's main, in every process of a build; count its system calls.
 */
#include "hooks/start.h"

#include <elf.h>
#include <string.h>

#include "hooks/exit.h"
#include "hooks/hook.h"
#include "hooks/notice.h"
#include "hooks/real.h"
#include "hooks/signal.h"
#include "preload/argv.h"
#include "preload/auxv.h"
#include "preload/config.h"
#include "preload/diag.h"
#include "preload/elf.h"
#include "preload/exe.h"
#include "preload/libc.h"
#include "preload/param.h"
#include "preload/pool.h"
#include "preload/str.h"
#include "preload/sys.h"

/* Programs that are Trace2 writers themselves; T2SHIM_NATIVE replaces the list. */
#define NATIVE "git,git-*,scalar"

/*
 * Whether program @name is to be passed through: the user said so, or it speaks
 * for itself. One that has lost its targets on the way (they were put back for
 * us alone) cannot, so there we speak.
 */
static bool is_passed_through(const char *name)
{
	const char *skip = t2_config_value(&t2_config, T2_SETTING_SKIP);
	const char *native = t2_config_value(&t2_config, T2_SETTING_NATIVE);

	return (skip && t2_str_matches_any(name, skip)) ||
	       (!t2_config.was_restored && t2_str_matches_any(name, native ? native : NATIVE));
}

static void begin_session(const char *exe, char **argv, char **envp, pid_t pid)
{
	const char *parent_sid = t2_config.parent_sid;
	struct t2_moment now = t2_clock_now();
	struct t2_params params;
	static const char *const no_argv[] = {"", NULL};
	const struct t2_beginning beginning = {
		.exe = exe,
		.argv = argv && argv[0] ? (const char *const *)argv : no_argv,
		.when = now,
		.has_ancestry = !parent_sid || !*parent_sid,
		.params = &params,
	};

	t2_session_begin(&t2_main.session, parent_sid, t2_config.parent_name, t2_exe_name(exe), pid,
			 now);
	t2_thread_begin_main(t2_thread_self(), now.mono_ns);
	t2_params_collect(&params, &t2_config, envp, t2_thread_self());
	t2_notice_start(&t2_main, "main", &beginning);
	t2_params_release(&params);
}

/* What a program with at least one target is going to be for us. */
static enum t2_state begin(const char *exe, bool is_passed, char **argv, char **envp)
{
	pid_t pid;

	if (is_passed)
		return T2_STATE_PASSIVE;
	pid = t2_sys_getpid();
	t2_signal_init(pid);
	begin_session(exe, argv, envp, pid);
	t2_exit_init();
	return T2_STATE_ON;
}

/* What the process is going to be for us. */
static enum t2_state start(char **argv, char **envp)
{
	enum t2_state state = T2_STATE_OFF;
	struct t2_block block;
	const char *exe;
	bool is_passed;
	int nr_targets;

	if (!t2_elf_is_glibc() || t2_auxv_get(AT_SECURE))
		return T2_STATE_OFF;
	t2_config_read(&t2_config, envp);
	if (t2_config_value(&t2_config, T2_SETTING_CONFINED))
		return T2_STATE_CONFINED;
	t2_config_read_files(&t2_config, envp);
	nr_targets = t2_emit_init(&t2_main, t2_config_getenv(envp, "TZ"));
	if (!nr_targets && !t2_diag_is_due(&t2_main))
		return T2_STATE_OFF;
	exe = t2_exe_read(&block, t2_thread_self(), (const char *const *)argv);
	if (!exe)
		return T2_STATE_OFF;
	/* Who speaks for himself also complains for himself. */
	is_passed = is_passed_through(t2_exe_name(exe));
	if (!is_passed)
		t2_diag_settings(&t2_main);
	if (nr_targets)
		state = begin(exe, is_passed, argv, envp);
	t2_pool_release(&block);
	return state;
}

void t2_start(char **argv, char **envp)
{
	enum t2_state state = T2_STATE_NEW;

	if (atomic_compare_exchange_strong(&t2_state, &state, T2_STATE_STARTING))
		atomic_store(&t2_state, start(argv, envp));
}

/*
 * The kernel puts argc, argv, NULL, envp, NULL on the initial stack, and until
 * somebody sets a variable environ points there. Walk back to where the count
 * fits. NULL: it does not.
 */
static char **argv_before(char **envp)
{
	char **at = envp;

	if (!envp || (at--, *at))
		return NULL;
	for (uintptr_t nr = 0; nr < T2_VECTOR_MAX; nr++) {
		if ((uintptr_t) * --at == nr)
			return at + 1;
		if ((uintptr_t)*at < T2_VECTOR_MAX)
			return NULL;
	}
	return NULL;
}

/* Whether environ is still the kernel's: just below the auxiliary vector's strings. */
static bool is_initial(char **envp)
{
	const char *name = (const char *)t2_auxv_get(AT_EXECFN);

	return (char *)envp < name && (char *)envp > name - 8 * 1024 * 1024;
}

void t2_start_early(void)
{
	char **envp = *t2_environ();
	struct t2_argv argv = {0};

	/* Before libc itself: only the program's .preinit_array is. Our constructor comes. */
	if (!envp)
		return;
	if (is_initial(envp)) {
		t2_start(argv_before(envp), envp);
		return;
	}
	t2_argv_read(&argv, "unknown", &argv);
	t2_start((char **)argv.vector, envp);
	t2_argv_release(&argv);
}

/* Written by the hook, read by run_main(): one process, one main. */
static int (*host_main)(int, char **, char **) T2_PLACE_STATE;

static int run_main(int argc, char **argv, char **envp)
{
	int status = host_main(argc, argv, envp);

	t2_exit_noted(status);
	return status;
}

T2_HOOK(int, __libc_start_main,
	(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
	 void (*fini)(void), void (*rtld_fini)(void), void *stack_end))
{
	__typeof__(__libc_start_main) *real;

	/* musl calls constructors only later, and without arguments. */
	t2_auxv_learn(argc, argv, argv + argc + 1);
	real = t2_real___libc_start_main();
	t2_start(argv, argv + argc + 1);
	if (atomic_load(&t2_state) != T2_STATE_ON)
		return real(main, argc, argv, init, fini, rtld_fini, stack_end);
	host_main = main;
	return real(run_main, argc, argv, init, fini, rtld_fini, stack_end);
}
