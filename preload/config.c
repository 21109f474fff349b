/* SPDX-License-Identifier: MIT */
#include "preload/config.h"

#include <string.h>

#include "preload/buf.h"
#include "preload/str.h"

struct t2_config t2_config;

const char *const t2_setting_names[T2_SETTING_NR] = {
#define T2_SETTING(id, name) [T2_SETTING_##id] = name,
#include "preload/settings.def"
#undef T2_SETTING
};

const char *t2_config_entry_value(const char *entry, const char *name)
{
	while (*name && *entry == *name) {
		entry++;
		name++;
	}
	return !*name && *entry == '=' ? entry + 1 : NULL;
}

const char *t2_config_getenv(char *const *envp, const char *name)
{
	for (; envp && *envp; envp++) {
		const char *value = t2_config_entry_value(*envp, name);

		if (value)
			return value;
	}
	return NULL;
}

const char *t2_config_value(const struct t2_config *config, enum t2_setting setting)
{
	const char *entry = config->entries[setting];

	return entry ? entry + strlen(t2_setting_names[setting]) + 1 : NULL;
}

static bool is_separator(char c)
{
	return c == ' ' || c == ':';
}

const char *t2_config_find_library(const char *list, size_t *ret_len)
{
	while (*list) {
		size_t len = 0;
		const size_t name_len = sizeof(T2_LIBRARY_NAME) - 1;

		while (list[len] && !is_separator(list[len]))
			len++;
		if (len >= name_len && !memcmp(list + len - name_len, T2_LIBRARY_NAME, name_len) &&
		    (len == name_len || list[len - name_len - 1] == '/')) {
			*ret_len = len;
			return list;
		}
		list += len;
		while (is_separator(*list))
			list++;
	}
	return NULL;
}

/*
 * A private copy: the host may overwrite what it was given (setproctitle does).
 * A text too long for our room stays where it is.
 */
static const char *keep(struct t2_config *config, const char *text, size_t len)
{
	char *copy = config->text + config->text_len;

	if (len >= sizeof(config->text) - config->text_len)
		return text[len] ? NULL : text;
	memcpy(copy, text, len);
	copy[len] = '\0';
	config->text_len += len + 1;
	return copy;
}

void t2_config_set(struct t2_config *config, enum t2_setting setting, const char *value)
{
	const size_t room = sizeof(config->text) - config->text_len;
	struct t2_buf entry;

	t2_buf_init(&entry, config->text + config->text_len, room);
	t2_buf_put_str(&entry, t2_setting_names[setting]);
	t2_buf_put_char(&entry, '=');
	t2_buf_put(&entry, value, strlen(value) + 1);
	if (t2_buf_overflowed(&entry))
		return;
	config->entries[setting] = entry.base;
	config->text_len += entry.len;
}

static void read_entry(struct t2_config *config, const char *entry)
{
	const char *list;
	size_t len;

	/* Nearly every entry ends here, after one or two bytes. */
	if (entry[0] != 'G' && entry[0] != 'T' && entry[0] != 'L')
		return;
	for (int i = 0; i < T2_SETTING_NR; i++) {
		if (!config->entries[i] && t2_config_entry_value(entry, t2_setting_names[i]))
			config->entries[i] = keep(config, entry, strlen(entry));
	}
	if (!config->parent_sid)
		config->parent_sid = t2_config_entry_value(entry, "GIT_TRACE2_PARENT_SID");
	if (!config->parent_name)
		config->parent_name = t2_config_entry_value(entry, "GIT_TRACE2_PARENT_NAME");
	list = t2_config_entry_value(entry, T2_PRELOAD_VAR);
	if (list && (list = t2_config_find_library(list, &len)))
		config->library = keep(config, list, len);
}

/* Whether @name is one of the comma-separated @names. */
static bool is_listed(const char *names, const char *name)
{
	size_t len = strlen(name);

	while (*names) {
		if (t2_str_starts_with(names, name) && (!names[len] || names[len] == ','))
			return true;
		while (*names && *names++ != ',')
			;
	}
	return false;
}

/* Whether our parent put @entry back; @names is the list it left. */
static bool was_put_back(const char *names, const char *entry)
{
	char name[32];
	size_t len = 0;

	while (entry[len] && entry[len] != '=' && len < sizeof(name) - 1) {
		name[len] = entry[len];
		len++;
	}
	name[len] = '\0';
	return !strcmp(name, T2_RESTORED_VAR) || is_listed(names, name);
}

/* Cut our library off the end of the host's own LD_PRELOAD, which may be empty. */
static void cut_library(char *entry)
{
	char *end = entry + sizeof(T2_PRELOAD_VAR);

	if (!t2_config_entry_value(entry, T2_PRELOAD_VAR))
		return;
	for (; *entry; entry++) {
		if (*entry == ':')
			end = entry;
	}
	*end = '\0';
}

static void hide_restored(char **envp, const char *names)
{
	char **to = envp;

	for (; *envp; envp++) {
		if (is_listed(names, T2_PRELOAD_APPENDED))
			cut_library(*envp);
		if (!was_put_back(names, *envp))
			*to++ = *envp;
	}
	*to = NULL;
}

void t2_config_read(struct t2_config *config, char **envp)
{
	const char *names = t2_config_getenv(envp, T2_RESTORED_VAR);
	const char *propagate;

	for (char **entry = envp; entry && *entry; entry++)
		read_entry(config, *entry);
	propagate = t2_config_value(config, T2_SETTING_PROPAGATE);
	config->propagates = !propagate || t2_str_to_bool(propagate) != 0;
	if (names) {
		config->was_restored = is_listed(names, t2_setting_names[T2_SETTING_NORMAL]) ||
				       is_listed(names, t2_setting_names[T2_SETTING_PERF]) ||
				       is_listed(names, t2_setting_names[T2_SETTING_EVENT]);
		hide_restored(envp, names);
	}
}
