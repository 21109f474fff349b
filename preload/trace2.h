/* SPDX-License-Identifier: MIT */
/*
 * Git Trace2 telemetry for any C or C++ program: say what a process does while
 * libt2shim.so watches it.
 *
 * Nothing is linked. Where the shim is not preloaded, each call is one branch
 * that is never taken; where it is, the event goes to the targets of
 * GIT_TRACE2, GIT_TRACE2_PERF and GIT_TRACE2_EVENT with the process's other
 * events. The names and their meaning are those of git's own trace2.h.
 *
 *     #include <trace2.h>
 *
 *     trace2_region_enter("index", "read", TRACE2_NO_REPO);
 *     trace2_data_intmax("index", TRACE2_NO_REPO, "entries", nr);
 *     trace2_region_leave("index", "read", TRACE2_NO_REPO);
 *
 * Every function may be called from any thread, not from a signal handler.
 * Strings are read during the call and need not live longer; those of timers
 * and counters are read again when the process ends. Nothing fails: there is
 * nothing to check. errno is left alone.
 *
 * With TRACE2_DISABLE defined before inclusion, all calls compile to nothing.
 */
#ifndef TRACE2_H
#define TRACE2_H

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The event belongs to no repository. */
#define TRACE2_NO_REPO 0

/*
 * A stopwatch: define one with static storage and start and stop it as often as
 * you like, also nested and in many threads at once. The sum over all threads
 * is told at the end of the process, and with @wants_threads set, each thread's
 * own at its end.
 */
struct trace2_timer {
	const char *category;
	const char *name;
	int wants_threads;
	int slot; /* the shim's */
};

/* A number that is added to; told like a timer. */
struct trace2_counter {
	const char *category;
	const char *name;
	int wants_threads;
	int slot; /* the shim's */
};

#define TRACE2_TIMER(category, name)                                                               \
	{                                                                                          \
		(category), (name), 0, 0                                                           \
	}
#define TRACE2_TIMER_PER_THREAD(category, name)                                                    \
	{                                                                                          \
		(category), (name), 1, 0                                                           \
	}
#define TRACE2_COUNTER(category, name)                                                             \
	{                                                                                          \
		(category), (name), 0, 0                                                           \
	}
#define TRACE2_COUNTER_PER_THREAD(category, name)                                                  \
	{                                                                                          \
		(category), (name), 1, 0                                                           \
	}

/* What the shim offers; reached through the functions below. */
struct trace2_api {
	int (*is_enabled)(void);
	void (*cmd_name)(const char *file, int line, const char *name);
	void (*cmd_mode)(const char *file, int line, const char *mode);
	void (*cmd_alias)(const char *file, int line, const char *alias, const char *const *argv);
	void (*cmd_error)(const char *file, int line, const char *msg, const char *fmt);
	void (*def_param)(const char *file, int line, const char *param, const char *value);
	int (*def_repo)(const char *file, int line, const char *worktree);
	void (*region_enter)(const char *file, int line, const char *category, const char *label,
			     int repo, const char *msg);
	void (*region_leave)(const char *file, int line, const char *category, const char *label,
			     int repo, const char *msg);
	void (*data_string)(const char *file, int line, const char *category, int repo,
			    const char *key, const char *value);
	void (*data_json)(const char *file, int line, const char *category, int repo,
			  const char *key, const char *json);
	void (*print)(const char *file, int line, const char *msg);
	void (*timer_start)(struct trace2_timer *timer);
	void (*timer_stop)(struct trace2_timer *timer);
	void (*counter_add)(struct trace2_counter *counter, uint64_t value);
	void (*thread_start)(const char *file, int line, const char *name);
	void (*thread_exit)(const char *file, int line);
};

/*
 * How the shim is found. Position-independent code, which is what compilers
 * make today, leaves a weak reference that the loader fills in or leaves NULL.
 * In code for a fixed address the linker would have settled on NULL already, so
 * there a constructor asks the loader.
 */
#if defined(TRACE2_DISABLE)
#define TRACE2_API_ ((const struct trace2_api *)NULL)
#elif defined(__PIC__) || defined(__PIE__)
extern const struct trace2_api trace2_api_v1 __attribute__((weak));
#define TRACE2_API_ (&trace2_api_v1)
#else
extern void *dlsym(void *, const char *) __attribute__((weak));
__attribute__((weak, visibility("hidden"))) const struct trace2_api *trace2_api_found_;
static __attribute__((constructor, unused)) void trace2_find_api_(void)
{
	if (!trace2_api_found_ && dlsym)
		trace2_api_found_ = (const struct trace2_api *)dlsym(NULL, "trace2_api_v1");
}
#define TRACE2_API_ trace2_api_found_
#endif

