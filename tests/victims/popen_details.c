/* SPDX-License-Identifier: MIT */
/*
 * What else libc's popen does: letters of the mode, close-on-exec, earlier streams
 * that a new child must not hold open, missing standard descriptors, and ends that
 * are not the ordinary one. Confirms: whoever takes its place does it too.
 */
#include <fcntl.h>
#include <signal.h>

#include "victim.h"

/* Behind volatile pointers, so that no compiler knows better beforehand. */
static FILE *(*volatile run_popen)(const char *, const char *) = popen;
static int (*volatile run_pclose)(FILE *) = pclose;

static void check_modes(void)
{
	static const char *const refused[] = {"", "x", "rw", "r+", "wr", "e"};
	FILE *stream;
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		errno = 0;
		CHECK(!run_popen("exit 0", refused[i]) && errno == EINVAL);
	}
	stream = run_popen("exit 2", "er");
	CHECK(stream && fcntl(fileno(stream), F_GETFD) == FD_CLOEXEC);
	CHECK(WEXITSTATUS(pclose(stream)) == 2);
	stream = run_popen("exit 2", "rr");
	CHECK(stream && fcntl(fileno(stream), F_GETFD) == 0);
	CHECK(WEXITSTATUS(pclose(stream)) == 2);
}

/* Each cat ends only when nobody else holds its input. */
static void check_earlier_streams_are_closed(void)
{
	FILE *first = popen("cat", "w");
	FILE *second = popen("cat", "w");

	CHECK(first && second && fputs("first\n", first) >= 0 && pclose(first) == 0);
	CHECK(fputs("second\n", second) >= 0 && pclose(second) == 0);
}

static void check_other_ends(void)
{
	FILE *stream = popen("kill -TERM $$", "r");
	FILE *file = fopen("/dev/null", "r");
	int status;

	CHECK(stream && file);
	status = pclose(stream);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	CHECK(run_pclose(file) == 0);
	stream = popen("exit 3", "r");
	CHECK(stream && wait(&status) > 0 && WEXITSTATUS(status) == 3);
	errno = 0;
	CHECK(pclose(stream) == -1 && errno == ECHILD);
}

static void check_without_standard_descriptors(void)
{
	char line[16] = "";
	FILE *stream;
	pid_t pid = fork();

	if (pid == 0) {
		close(STDIN_FILENO);
		close(STDOUT_FILENO);
		stream = popen("echo read", "r");
		CHECK(stream && fgets(line, sizeof(line), stream));
		CHECK(strcmp(line, "read\n") == 0 && pclose(stream) == 0);
		stream = popen("read word; test \"$word\" = written", "w");
		CHECK(stream && fputs("written\n", stream) >= 0 && pclose(stream) == 0);
		_exit(0);
	}
	victim_reap(pid, 0);
}

int main(void)
{
	check_modes();
	check_earlier_streams_are_closed();
	check_other_ends();
	check_without_standard_descriptors();
	return 0;
}
