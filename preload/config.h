/* SPDX-License-Identifier: MIT */
/*
 * The settings, read once: from the environment the process was started with,
 * and what that leaves open from git's configuration files. Those are read by
 * the first process of a tree only, which hands on what it found.
 */
#ifndef T2_PRELOAD_CONFIG_H
#define T2_PRELOAD_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

#include "preload/limits.h"
#include "preload/setting.h"

#define T2_LIBRARY_NAME "libt2shim.so"
#define T2_PRELOAD_VAR "LD_PRELOAD"
#define T2_RESTORED_VAR "T2SHIM_RESTORED"
#define T2_CONFINED_VAR "T2SHIM_CONFINED"

/* In T2_RESTORED_VAR: our entry was appended to an LD_PRELOAD of the host's. */
#define T2_PRELOAD_APPENDED "LD_PRELOAD+"

/* "GIT_TRACE2_EVENT_NESTING" */
#define T2_SETTING_NAME_SIZE 25

struct t2_config {
	char text[T2_SETTINGS_SIZE]; /* private copies of the following, from the end */
	size_t text_len;
	/* "NAME=value" of each setting that was given, else NULL. */
	const char *entries[T2_SETTING_NR];
	/* The value of each setting that git's configuration has, else NULL. */
	const char *defaults[T2_SETTING_NR];
	/* The component of LD_PRELOAD that names us, or NULL if we came by
	 * another way. */
	const char *library;
	/* Who started us, or NULL: GIT_TRACE2_PARENT_SID and _NAME. Only to be
	 * read at the start; they point into the environment. */
	const char *parent_sid, *parent_name;
	bool propagates;
	/* The trace targets had been removed on our way here and were put back
	 * by our parent, so the program itself does not know of them; or they
	 * are in git's configuration, and it was not told where to find that. */
	bool was_restored;
	/* Nobody above us writes a trace. */
	bool is_first;
	/* What git would have ended at when it read that, in words, or NULL. */
	const char *fault;
};

/* Written by t2_config_read() before the host's main, then constant. */
extern struct t2_config t2_config;

/* Names of the settings, indexed by enum t2_setting, e.g. "GIT_TRACE2". */
extern const char t2_setting_names[T2_SETTING_NR][T2_SETTING_NAME_SIZE];

/*
 * Read @envp and take out of it what our parent had put back, so that the host
 * sees the environment it was given.
 * Context: constructor.
 */
void t2_config_read(struct t2_config *config, char **envp);

/*
 * Find out what git's configuration says: from what the first process of the tree
 * handed on; without that in its files, which @envp leads to. They are read by a
 * process without a parent session, and by one that would have no target.
 * Context: constructor.
 */
void t2_config_read_files(struct t2_config *config, char *const *envp);

/*
 * The value of @setting, or NULL: of the variable; if that is empty or not set,
 * of git's configuration.
 * Context: any.
 */
const char *t2_config_value(const struct t2_config *config, enum t2_setting setting);

/* The value as C's atoi reads it, within an int; 0 if there is none. Context: any. */
int t2_config_number(const struct t2_config *config, enum t2_setting setting);

/*
 * Whether git's configuration names a target and a program with @envp can find
 * it: one that speaks for itself needs no variable to do so.
 * Context: any.
 */
bool t2_config_has_target(const struct t2_config *config, char *const *envp);

/*
 * Set @setting to @value for the children, as if it had been given.
 * Context: constructor.
 */
void t2_config_set(struct t2_config *config, enum t2_setting setting, const char *value);

/* The value of the variable called @name in @envp, or NULL. Context: any. */
const char *t2_config_getenv(char *const *envp, const char *name);

/* The value part if @entry is "NAME=value" for @name, else NULL. Context: any. */
const char *t2_config_entry_value(const char *entry, const char *name);

/* The setting that @entry, "NAME=value", sets; or T2_SETTING_NR. Context: any. */
int t2_config_entry_setting(const char *entry);

/*
 * The component of the preload list @list whose base name is @name, and its
 * length; NULL if there is none. Separators are blanks and colons (ld.so(8)).
 * Context: any.
 */
const char *t2_config_find_library(const char *list, const char *name, size_t *ret_len);

#endif
