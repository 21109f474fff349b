/* SPDX-License-Identifier: MIT */
/*
 * A handler of ours stands where the host has SIG_DFL and the default would end
 * the process. It tells of the death and lets it happen as it would have.
 *
 * The kernel is the only place that knows what is installed: wherever it names
 * our handler, the host is told SIG_DFL, with the flags and mask it had given.
 * Nothing is looked up in a table of ours that could be out of date, and a vfork
 * child, whose dispositions are its own but whose memory is not, needs none.
 */
#include "hooks/signal.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

#include "hooks/birth.h"
#include "hooks/hook.h"
#include "hooks/notice.h"
#include "hooks/real.h"
#include "preload/config.h"
#include "preload/elf.h"
#include "preload/libc.h"
#include "preload/str.h"
#include "preload/sys.h"

/*
 * Signals whose default ends the process (signal(7)), but for SIGKILL, the
 * real-time ones, and those that hardly any process ever dies of (SIGVTALRM,
 * SIGPROF, SIGSYS, SIGSTKFLT, SIGIO, SIGPWR): each costs every process of a build
 * a system call.
 */
static const unsigned char watched[] = {
	SIGHUP,	 SIGINT,  SIGQUIT, SIGILL,  SIGTRAP, SIGABRT, SIGBUS,  SIGFPE,
	SIGUSR1, SIGSEGV, SIGUSR2, SIGPIPE, SIGALRM, SIGTERM, SIGXCPU, SIGXFSZ,
};

#define NR_SIGNALS 32 /* all watched ones are below */

static bool is_enabled T2_PLACE_STATE; /* written in the constructor */

/* What the host gave along with SIG_DFL, to be shown to it again. */
static struct t2_kernel_sigaction host_default[NR_SIGNALS];

/* The signal whose first disposition is being found out, and what it was. */
static volatile sig_atomic_t replacing T2_PLACE_STATE;
static struct t2_kernel_sigaction replaced T2_PLACE_STATE;

static void on_signal(int signo, siginfo_t *info, void *context);

#define KERNEL_SA_RESTORER 0x04000000UL

#if defined(__x86_64__)
/* The kernel has no way back of its own. Unwinders and debuggers know a signal
 * frame by these very bytes. */
__asm__(".text\n"
	".p2align 4\n"
	".hidden t2_signal_return\n"
	".globl t2_signal_return\n"
	".type t2_signal_return, @function\n"
	"	nop\n"
	"t2_signal_return:\n"
	"	movq $15, %rax\n" /* rt_sigreturn */
	"	syscall\n"
	".size t2_signal_return, . - t2_signal_return\n");
extern void t2_signal_return(void) __attribute__((visibility("hidden")));
#define RESTORER t2_signal_return
#define OUR_FLAGS (SA_SIGINFO | SA_ONSTACK | SA_RESTART | KERNEL_SA_RESTORER)
#else
#define RESTORER NULL
#define OUR_FLAGS (SA_SIGINFO | SA_ONSTACK | SA_RESTART)
#endif

/* SIG_DFL and SIG_IGN, as the kernel's structure types them. */
#define DEFAULT ((void (*)(int, siginfo_t *, void *))(void *)SIG_DFL)
#define IGNORE ((void (*)(int, siginfo_t *, void *))(void *)SIG_IGN)

static bool is_watched(int signo)
{
	for (size_t i = 0; i < sizeof(watched); i++) {
		if (watched[i] == signo)
			return is_enabled;
	}
	return false;
}

static int install(int signo, struct t2_kernel_sigaction *old)
{
	const struct t2_kernel_sigaction ours = {
		.handler = on_signal,
		.flags = OUR_FLAGS,
		.restorer = RESTORER,
		.mask = ~0UL,
	};

	return t2_sys_sigaction(signo, &ours, old);
}

/*
 * One system call per signal: put ours in and look what was there. In the rare
 * case that it was not SIG_DFL it goes back; a signal that comes in between
 * finds @replaced (the kernel has filled it in before it delivers one).
 */
static void watch(int signo)
{
	memset(&replaced, 0, sizeof(replaced));
	replacing = signo;
	if (!install(signo, &replaced) && replaced.handler != DEFAULT)
		t2_sys_sigaction(signo, &replaced, NULL);
	if (signo == SIGXFSZ)
		atomic_store(&t2_emit_limit_is_harmless,
			     replaced.handler == DEFAULT || replaced.handler == IGNORE);
	replacing = 0;
}

