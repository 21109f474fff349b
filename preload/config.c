/* SPDX-License-Identifier: MIT */
#include "preload/config.h"

#include <elf.h>
#include <string.h>

#include "preload/buf.h"
#include "preload/elf.h"
#include "preload/gitconfig.h"
#include "preload/pool.h"
#include "preload/str.h"

struct t2_config t2_config T2_PLACE_SETTINGS;

/* "trace2.destinationdebug" */
#define KEY_SIZE 24

const char t2_setting_names[T2_SETTING_NR][T2_SETTING_NAME_SIZE] = {
#define T2_SETTING(id, name, key) [T2_SETTING_##id] = name,
#include "preload/settings.def"
#undef T2_SETTING
};

static const unsigned char name_lengths[T2_SETTING_NR] = {
#define T2_SETTING(id, name, key) [T2_SETTING_##id] = sizeof(name) - 1,
#include "preload/settings.def"
#undef T2_SETTING
};

static const char keys[T2_SETTING_NR][KEY_SIZE] = {
#define T2_SETTING(id, name, key) [T2_SETTING_##id] = key,
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
	const char *value = entry ? entry + name_lengths[setting] + 1 : NULL;

	return (!value || !*value) && config->defaults[setting] ? config->defaults[setting] : value;
}

/* The setting called @name, of @len bytes; or T2_SETTING_NR. */
static int find_setting(const char *name, size_t len)
{
	int i = 0;

	while (i < T2_SETTING_NR &&
	       (name_lengths[i] != len || memcmp(t2_setting_names[i], name, len) != 0))
		i++;
	return i;
}

int t2_config_number(const struct t2_config *config, enum t2_setting setting)
{
	const char *at = t2_config_value(config, setting);
	bool is_negative;
	int number = 0;

	if (!at)
		return 0;
	while (*at == ' ' || (*at >= '\t' && *at <= '\r'))
		at++;
	is_negative = *at == '-';
	at += *at == '-' || *at == '+';
	for (; *at >= '0' && *at <= '9' && number < 100000000; at++)
		number = number * 10 + (*at - '0');
	return is_negative ? -number : number;
}

bool t2_config_has_target(const struct t2_config *config, char *const *envp)
{
	if (!config->defaults[T2_SETTING_NORMAL] && !config->defaults[T2_SETTING_PERF] &&
	    !config->defaults[T2_SETTING_EVENT])
		return false;
	return t2_config_getenv(envp, "HOME") || t2_config_getenv(envp, "XDG_CONFIG_HOME") ||
	       t2_config_getenv(envp, "GIT_CONFIG_GLOBAL");
}

static bool is_separator(char c)
{
	return c == ' ' || c == ':';
}

