/* SPDX-License-Identifier: MIT */
#include "preload/env.h"

#include <elf.h>
#include <string.h>

#include "preload/buf.h"
#include "preload/elf.h"
#include "preload/limits.h"
#include "preload/session.h"
#include "preload/str.h"
#include "preload/sys.h"

/* What a look through the host's vector found. */
struct survey {
	size_t nr;		 /* entries */
	bool has[T2_SETTING_NR]; /* by setting */
	const char *preload;	 /* value of the last LD_PRELOAD, which the loader obeys */
	size_t preload_index;
	bool has_library;
	bool has_sid, has_name;
	bool has_target; /* among them, or in git's configuration */
};

/* What the loader knows us by. */
static const char *library_name(const struct t2_config *config)
{
	return config->library ? t2_str_base_name(config->library) : T2_LIBRARY_NAME;
}

static void survey_entry(struct survey *s, const struct t2_config *config, const char *entry,
			 size_t index)
{
	int setting = t2_config_entry_setting(entry);
	const char *value;
	size_t len;

	if (setting < T2_SETTING_NR)
		s->has[setting] = true;
	s->has_sid = s->has_sid || t2_config_entry_value(entry, T2_PARENT_SID_VAR);
	s->has_name = s->has_name || t2_config_entry_value(entry, T2_PARENT_NAME_VAR);
	value = t2_config_entry_value(entry, T2_PRELOAD_VAR);
	if (value) {
		s->preload = value;
		s->preload_index = index;
		s->has_library = t2_config_find_library(value, library_name(config), &len);
	}
}

static struct survey survey(const struct t2_config *config, char *const *envp)
{
	struct survey s = {0};

	for (; envp && envp[s.nr] && s.nr < T2_VECTOR_MAX; s.nr++)
		survey_entry(&s, config, envp[s.nr], s.nr);
	s.has_target = s.has[T2_SETTING_NORMAL] || s.has[T2_SETTING_PERF] ||
		       s.has[T2_SETTING_EVENT] || t2_config_has_target(config, envp);
	return s;
}

static bool is_incomplete(const struct survey *s, const struct t2_config *config)
{
	if (config->library && !s->has_library)
		return true;
	for (int i = 0; i < T2_SETTING_NR; i++) {
		if (config->entries[i] && !s->has[i])
			return true;
	}
	return false;
}

/*
 * Whether every program loads us, being told to by the loader's own list. A program
 * that was given us in another way (ld.so --preload) has children without us.
 */