void t2_signal_init(pid_t pid)
{
	const char *wanted = t2_config_value(&t2_config, T2_SETTING_SIGNALS);

	/* For process 1 the default is to ignore. The Go runtime passes signals
	 * on to whatever it finds installed instead of reporting them. */
	if ((wanted && t2_str_to_bool(wanted) == 0) || pid == 1 || t2_elf_is_go())
		return;
	is_enabled = true;
	for (size_t i = 0; i < sizeof(watched); i++)
		watch(watched[i]);
}

void t2_signal_put_back(void)
{
	struct t2_kernel_sigaction now;

	for (size_t i = 0; is_enabled && i < sizeof(watched); i++) {
		struct t2_kernel_sigaction given = host_default[watched[i]];

		if (!t2_sys_sigaction(watched[i], NULL, &now) && now.handler == on_signal)
			t2_sys_sigaction(watched[i], &given, NULL);
	}
}

void t2_signal_withdraw(void)
{
	t2_signal_put_back();
	is_enabled = false;
}

static uintptr_t interrupted_at(const void *context)
{
	const ucontext_t *uc = context;

#if defined(__x86_64__)
	return (uintptr_t)uc->uc_mcontext.gregs[REG_RIP];
#else
	return (uintptr_t)uc->uc_mcontext.pc;
#endif
}

/* The kernel raises it in the writing thread, in the name of the process itself. */
static bool is_from_our_write(int signo, const siginfo_t *info, const void *context)
{
	return (signo == SIGXFSZ || signo == SIGPIPE) && t2_sys_is_write(interrupted_at(context)) &&
	       info->si_pid == t2_sys_getpid();
}

/* Whether running the instruction again raises the signal again, with registers,
 * address and code as they were. */
static bool comes_again(int signo, const siginfo_t *info)
{
	return info->si_code > 0 &&
	       (signo == SIGSEGV || signo == SIGBUS || signo == SIGILL || signo == SIGFPE);
}

/*
 * Let it happen. Not by returning, except where the fault repeats itself: the
 * mask that comes back then may hold the signal (sigsuspend, ppoll).
 */
static void die(int signo, siginfo_t *info)
{
	const struct t2_kernel_sigaction act = {.handler = DEFAULT};
	const uint64_t set = 1UL << (signo - 1);

	t2_sys_sigaction(signo, &act, NULL);
	if (comes_again(signo, info))
		return;
	t2_sys_sigqueue(t2_sys_getpid(), t2_sys_gettid(), signo, info);
	t2_sys_sigmask(SIG_UNBLOCK, &set, NULL);
}

static void on_signal(int signo, siginfo_t *info, void *context)
{
	struct t2_guard guard;
	int saved_errno = *t2_errno();

	if (is_from_our_write(signo, info, context))
		return;
	if (replacing == signo && replaced.handler != DEFAULT) {
		if (replaced.handler != IGNORE)
			replaced.handler(signo, info, context);
		return;
	}
	/* A child that is the first of its pid namespace: there it is ignored. */
	if (t2_sys_getpid() == 1)
		return;
	if (t2_guard_enter(&guard)) {
		struct t2_stream *stream = t2_birth_own_session(&guard);

		if (stream)
			t2_notice_signal(stream, t2_guard_thread_name(&guard), signo);
		if (stream == &t2_main)
			t2_emit_shut();
	}
	*t2_errno() = saved_errno;
	die(signo, info);
}

/* The host has just set SIG_DFL: stand in for it again, and keep what it gave. */
static void stand_in(const struct t2_guard *guard, int signo)
{
	struct t2_kernel_sigaction given;

	if (!install(signo, &given) && guard->stream == &t2_main)
		host_default[signo] = given;
}

static void note_limit(const struct t2_guard *guard, int signo, __sighandler_t handler)
{
	if (signo == SIGXFSZ && guard->stream == &t2_main)
		atomic_store(&t2_emit_limit_is_harmless, handler == SIG_DFL || handler == SIG_IGN);
}

/* After a successful change to @handler. */
static void follow(int signo, __sighandler_t handler)
{
	struct t2_guard guard;

	if (!t2_guard_enter(&guard))
		return;
	if (handler == SIG_DFL && guard.pid != 1)
		stand_in(&guard, signo);
	note_limit(&guard, signo, handler);
	t2_guard_leave(&guard);
}

