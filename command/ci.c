/* SPDX-License-Identifier: MIT */
#include "command/ci.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "command/digest.h"
#include "command/key.h"
#include "command/text.h"
#include "command/trace.h"

/* GitHub drops a summary of a step that is near its limit of 1 MiB. */
#define SUMMARY_FILE_MAX 900000

#define TITLE_WIDTH 100
#define MESSAGE_WIDTH 500

/* GitHub shows ten of a step. */
#define ANNOTATIONS_MAX 10

static const char *const names[T2_CI_NR + 1] = {
	[T2_CI_NONE] = "none",		 [T2_CI_GITHUB] = "github",   [T2_CI_GITLAB] = "gitlab",
	[T2_CI_BUILDKITE] = "buildkite", [T2_CI_JENKINS] = "jenkins", [T2_CI_AUTO] = "auto",
};

bool t2_ci_parse(const char *name, enum t2_ci *ret_ci)
{
	for (int i = 0; i <= T2_CI_NR; i++) {
		if (!strcmp(name, names[i])) {
			*ret_ci = (enum t2_ci)i;
			return true;
		}
	}
	return false;
}

static bool is_set(const char *name)
{
	const char *value = getenv(name);

	return value && *value && strcmp(value, "false") != 0;
}

enum t2_ci t2_ci_detect(void)
{
	if (is_set("GITHUB_ACTIONS"))
		return T2_CI_GITHUB;
	if (is_set("GITLAB_CI"))
		return T2_CI_GITLAB;
	if (is_set("BUILDKITE"))
		return T2_CI_BUILDKITE;
	return is_set("JENKINS_URL") ? T2_CI_JENKINS : T2_CI_NONE;
}

void t2_ci_open_group(enum t2_ci ci, FILE *out, const char *title)
{
	char shown[4 * TITLE_WIDTH + 16];

	t2_text_elide(shown, sizeof(shown), title, TITLE_WIDTH, true);
	if (ci == T2_CI_GITHUB)
		fprintf(out, "::group::%s\n", shown);
	else if (ci == T2_CI_GITLAB)
		fprintf(out, "\033[0Ksection_start:%lld:t2_%d\r\033[0K%s\n", (long long)time(NULL),
			(int)getpid(), shown);
	else if (ci == T2_CI_BUILDKITE)
		fprintf(out, "--- %s\n", shown);
}

void t2_ci_close_group(enum t2_ci ci, FILE *out, bool has_failed)
{
	if (ci == T2_CI_GITHUB)
		fputs("::endgroup::\n", out);
	else if (ci == T2_CI_GITLAB)
		fprintf(out, "\033[0Ksection_end:%lld:t2_%d\r\033[0K\n", (long long)time(NULL),
			(int)getpid());
	else if (ci == T2_CI_BUILDKITE && has_failed)
		fputs("^^^ +++\n", out); /* opens the group it is in */
}

/* Text in a workflow command; @is_property: before the second "::". */
static void put_escaped(FILE *out, const char *text, bool is_property)
{
	for (; *text; text++) {
		if (*text == '%' || (is_property && strchr(":,", *text)))
			fprintf(out, "%%%02X", (unsigned char)*text);
		else
			fputc(*text, out);
	}
}

static void annotate_one(FILE *out, const struct t2_digest *digest, uint32_t id)
{
	char command[4 * MESSAGE_WIDTH], shown[4 * MESSAGE_WIDTH + 16], how[T2_VERDICT_SIZE];
	const struct t2_process *process = &digest->trace->processes[id];

	t2_key_name(process, command, sizeof(command));
	t2_text_elide(shown, sizeof(shown), command, TITLE_WIDTH, true);
	fputs("::error title=", out);
	put_escaped(out, shown, true);
	fprintf(out, "%%3A %s::", t2_process_verdict(how, digest, id));
	t2_key_command(process, command, sizeof(command));
	t2_text_elide(shown, sizeof(shown), command, MESSAGE_WIDTH, true);
	put_escaped(out, shown, false);
	if (process->cwd) {
		fputs("%0Ain ", out);
		t2_text_elide(shown, sizeof(shown), process->cwd, MESSAGE_WIDTH, true);
		put_escaped(out, shown, false);
	}
	fputc('\n', out);
}

void t2_ci_annotate(enum t2_ci ci, FILE *out, const struct t2_digest *digest)
{
	char shown[4 * MESSAGE_WIDTH + 16], how[T2_VERDICT_SIZE];

	if (ci != T2_CI_GITHUB || !digest->outcome.status)
		return;
	for (uint32_t i = 0; i < digest->nr_causes && i < ANNOTATIONS_MAX; i++)
		annotate_one(out, digest, digest->causes[i]);
	if (digest->nr_causes)
		return;
	t2_text_elide(shown, sizeof(shown), digest->command ? digest->command : "", MESSAGE_WIDTH,
		      true);
	fprintf(out, "::error title=t2%%3A %s::", t2_verdict(how, digest));
	put_escaped(out, shown, false);
	fputc('\n', out);
}

const char *t2_ci_summary_file(enum t2_ci ci)
{
	const char *name = ci == T2_CI_GITHUB ? getenv("GITHUB_STEP_SUMMARY") : NULL;

	return name && *name ? name : NULL;
}

void t2_ci_write_summary(const char *name, const struct t2_digest *digest)
{
	char *page = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&page, &size), *file = NULL;
	const char *trouble = NULL;
	struct stat status;

	if (memory) {
		t2_ci_print_page(memory, digest);
		fclose(memory);
	}
	file = page ? fopen(name, "ae") : NULL;
	if (!file)
		trouble = strerror(errno);
	else if (!fstat(fileno(file), &status) &&
		 (uint64_t)status.st_size + size > SUMMARY_FILE_MAX)
		trouble = "nearly full; no summary written";
	else if (fwrite(page, 1, size, file) != size)
		trouble = strerror(errno);
	if (file && fclose(file) && !trouble)
		trouble = strerror(errno);
	if (trouble)
		fprintf(stderr, "t2: %s: %s\n", name, trouble);
	free(page);
}
