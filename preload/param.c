/* SPDX-License-Identifier: MIT */
#include "preload/param.h"

#include <string.h>

#include "preload/buf.h"
#include "preload/gitconfig.h"
#include "preload/limits.h"

static char lower(char c)
{
	return (char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

/*
 * Whether @c is in the set behind the '[' at @at. Moves @at behind the ']';
 * without one the '[' is an ordinary character.
 */
static bool is_in_set(char c, const char **at, const char *end)
{
	const char *set = *at + 1;
	bool is_negated = set < end && (*set == '!' || *set == '^');
	bool is_in = false;
	const char *first;

	set += is_negated;
	for (first = set; set < end && (*set != ']' || set == first); set++) {
		char low = lower(*set), high = low;

		if (end - set > 2 && set[1] == '-' && set[2] != ']') {
			set += 2;
			high = lower(*set);
		}
		is_in = is_in || (c >= low && c <= high);
	}
	if (set >= end)
		return c == *(*at)++;
	*at = set + 1;
	return is_in != is_negated;
}

/* Whether @c matches the one element at @at, which is not '*'; moves @at behind it. */
static bool matches_one(char c, const char **at, const char *end)
{
	c = lower(c);
	if (**at == '[')
		return is_in_set(c, at, end);
	if (**at == '\\' && end - *at > 1)
		++*at;
	else if (**at == '?')
		c = '?';
	return c == lower(*(*at)++);
}

bool t2_param_matches(const char *key, const char *pattern, size_t len)
{
	const char *end = pattern + len;
	const char *star = NULL; /* where to go back to: one byte more for the last star */
	const char *resume = key;

	while (*key) {
		if (pattern < end && *pattern == '*') {
			star = ++pattern;
			resume = key;
		} else if (pattern < end && matches_one(*key, &pattern, end)) {
			key++;
		} else if (star) {
			pattern = star;
			key = ++resume;
		} else {
			return false;
		}
	}
	while (pattern < end && *pattern == '*')
		pattern++;
	return pattern == end;
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The next item of the comma-separated *@list, without blanks around it; or NULL. */
static const char *next_item(const char **list, size_t *ret_len)
{
	const char *item;
	size_t len = 0;

	while (**list == ',' || is_blank(**list))
		++*list;
	item = *list;
	while (**list && **list != ',')
		++*list;
	len = (size_t)(*list - item);
	while (len && is_blank(item[len - 1]))
		len--;
	*ret_len = len;
	return len ? item : NULL;
}

/* What a collection needs while it is under way. */
struct collection {
	struct t2_params *params;
	const char *patterns;
	struct t2_buf text;
	size_t nr_dropped;
};

/* A copy of @len bytes with a NUL, or NULL if there is no room. */
static const char *copy(struct collection *to, const char *text, size_t len)
{
	const char *at = to->text.base + to->text.len;

	if (len >= to->text.cap - to->text.len)
		return NULL;
	t2_buf_put(&to->text, text, len);
	t2_buf_put_char(&to->text, '\0');
	return at;
}

static void add(struct collection *to, const char *scope, const char *name, const char *value)
{
	/* One place is kept for the count of those that have none. */
	if (name && to->params->nr < T2_PARAMS_MAX - 1)
		to->params->list[to->params->nr++] = (struct t2_param){scope, name, value};
	else
		to->nr_dropped++;
}

static void take(void *arg, const struct t2_gitconfig_entry *entry)
{
	struct collection *to = arg;
	const char *list = to->patterns;
	const char *pattern;
	size_t len;

	while ((pattern = next_item(&list, &len)) != NULL) {
		const char *name, *value = NULL;

		if (!t2_param_matches(entry->key, pattern, len))
			continue;
		name = copy(to, entry->key, strlen(entry->key));
		if (name && entry->value) {
			value = copy(to, entry->value, strlen(entry->value));
			name = value ? name : NULL;
		}
		add(to, entry->scope, name, value);
		return;
	}
}

static void collect_configuration(struct collection *to, char *const *envp, const void *owner)
{
	struct t2_block block;
	struct t2_gitconfig *files;

	if (t2_pool_claim(&block, sizeof(*files), owner))
		return;
	files = (struct t2_gitconfig *)(void *)block.mem;
	t2_gitconfig_init(files, take, to);
	t2_gitconfig_read(files, envp);
	t2_pool_release(&block);
}

static void collect_variables(struct collection *to, const char *names, char *const *envp)
{
	const char *item;
	size_t len;

	while ((item = next_item(&names, &len)) != NULL) {
		const char *name = copy(to, item, len);
		const char *value = name ? t2_config_getenv(envp, name) : NULL;

		if (!name || (value && *value))
			add(to, "command", name, value);
	}
}

static void add_dropped(struct collection *to, char text[20])
{
	struct t2_buf number;

	t2_buf_init(&number, text, 20);
	t2_buf_put_u64(&number, to->nr_dropped);
	t2_buf_put_char(&number, '\0');
	to->params->list[to->params->nr++] = (struct t2_param){"unknown", "t2shim.dropped", text};
}

static T2_RARE void collect(struct t2_params *params, const char *names, const char *patterns,
			    char *const *envp, const void *owner)
{
	const size_t list_size = T2_PARAMS_MAX * sizeof(*params->list);
	/* Variables need room for their names only. */
	size_t size = patterns ? T2_PARAMS_SIZE : T2_BLOCK_SIZE;
	struct collection to = {.params = params, .patterns = patterns};

	if (t2_pool_claim(&params->block, size, owner))
		return;
	params->list = (struct t2_param *)(void *)params->block.mem;
	/* Behind the list, and with room for the number of those left out. */
	t2_buf_init(&to.text, params->block.mem + list_size, size - list_size - 20);
	if (patterns)
		collect_configuration(&to, envp, owner);
	if (names)
		collect_variables(&to, names, envp);
	if (to.nr_dropped)
		add_dropped(&to, params->block.mem + size - 20);
}

void t2_params_collect(struct t2_params *params, const struct t2_config *config, char *const *envp,
		       const void *owner)
{
	const char *names = t2_config_value(config, T2_SETTING_ENV_VARS);
	const char *patterns = NULL;

	memset(params, 0, sizeof(*params));
	if (config->is_first)
		patterns = t2_config_value(config, T2_SETTING_CONFIG_PARAMS);
	if (names || patterns)
		collect(params, names, patterns, envp, owner);
}

void t2_params_release(struct t2_params *params)
{
	t2_pool_release(&params->block);
}