#define TRACE2_PRINTF_(f, a) __attribute__((__format__(__printf__, f, a), __unused__))
#define TRACE2_HAS_API_ __builtin_expect(TRACE2_API_ != NULL, 0)

/* The longest text of a _printf form; what is longer is cut. */
#define TRACE2_MSG_MAX 4096

/* Whether any target is on: worth computing something only to tell it? */
static inline int trace2_is_enabled(void)
{
	return TRACE2_HAS_API_ && TRACE2_API_->is_enabled();
}

/* The command goes by this name; the hierarchy is the parents' and it. */
static inline void trace2_cmd_name_fl(const char *file, int line, const char *name)
{
	if (TRACE2_HAS_API_)
		TRACE2_API_->cmd_name(file, line, name);
}

/* Which of several things the command is doing, as "branch" or "file". */
static inline void trace2_cmd_mode_fl(const char *file, int line, const char *mode)
{
	if (TRACE2_HAS_API_)
		TRACE2_API_->cmd_mode(file, line, mode);
}

/* @alias stood for @argv, a list that ends with NULL. */
static inline void trace2_cmd_alias_fl(const char *file, int line, const char *alias,
				       const char *const *argv)
{
	if (TRACE2_HAS_API_)
		TRACE2_API_->cmd_alias(file, line, alias, argv);
}

/* An error message, in addition to wherever the program prints it. */
static inline void trace2_cmd_error_va_fl(const char *file, int line, const char *fmt, va_list args)
{
	if (TRACE2_HAS_API_) {
		char msg[TRACE2_MSG_MAX];
		int saved_errno = errno;

		vsnprintf(msg, sizeof(msg), fmt, args);
		errno = saved_errno;
		TRACE2_API_->cmd_error(file, line, msg, fmt);
	}
}

static inline TRACE2_PRINTF_(3, 4) void trace2_cmd_error_fl(const char *file, int line,
							    const char *fmt, ...)
{
	if (TRACE2_HAS_API_) {
		va_list args;

		va_start(args, fmt);
		trace2_cmd_error_va_fl(file, line, fmt, args);
		va_end(args);
	}
}

/* A setting that matters for reading the trace; @value may be NULL. */
static inline void trace2_def_param_fl(const char *file, int line, const char *param,
				       const char *value)
{
	if (TRACE2_HAS_API_)
		TRACE2_API_->def_param(file, line, param, value);
}

/* A repository with this work tree. Returns the number to name it by, or TRACE2_NO_REPO. */
static inline int trace2_def_repo_fl(const char *file, int line, const char *worktree)
{
	return TRACE2_HAS_API_ ? TRACE2_API_->def_repo(file, line, worktree) : TRACE2_NO_REPO;
}

/*
 * A stretch of the thread's work begins, and ends. Regions nest; GIT_TRACE2_EVENT
 * shows the outer GIT_TRACE2_EVENT_NESTING levels, two by default.
 */
static inline void trace2_region_enter_fl(const char *file, int line, const char *category,
					  const char *label, int repo)
{
	if (TRACE2_HAS_API_)
		TRACE2_API_->region_enter(file, line, category, label, repo, NULL);
}

static inline void trace2_region_leave_fl(const char *file, int line, const char *category,
					  const char *label, int repo)
{
	if (TRACE2_HAS_API_)
		TRACE2_API_->region_leave(file, line, category, label, repo, NULL);
}

static inline TRACE2_PRINTF_(6, 7) void trace2_region_enter_printf_fl(const char *file, int line,
								      const char *category,
								      const char *label, int repo,
								      const char *fmt, ...)
{
	if (TRACE2_HAS_API_) {
		char msg[TRACE2_MSG_MAX];
		int saved_errno = errno;
		va_list args;

		va_start(args, fmt);
		vsnprintf(msg, sizeof(msg), fmt, args);
		va_end(args);
		errno = saved_errno;
		TRACE2_API_->region_enter(file, line, category, label, repo, msg);
	}
}

static inline TRACE2_PRINTF_(6, 7) void trace2_region_leave_printf_fl(const char *file, int line,
								      const char *category,
								      const char *label, int repo,
								      const char *fmt, ...)
{
	if (TRACE2_HAS_API_) {
		char msg[TRACE2_MSG_MAX];
		int saved_errno = errno;
		va_list args;

		va_start(args, fmt);
		vsnprintf(msg, sizeof(msg), fmt, args);
		va_end(args);
		errno = saved_errno;
		TRACE2_API_->region_leave(file, line, category, label, repo, msg);
	}
}

/* A fact about the region the thread is in. */
static inline void trace2_data_string_fl(const char *file, int line, const char *category, int repo,
					 const char *key, const char *value)
{
	if (TRACE2_HAS_API_)
		TRACE2_API_->data_string(file, line, category, repo, key, value);
}

