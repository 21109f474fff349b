/* SPDX-License-Identifier: MIT */
#include "command/digest.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "command/analysis.h"
#include "command/command.h"
#include "command/key.h"
#include "command/print.h"
#include "command/text.h"
#include "command/trace.h"

#define LINE_MAX_WIDTH 1000

static char *verdict(char *out, int code, int signo)
{
	const char *name = signo ? sigabbrev_np(signo) : NULL;

	if (name)
		snprintf(out, T2_VERDICT_SIZE, "killed by SIG%s", name);
	else if (signo)
		snprintf(out, T2_VERDICT_SIZE, "killed by signal %d", signo);
	else if (code)
		snprintf(out, T2_VERDICT_SIZE, "exit %d", code);
	else
		snprintf(out, T2_VERDICT_SIZE, "ok");
	return out;
}

char *t2_verdict(char *out, const struct t2_digest *digest)
{
	int status = digest->outcome.status;

	return WIFSIGNALED(status) ? verdict(out, 0, WTERMSIG(status))
				   : verdict(out, WEXITSTATUS(status), 0);
}

char *t2_process_verdict(char *out, const struct t2_digest *digest, uint32_t id)
{
	const struct t2_trace *trace = digest->trace;
	const struct t2_process *process = &trace->processes[id];

	while (process->end == T2_END_EXEC && process->next_exec != T2_NO_PROCESS)
		process = &trace->processes[process->next_exec];
	return verdict(out, process->code, process->signo);
}

/* "t2: BEFORE" COMMAND "AFTER", the command as long as there is room. */
static void print_line(FILE *out, const struct t2_digest *digest, size_t width, const char *before,
		       const char *command, const char *after)
{
	char shown[4 * LINE_MAX_WIDTH + 16], line[6 * LINE_MAX_WIDTH];
	size_t used = strlen("t2: ") + strlen(before) + strlen(after);

	if (width > LINE_MAX_WIDTH)
		width = LINE_MAX_WIDTH;
	t2_text_elide(shown, sizeof(shown), command,
		      width > used + 10 ? (unsigned)(width - used) : 10, digest->is_unicode);
	snprintf(line, sizeof(line), "%s%s%s", before, shown, after);
	/* In columns, not in bytes: only what cannot be cut may be too long. */
	t2_print_wrapped(out, (unsigned)(width + strlen(shown) - t2_text_columns(shown)),
			 "t2: ", "t2: ", line);
}

static void print_verdict(FILE *out, const struct t2_digest *digest, size_t width)
{
	char how[T2_VERDICT_SIZE], wall[T2_TEXT_MAX], after[2 * T2_VERDICT_SIZE];

	snprintf(after, sizeof(after), ": %s after %s", t2_verdict(how, digest),
		 t2_text_duration(wall, digest->outcome.wall_ns));
	print_line(out, digest, width, "", digest->command ? digest->command : "command", after);
}

static void print_use(FILE *out, const struct t2_digest *digest, size_t width)
{
	char cpu[T2_TEXT_MAX], rss[T2_TEXT_MAX], nr[T2_TEXT_MAX];
	char share[64] = "", processes[64] = "", line[4 * 64];
	double had = (double)digest->outcome.wall_ns * digest->nr_cpus;

	if (had > 0)
		snprintf(share, sizeof(share), " (%.0f%% of %u CPU%s)",
			 100 * (double)digest->cpu_ns / had, digest->nr_cpus,
			 digest->nr_cpus == 1 ? "" : "s");
	if (digest->nr_processes)
		snprintf(processes, sizeof(processes), ", %s process%s",
			 t2_text_count(nr, digest->nr_processes),
			 digest->nr_processes == 1 ? "" : "es");
	snprintf(line, sizeof(line), "CPU %s%s, peak RSS %s%s",
		 t2_text_duration(cpu, (int64_t)digest->cpu_ns), share,
		 t2_text_bytes(rss, digest->max_rss_kb), processes);
	t2_print_wrapped(out, (unsigned)width, "t2: ", "t2: ", line);
}

static void print_cause(FILE *out, const struct t2_digest *digest, size_t width)
{
	const struct t2_process *process = &digest->trace->processes[digest->causes[0]];
	char command[4 * LINE_MAX_WIDTH + 16], how[T2_VERDICT_SIZE], after[2 * T2_VERDICT_SIZE];
	size_t used = strlen("t2: failed first: ");

	snprintf(after, sizeof(after), ": %s", t2_process_verdict(how, digest, digest->causes[0]));
	if (digest->nr_causes > 1)
		snprintf(after + strlen(after), sizeof(after) - strlen(after), " (and %u more)",
			 digest->nr_causes - 1);
	used += strlen(after);
	t2_key_line(process, width > used + 10 ? (unsigned)(width - used) : 10, digest->is_unicode,
		    command, sizeof(command));
	print_line(out, digest, width, "failed first: ", command, after);
}

static bool has_command(const char *name)
{
	for (const struct t2_command *const *command = t2_commands; *command; command++) {
		if (!strcmp((*command)->name, name))
			return true;
	}
	return false;
}

static void print_data(FILE *out, const struct t2_digest *digest, size_t width)
{
	char size[T2_TEXT_MAX], after[128] = "";

	if (digest->data_kb)
		snprintf(after, sizeof(after), " (%s)", t2_text_bytes(size, digest->data_kb));
	if (digest->trace && !digest->is_joined && has_command("report"))
		strcat(after, strcmp(digest->data, "t2.data") ? "; t2 report FILE tells more"
							      : "; t2 report tells more");
	else if (!digest->trace && !digest->data_kb)
		strcat(after, ": nothing recorded; is it static or set-user-ID?");
	print_line(out, digest, width, "events in ", digest->data, after);
	if (digest->instead)
		print_line(out, digest, width, "and not in ", digest->instead,
			   ", which GIT_TRACE2_EVENT names");
}

void t2_digest_print_short(FILE *out, const struct t2_digest *digest, size_t width)
{
	print_verdict(out, digest, width);
	/* Not if it is the command itself. */
	if (digest->nr_causes &&
	    digest->trace->processes[digest->causes[0]].pid != digest->outcome.pid)
		print_cause(out, digest, width);
	print_use(out, digest, width);
	print_data(out, digest, width);
}