static T2_RARE bool is_preloaded_by_file(void)
{
	const char *name = t2_str_base_name(t2_elf_own_path());
	char list[512];
	size_t len;
	ssize_t got;
	int fd;

	fd = t2_sys_open("/etc/ld.so.preload", O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return false;
	got = t2_sys_read(fd, list, sizeof(list) - 1);
	t2_sys_close(fd);
	list[got > 0 ? got : 0] = '\0';
	for (char *at = list; *at; at++) {
		if (*at == '\n' || *at == '\t')
			*at = ' ';
	}
	return *name && t2_config_find_library(list, name, &len);
}

bool t2_env_has_library(const struct t2_config *config)
{
	if (!config->library)
		return is_preloaded_by_file();
	/* What the loader replaces in a path ("$LIB") it knows best. */
	return memchr(config->library, '$', strlen(config->library)) ||
	       !t2_sys_access(AT_FDCWD, config->library, R_OK);
}

bool t2_env_needs_restoring(const struct t2_config *config, char *const *envp)
{
	struct survey s = survey(config, envp);

	return config->propagates && is_incomplete(&s, config);
}

/* The vector being made: pointers grow from the bottom, our texts behind them. */
struct draft {
	const char **vector;
	size_t nr;
	struct t2_buf text;
	struct t2_buf marker; /* names put back */
	size_t nr_hidden;     /* entries that the shim in the child takes out again */
};

static void add(struct draft *draft, const char *entry)
{
	draft->vector[draft->nr++] = entry;
}

static void add_to_marker(struct draft *draft, const char *name)
{
	draft->nr_hidden += strcmp(name, T2_PRELOAD_APPENDED) != 0;
	if (draft->marker.len > sizeof(T2_RESTORED_VAR))
		t2_buf_put_char(&draft->marker, ',');
	t2_buf_put_str(&draft->marker, name);
}

/* Our library behind the host's own list: never before it, never instead. */
static const char *preload_entry(struct draft *draft, const char *list, const char *library)
{
	const char *entry = draft->text.base + draft->text.len;

	t2_buf_put_str(&draft->text, T2_PRELOAD_VAR "=");
	if (list && *list) {
		t2_buf_put_str(&draft->text, list);
		t2_buf_put_char(&draft->text, ':');
	}
	t2_buf_put_str(&draft->text, library);
	t2_buf_put_char(&draft->text, '\0');
	return entry;
}

/* Twice if need be: the gap that is left in the child is to be whole pairs (hide_restored()). */
static void add_marker(struct draft *draft)
{
	t2_buf_put_char(&draft->marker, '\0');
	add(draft, draft->marker.base);
	if ((draft->nr_hidden + 1) % 2)
		add(draft, draft->marker.base);
}

static void restore(struct draft *draft, const struct survey *s, const struct t2_env_gift *gift)
{
	const struct t2_config *config = gift->config;

	for (int i = 0; i < T2_SETTING_NR; i++) {
		if (!config->entries[i] || s->has[i])
			continue;
		add(draft, config->entries[i]);
		add_to_marker(draft, t2_setting_names[i]);
	}
	if (config->library && !s->has_library) {
		const char *entry = preload_entry(draft, s->preload, config->library);

		if (s->preload)
			draft->vector[s->preload_index] = entry;
		else
			add(draft, entry);
		add_to_marker(draft, s->preload ? T2_PRELOAD_APPENDED : T2_PRELOAD_VAR);
	}
	/* Who knows of a target by himself is to see his parent. */
	if (gift->sid_entry && !s->has_sid && !s->has_target)
		add_to_marker(draft, T2_PARENT_SID_VAR);
	if (gift->name_entry && !s->has_name && !s->has_target)
		add_to_marker(draft, T2_PARENT_NAME_VAR);
}

/* Told only to a program that is going to load us, and hidden again from it. */
static void confine(struct draft *draft)
{
	add(draft, T2_CONFINED_VAR "=1");
	add_to_marker(draft, T2_CONFINED_VAR);
}

/* The host's entries, with ours in the place of the same name. */
static void copy_entries(struct draft *draft, const struct survey *s, char *const *envp,
			 const struct t2_env_gift *gift)
{
	for (size_t i = 0; i < s->nr; i++) {
		const char *entry = envp[i];

		if (gift->sid_entry && t2_config_entry_value(entry, T2_PARENT_SID_VAR))
			entry = gift->sid_entry;
		else if (gift->name_entry && t2_config_entry_value(entry, T2_PARENT_NAME_VAR))
			entry = gift->name_entry;
		add(draft, entry);
	}
}

/* Room for the longest marker: every name we know, and what separates them. */
enum {
	MARKER_SIZE = sizeof(T2_RESTORED_VAR) + sizeof(T2_PRELOAD_APPENDED) +
		      sizeof(T2_PARENT_SID_VAR) + sizeof(T2_PARENT_NAME_VAR) + 1
#define T2_SETTING(id, name, key) +sizeof(name)
#include "preload/settings.def"
#undef T2_SETTING
};

char *const *t2_env_edit(const struct t2_env_gift *gift, char *const *envp, struct t2_block *block,
			 const void *owner)
{
	struct survey s = survey(gift->config, envp);
	bool restores = gift->confines ? s.has_library
				       : gift->may_restore && gift->config->propagates &&
						 is_incomplete(&s, gift->config);
	bool has_ids = gift->sid_entry || gift->name_entry;
	/* Ours and two markers on top of the host's, and the NULL. */
	size_t vector_size = (s.nr + T2_SETTING_NR + 6) * sizeof(char *);
	size_t text_size = restores ? (s.preload ? strlen(s.preload) : 0) + T2_PATH_SIZE + 16 : 0;
	struct draft draft = {0};

	/* Whoever removed the targets on purpose does not want our ids either. */
	if (!restores && (!has_ids || !s.has_target))
		return envp;
	if (t2_pool_claim(block, vector_size + text_size + MARKER_SIZE, owner))
		return envp;
	draft.vector = (const char **)(void *)block->mem;
	t2_buf_init(&draft.marker, block->mem + vector_size, MARKER_SIZE);
	t2_buf_init(&draft.text, block->mem + vector_size + MARKER_SIZE, text_size);

	copy_entries(&draft, &s, envp, gift);
	if (restores) {
		t2_buf_put_str(&draft.marker, T2_RESTORED_VAR "=");
		if (gift->confines)
			confine(&draft);
		else
			restore(&draft, &s, gift);
		add_marker(&draft);
	}
	if (gift->sid_entry && !s.has_sid)
		add(&draft, gift->sid_entry);
	if (gift->name_entry && !s.has_name)
		add(&draft, gift->name_entry);
	add(&draft, NULL);
	return (char *const *)(void *)draft.vector;
}

#if defined(__x86_64__)
#define OWN_MACHINE EM_X86_64
#elif defined(__aarch64__)
#define OWN_MACHINE EM_AARCH64
#endif

/* Whether PT_INTERP of the program whose first @len bytes are at @head is glibc's loader. */
static bool interpreter_is_ours(int fd, const char *head, size_t len)
{
	const Elf64_Ehdr *ehdr = (const void *)head;

	for (size_t i = 0; i < ehdr->e_phnum; i++) {
		size_t at = ehdr->e_phoff + i * sizeof(Elf64_Phdr);
		const Elf64_Phdr *phdr = (const void *)(head + at);
		char path[128] = "";

		if (at + sizeof(*phdr) > len)
			return true; /* unusual: leave the judgement to the loader */
		if (phdr->p_type != PT_INTERP)
			continue;
		if (t2_sys_pread(fd, path, sizeof(path) - 1, (off_t)phdr->p_offset) < 0)
			return true;
		return !t2_str_starts_with(t2_str_base_name(path), "ld-musl");
	}
	return false;
}

bool t2_env_can_load(int dirfd, const char *path, int flags)
{
	char head[832] __attribute__((aligned(8))); /* the ELF header and a dozen program headers */
	const Elf64_Ehdr *ehdr = (const void *)head;
	bool can = true;
	ssize_t len;
	int fd;

	if (flags & AT_EMPTY_PATH && !*path)
		return true;
	fd = (int)T2_SYS(SYS_openat, dirfd, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0);
	if (fd < 0)
		return true;
	len = t2_sys_read(fd, head, sizeof(head));
	if (len >= (ssize_t)sizeof(*ehdr) && !memcmp(head, ELFMAG, SELFMAG))
		can = head[EI_CLASS] == ELFCLASS64 && ehdr->e_machine == OWN_MACHINE &&
		      interpreter_is_ours(fd, head, (size_t)len);
	t2_sys_close(fd);
	return can;
}