static inline void trace2_data_intmax_fl(const char *file, int line, const char *category, int repo,
					 const char *key, intmax_t value)
{
	if (TRACE2_HAS_API_) {
		char text[24];
		int saved_errno = errno;

		snprintf(text, sizeof(text), "%lld", (long long)value);
		errno = saved_errno;
		TRACE2_API_->data_string(file, line, category, repo, key, text);
	}
}

/* The same with a value that is JSON; it is passed on as it is. */
static inline void trace2_data_json_fl(const char *file, int line, const char *category, int repo,
				       const char *key, const char *json)
{
	if (TRACE2_HAS_API_)
		TRACE2_API_->data_json(file, line, category, repo, key, json);
}

/* Free text. */
static inline TRACE2_PRINTF_(3, 4) void trace2_printf_fl(const char *file, int line,
							 const char *fmt, ...)
{
	if (TRACE2_HAS_API_) {
		char msg[TRACE2_MSG_MAX];
		int saved_errno = errno;
		va_list args;

		va_start(args, fmt);
		vsnprintf(msg, sizeof(msg), fmt, args);
		va_end(args);
		errno = saved_errno;
		TRACE2_API_->print(file, line, msg);
	}
}

static inline void trace2_timer_start(struct trace2_timer *timer)
{
	if (TRACE2_HAS_API_)
		TRACE2_API_->timer_start(timer);
}

static inline void trace2_timer_stop(struct trace2_timer *timer)
{
	if (TRACE2_HAS_API_)
		TRACE2_API_->timer_stop(timer);
}

static inline void trace2_counter_add(struct trace2_counter *counter, uint64_t value)
{
	if (TRACE2_HAS_API_)
		TRACE2_API_->counter_add(counter, value);
}

/*
 * The procedure of a thread begins, and ends. The shim tells of threads by
 * itself; one it has told of already, and the main thread, get a region
 * instead, so that the name is seen all the same.
 */
static inline void trace2_thread_start_fl(const char *file, int line, const char *name)
{
	if (TRACE2_HAS_API_)
		TRACE2_API_->thread_start(file, line, name);
}

static inline void trace2_thread_exit_fl(const char *file, int line)
{
	if (TRACE2_HAS_API_)
		TRACE2_API_->thread_exit(file, line);
}

/* The same without file and line, which are the caller's. */
#define trace2_cmd_name(name) trace2_cmd_name_fl(__FILE__, __LINE__, (name))
#define trace2_cmd_mode(mode) trace2_cmd_mode_fl(__FILE__, __LINE__, (mode))
#define trace2_cmd_alias(alias, argv) trace2_cmd_alias_fl(__FILE__, __LINE__, (alias), (argv))
#define trace2_cmd_error(...) trace2_cmd_error_fl(__FILE__, __LINE__, __VA_ARGS__)
#define trace2_cmd_error_va(fmt, args) trace2_cmd_error_va_fl(__FILE__, __LINE__, (fmt), (args))
#define trace2_def_param(param, value) trace2_def_param_fl(__FILE__, __LINE__, (param), (value))
#define trace2_def_repo(worktree) trace2_def_repo_fl(__FILE__, __LINE__, (worktree))
#define trace2_region_enter(category, label, repo)                                                 \
	trace2_region_enter_fl(__FILE__, __LINE__, (category), (label), (repo))
#define trace2_region_leave(category, label, repo)                                                 \
	trace2_region_leave_fl(__FILE__, __LINE__, (category), (label), (repo))
#define trace2_region_enter_printf(category, label, repo, ...)                                     \
	trace2_region_enter_printf_fl(__FILE__, __LINE__, (category), (label), (repo), __VA_ARGS__)
#define trace2_region_leave_printf(category, label, repo, ...)                                     \
	trace2_region_leave_printf_fl(__FILE__, __LINE__, (category), (label), (repo), __VA_ARGS__)
#define trace2_data_string(category, repo, key, value)                                             \
	trace2_data_string_fl(__FILE__, __LINE__, (category), (repo), (key), (value))
#define trace2_data_intmax(category, repo, key, value)                                             \
	trace2_data_intmax_fl(__FILE__, __LINE__, (category), (repo), (key), (value))
#define trace2_data_json(category, repo, key, json)                                                \
	trace2_data_json_fl(__FILE__, __LINE__, (category), (repo), (key), (json))
#define trace2_printf(...) trace2_printf_fl(__FILE__, __LINE__, __VA_ARGS__)
#define trace2_thread_start(name) trace2_thread_start_fl(__FILE__, __LINE__, (name))
#define trace2_thread_exit() trace2_thread_exit_fl(__FILE__, __LINE__)

#ifdef __cplusplus
}
#endif

#endif