const char *t2_config_find_library(const char *list, const char *name, size_t *ret_len)
{
	const size_t name_len = strlen(name);

	while (*list) {
		size_t len = 0;

		while (list[len] && !is_separator(list[len]))
			len++;
		if (len >= name_len && !memcmp(list + len - name_len, name, name_len) &&
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

/* Room for @size bytes of text, or NULL. */
static char *make_room(struct t2_config *config, size_t size)
{
	if (size > sizeof(config->text) - config->text_len)
		return NULL;
	config->text_len += size;
	return config->text + sizeof(config->text) - config->text_len;
}

/*
 * A private copy: the host may overwrite what it was given (setproctitle does).
 * A text too long for our room stays where it is.
 */
static const char *keep(struct t2_config *config, const char *text, size_t len)
{
	char *copy = make_room(config, len + 1);

	if (!copy)
		return text[len] ? NULL : text;
	memcpy(copy, text, len);
	copy[len] = '\0';
	return copy;
}

void t2_config_set(struct t2_config *config, enum t2_setting setting, const char *value)
{
	const size_t size = name_lengths[setting] + 1 + strlen(value) + 1;
	char *copy = make_room(config, size);
	struct t2_buf entry;

	if (!copy)
		return;
	t2_buf_init(&entry, copy, size);
	t2_buf_put_str(&entry, t2_setting_names[setting]);
	t2_buf_put_char(&entry, '=');
	t2_buf_put(&entry, value, strlen(value) + 1);
	config->entries[setting] = copy;
}

int t2_config_entry_setting(const char *entry)
{
	size_t len = 0;

	/* Nearly every entry is looked at for one or two bytes. */
	if (!t2_str_starts_with(entry, "GIT_TRACE2") && !t2_str_starts_with(entry, "T2SHIM_"))
		return T2_SETTING_NR;
	while (entry[len] && entry[len] != '=')
		len++;
	return entry[len] ? find_setting(entry, len) : T2_SETTING_NR;
}

/*
 * Keep the component of @list that is called @name. If the loader searched for it, keep
 * where it found it: LD_LIBRARY_PATH may be gone further down.
 */
static void keep_library(struct t2_config *config, const char *list, const char *name)
{
	size_t len;
	const char *library = t2_config_find_library(list, name, &len);

	if (!library)
		return;
	if (!memchr(library, '/', len)) {
		library = t2_elf_own_path();
		len = strlen(library);
	}
	config->library = keep(config, library, len);
}

/* We are not called what we usually are, or came by another way than LD_PRELOAD. */
static T2_RARE void find_renamed(struct t2_config *config, char *const *envp)
{
	const char *name = t2_str_base_name(t2_elf_own_path());

	for (; *name && envp && *envp; envp++) {
		const char *list = t2_config_entry_value(*envp, T2_PRELOAD_VAR);

		if (list)
			keep_library(config, list, name);
	}
}

static void read_entry(struct t2_config *config, const char *entry)
{
	const char *list;
	int setting;

	/* GIT_TRACE2_, T2SHIM_, LD_PRELOAD: there may be a hundred of others. */
	if (*entry != 'G' && *entry != 'T' && *entry != 'L')
		return;
	list = t2_config_entry_value(entry, T2_PRELOAD_VAR);
	if (list) {
		keep_library(config, list, T2_LIBRARY_NAME);
		return;
	}
	setting = t2_config_entry_setting(entry);
	if (setting < T2_SETTING_NR) {
		if (!config->entries[setting])
			config->entries[setting] = keep(config, entry, strlen(entry));
		return;
	}
	if (!config->parent_sid)
		config->parent_sid = t2_config_entry_value(entry, "GIT_TRACE2_PARENT_SID");
	if (!config->parent_name)
		config->parent_name = t2_config_entry_value(entry, "GIT_TRACE2_PARENT_NAME");
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
	if (entry[len] != '=') /* not a variable, or none of ours */
		return false;
	name[len] = '\0';
	return !strcmp(name, T2_RESTORED_VAR) || is_listed(names, name);
}

/* Cut our library off the end of the host's own LD_PRELOAD, which may be empty. */
static void cut_library(char *entry)
{
	char *end = entry + sizeof(T2_PRELOAD_VAR);

	for (; *entry; entry++) {
		if (*entry == ':')
			end = entry;
	}
	*end = '\0';
}

/*
 * The kernel puts the auxiliary vector right behind the NULL of envp, and some
 * runtimes (Go's) look for it there. Where envp, which ended at @old_end, has
 * become shorter, they find pairs that mean nothing; our parent saw to it that
 * the gap is even.
 */
static void fill_gap(char **end, char **old_end)
{
	if ((old_end - end) % 2)
		return;
	for (; end < old_end; end += 2) {
		end[1] = (char *)AT_IGNORE;
		end[2] = NULL;
	}
}

static T2_RARE void hide_restored(char **envp, const char *names)
{
	char *preload = NULL; /* the last one, which the loader obeys */
	char **to = envp;

	for (; *envp; envp++) {
		if (t2_config_entry_value(*envp, T2_PRELOAD_VAR))
			preload = *envp;
		if (!was_put_back(names, *envp))
			*to++ = *envp;
	}
	*to = NULL;
	fill_gap(to, envp);
	if (preload && is_listed(names, T2_PRELOAD_APPENDED))
		cut_library(preload);
}

void t2_config_read(struct t2_config *config, char **envp)
{
	const char *names = t2_config_getenv(envp, T2_RESTORED_VAR);
	const char *propagate;

	for (char **entry = envp; entry && *entry; entry++)
		read_entry(config, *entry);
	if (!config->library)
		find_renamed(config, envp);
	propagate = t2_config_value(config, T2_SETTING_PROPAGATE);
	config->propagates = !propagate || t2_str_to_bool(propagate) != 0;
	if (names) {
		config->was_restored = is_listed(names, t2_setting_names[T2_SETTING_NORMAL]) ||
				       is_listed(names, t2_setting_names[T2_SETTING_PERF]) ||
				       is_listed(names, t2_setting_names[T2_SETTING_EVENT]) ||
				       is_listed(names, "GIT_TRACE2_PARENT_SID");
		hide_restored(envp, names);
	}
}

static const char *const no_room = "no room for ";

/* Let @value, of @len bytes, be the configuration's; a later one takes the place. */
static bool set_default(struct t2_config *config, enum t2_setting setting, const char *value,
			size_t len)
{
	const char *old = config->defaults[setting];
	char *copy = old && strlen(old) >= len ? config->text + (old - config->text)
					       : make_room(config, len + 1);

	if (!copy)
		return false;
	memcpy(copy, value, len);
	copy[len] = '\0';
	config->defaults[setting] = copy;
	return true;
}

/* What a look at the files needs: too much for the stack. */
struct reading {
	struct t2_gitconfig files;
	struct t2_config *config;
	char handed_on[T2_SETTINGS_SIZE];
};

static void take(void *arg, const struct t2_gitconfig_entry *entry)
{
	struct reading *reading = arg;

	if (!t2_str_starts_with(entry->key, "trace2."))
		return;
	for (int i = 0; i < T2_SETTING_NR; i++) {
		if (!keys[i][0] || strcmp(keys[i], entry->key))
			continue;
		if (!entry->value)
			t2_gitconfig_fault(&reading->files, "missing value for ", entry->key);
		else if (!set_default(reading->config, (enum t2_setting)i, entry->value,
				      strlen(entry->value)))
			t2_gitconfig_fault(&reading->files, no_room, entry->key);
	}
}

/* For the children: with lengths, because a value may hold any byte. */
static void hand_on(struct reading *reading)
{
	struct t2_config *config = reading->config;
	struct t2_buf out;

	t2_buf_init(&out, reading->handed_on, sizeof(reading->handed_on));
	for (int i = 0; i < T2_SETTING_NR; i++) {
		if (!config->defaults[i])
			continue;
		t2_buf_put_str(&out, t2_setting_names[i]);
		t2_buf_put_char(&out, '=');
		t2_buf_put_u64(&out, strlen(config->defaults[i]));
		t2_buf_put_char(&out, ':');
		t2_buf_put_str(&out, config->defaults[i]);
	}
	if (!out.len)
		return;
	t2_buf_put_char(&out, '\0');
	if (!t2_buf_overflowed(&out))
		t2_config_set(config, T2_SETTING_CONFIG, reading->handed_on);
	if (!config->entries[T2_SETTING_CONFIG])
		t2_gitconfig_fault(&reading->files, no_room, "trace2.*");
}

static T2_RARE void read_files(struct t2_config *config, char *const *envp)
{
	struct t2_block block;
	struct reading *reading;
	size_t len;

	if (t2_pool_claim(&block, sizeof(*reading), config))
		return;
	reading = (struct reading *)(void *)block.mem;
	reading->config = config;
	t2_gitconfig_init(&reading->files, take, reading);
	t2_gitconfig_read(&reading->files, envp);
	hand_on(reading);
	len = strlen(reading->files.fault);
	if (len && len < sizeof(config->text) - config->text_len)
		config->fault = keep(config, reading->files.fault, len);
	t2_pool_release(&block);
}

/* What the first process handed on, up to where it makes no sense. */
static T2_RARE void take_handed_on(struct t2_config *config, const char *at)
{
	const char *end = at + strlen(at);

	while (at < end) {
		const char *name = at;
		size_t len = 0;
		int setting;

		while (*at && *at != '=')
			at++;
		setting = find_setting(name, (size_t)(at - name));
		if (setting == T2_SETTING_NR || !keys[setting][0] || *at++ != '=')
			return;
		for (; *at >= '0' && *at <= '9' && len < T2_SETTINGS_SIZE; at++)
			len = len * 10 + (size_t)(*at - '0');
		if (*at++ != ':' || len > (size_t)(end - at) ||
		    !set_default(config, (enum t2_setting)setting, at, len))
			return;
		at += len;
	}
}

/*
 * Whether what the files say could matter and is not known. It is not below a
 * program that could not hand it on, being static, or not ours, or told not to.
 */
static bool has_to_read(const struct t2_config *config)
{
	const enum t2_setting targets[] = {T2_SETTING_NORMAL, T2_SETTING_PERF, T2_SETTING_EVENT};
	bool has_target = false;

	for (int i = 0; i < 3; i++) {
		const char *value = t2_config_value(config, targets[i]);

		has_target = has_target || (value && *value);
	}
	return config->is_first || !has_target;
}

/*
 * Nearly nobody's files say anything about tracing, and they are looked at in every
 * process of a build that is not traced. Who asks for warnings wants those of the files.
 */
static bool is_mentioned(const struct t2_config *config, char *const *envp)
{
	return t2_config_number(config, T2_SETTING_DST_DEBUG) > 0 ||
	       t2_gitconfig_mentions(envp, "trace2");
}

void t2_config_read_files(struct t2_config *config, char *const *envp)
{
	const char *handed_on = t2_config_value(config, T2_SETTING_CONFIG);

	config->is_first = !handed_on && !(config->parent_sid && *config->parent_sid);
	if (handed_on)
		take_handed_on(config, handed_on);
	else if (has_to_read(config) && is_mentioned(config, envp))
		read_files(config, envp);
}
