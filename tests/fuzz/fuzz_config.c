/* SPDX-License-Identifier: MIT */
/*
 * git's configuration syntax, and what we hand on of it: whatever bytes a file
 * has, the parser stays within them, every key and value is a string of its own,
 * and a child gets from T2SHIM_CONFIG the very settings its parent found. Read
 * as such a hand-on, the same bytes do no harm either.
 */
#include "preload/config.h"
#include "preload/gitconfig.h"
#include "preload/param.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

static void require(int is_true)
{
	if (!is_true)
		abort();
}

static void take(void *arg, const struct t2_gitconfig_entry *entry)
{
	size_t *nr = arg;

	require(strlen(entry->key) < T2_CONFIG_KEY_SIZE);
	require(!entry->value || strlen(entry->value) < SIZE_MAX);
	t2_param_matches(entry->key, entry->value ? entry->value : "*",
			 entry->value ? strlen(entry->value) : 1);
	++*nr;
}

/* In memory of exactly the size that is asked for. */
static void parse(const uint8_t *bytes, size_t len)
{
	static struct t2_gitconfig files;
	char *text = malloc(len + 1);
	size_t nr = 0;

	memcpy(text, bytes, len);
	t2_gitconfig_init(&files, take, &nr);
	/* No file is where the includes would be looked for. */
	t2_gitconfig_parse(&files, "/nonexistent/config", text, len);
	require(nr <= len);
	free(text);
}

/* The settings of a file, and those of a child it is handed on to. */
static void hand_on(const char *path)
{
	static struct t2_config parent, child;
	char global[128];
	char *parents[] = {"GIT_CONFIG_NOSYSTEM=1", global, NULL};
	char *childs[] = {"GIT_TRACE2_PARENT_SID=x", NULL, NULL};

	snprintf(global, sizeof(global), "GIT_CONFIG_GLOBAL=%s", path);
	memset(&parent, 0, sizeof(parent));
	t2_config_read(&parent, parents);
	t2_config_read_files(&parent, parents);
	if (!parent.entries[T2_SETTING_CONFIG])
		return;
	childs[1] = strdup(parent.entries[T2_SETTING_CONFIG]);
	memset(&child, 0, sizeof(child));
	t2_config_read(&child, childs);
	t2_config_read_files(&child, childs);
	for (int i = 0; i < T2_SETTING_NR; i++) {
		const char *given = parent.defaults[i], *found = child.defaults[i];

		require(!given == !found);
		require(!given || strcmp(given, found) == 0);
	}
	free(childs[1]);
}

/* The bytes as what a parent is said to have handed on. */
static void take_over(const uint8_t *bytes, size_t len)
{
	static struct t2_config config;
	char *envp[] = {NULL, NULL};

	envp[0] = malloc(len + sizeof("T2SHIM_CONFIG="));
	strcpy(envp[0], "T2SHIM_CONFIG=");
	memcpy(envp[0] + strlen(envp[0]), bytes, len);
	envp[0][len + sizeof("T2SHIM_CONFIG=") - 1] = '\0';
	memset(&config, 0, sizeof(config));
	t2_config_read(&config, envp);
	t2_config_read_files(&config, envp);
	for (int i = 0; i < T2_SETTING_NR; i++)
		t2_config_number(&config, (enum t2_setting)i);
	free(envp[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static char path[64];
	static int fd = -1;

	if (fd < 0) {
		fd = memfd_create("config", MFD_CLOEXEC);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	}
	parse(bytes, len);
	require(ftruncate(fd, 0) == 0 && pwrite(fd, bytes, len, 0) == (ssize_t)len);
	hand_on(path);
	take_over(bytes, len);
	return 0;
}
