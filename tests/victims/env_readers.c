/* SPDX-License-Identifier: MIT */
/*
 * A thread reads the environment all the time while another one calls popen,
 * wordexp and system, which hand it on. Confirms: it never changes under the
 * reader, neither in content nor in place.
 */
#include <pthread.h>
#include <wordexp.h>

#include "victim.h"

extern char **environ;

static volatile int is_over;

static void *read_environment(void *unused)
{
	char **place = environ;
	char **variable;
	int nr = 0;
	int again;

	(void)unused;
	for (variable = environ; *variable; variable++)
		nr++;
	while (!is_over) {
		CHECK(environ == place);
		CHECK(!getenv("GIT_TRACE2_PARENT_SID"));
		CHECK(strcmp(getenv("WITNESS"), "1") == 0);
		again = 0;
		for (variable = environ; *variable; variable++)
			again += strchr(*variable, '=') != NULL;
		CHECK(again == nr);
	}
	return NULL;
}

int main(void)
{
	wordexp_t words;
	pthread_t reader;
	FILE *stream;
	int i;

	CHECK(setenv("WITNESS", "1", 1) == 0);
	CHECK(pthread_create(&reader, NULL, read_environment, NULL) == 0);
	for (i = 0; i < 20; i++) {
		stream = popen("exit 0", "r");
		CHECK(stream && pclose(stream) == 0);
		CHECK(wordexp("$(echo a)", &words, 0) == 0);
		wordfree(&words);
		CHECK(system("exit 0") == 0);
	}
	is_over = 1;
	CHECK(pthread_join(reader, NULL) == 0);
	return 0;
}