static void show_host_default(int signo, struct sigaction *old)
{
	const struct t2_kernel_sigaction *given = &host_default[signo];

	old->sa_handler = SIG_DFL;
	old->sa_flags = (int)given->flags;
	old->sa_restorer = given->restorer;
	memset(&old->sa_mask, 0, sizeof(old->sa_mask));
	memcpy(&old->sa_mask, &given->mask, sizeof(given->mask));
}

static int sigaction_by(__typeof__(sigaction) *real, int signo, const struct sigaction *act,
			struct sigaction *old)
{
	/* @old may be @act. */
	__sighandler_t handler = act ? act->sa_handler : SIG_ERR;
	int ret = real(signo, act, old);

	if (ret || !is_watched(signo))
		return ret;
	if (old && old->sa_sigaction == on_signal)
		show_host_default(signo, old);
	if (handler != SIG_ERR)
		follow(signo, handler);
	return ret;
}

T2_HOOK(int, sigaction, (int signo, const struct sigaction *act, struct sigaction *old))
{
	t2_guard_is_on();
	return sigaction_by(t2_real_sigaction(), signo, act, old);
}

T2_HOOK(int, __sigaction, (int signo, const struct sigaction *act, struct sigaction *old))
{
	t2_guard_is_on();
	return sigaction_by(t2_real___sigaction(), signo, act, old);
}

void t2_signal_called(int signo, const void *act, void *old)
{
	struct t2_kernel_sigaction *seen = old, now;

	if (!is_watched(signo))
		return;
	if (seen && seen->handler == on_signal) {
		*seen = host_default[signo];
		seen->handler = DEFAULT;
	}
	/* What was passed may have been written over. */
	if (act && !t2_sys_sigaction(signo, NULL, &now))
		follow(signo, (__sighandler_t)(void *)now.handler);
}

static __sighandler_t signal_by(__sighandler_t (*real)(int, __sighandler_t), int signo,
				__sighandler_t handler)
{
	__sighandler_t old = real(signo, handler);

	if (old == SIG_ERR || !is_watched(signo))
		return old;
	if (handler != SIG_HOLD)
		follow(signo, handler);
	return old == (__sighandler_t)(void *)on_signal ? SIG_DFL : old;
}

T2_HOOK(__sighandler_t, signal, (int signo, __sighandler_t handler))
{
	t2_guard_is_on();
	return signal_by(t2_real_signal(), signo, handler);
}

T2_HOOK(__sighandler_t, bsd_signal, (int signo, __sighandler_t handler))
{
	t2_guard_is_on();
	return signal_by(t2_real_bsd_signal(), signo, handler);
}

T2_HOOK(__sighandler_t, ssignal, (int signo, __sighandler_t handler))
{
	t2_guard_is_on();
	return signal_by(t2_real_ssignal(), signo, handler);
}

T2_HOOK(__sighandler_t, sysv_signal, (int signo, __sighandler_t handler))
{
	t2_guard_is_on();
	return signal_by(t2_real_sysv_signal(), signo, handler);
}

T2_HOOK(__sighandler_t, __sysv_signal, (int signo, __sighandler_t handler))
{
	t2_guard_is_on();
	return signal_by(t2_real___sysv_signal(), signo, handler);
}

T2_HOOK(__sighandler_t, sigset, (int signo, __sighandler_t handler))
{
	t2_guard_is_on();
	return signal_by(t2_real_sigset(), signo, handler);
}

T2_HOOK(int, sigignore, (int signo))
{
	int ret;

	t2_guard_is_on();
	ret = t2_real_sigignore()(signo);
	if (!ret && is_watched(signo))
		follow(signo, SIG_IGN);
	return ret;
}

/* It changes one flag of whatever is installed: of ours, but it is the host's. */
T2_HOOK(int, siginterrupt, (int signo, int interrupts))
{
	struct t2_kernel_sigaction now;
	struct t2_guard guard;
	int ret;

	t2_guard_is_on();
	ret = t2_real_siginterrupt()(signo, interrupts);
	if (ret || !is_watched(signo) || !t2_guard_enter(&guard))
		return ret;
	if (!t2_sys_sigaction(signo, NULL, &now) && now.handler == on_signal &&
	    guard.stream == &t2_main) {
		struct t2_kernel_sigaction *given = &host_default[signo];

		given->flags &= ~(unsigned long)SA_RESTART;
		given->flags |= (now.flags & KERNEL_SA_RESTORER) | (interrupts ? 0 : SA_RESTART);
		given->restorer = now.restorer;
	}
	t2_guard_leave(&guard);
	return ret;
}
