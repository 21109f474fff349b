/* SPDX-License-Identifier: MIT */
/*
 * The summary page. Commands are hostile text: in tables and in the title they are code
 * spans, in which nothing is a link; in fenced blocks, where they cannot begin a line, they
 * are as they are; in findings every character that means something is a number.
 */
#include <stdlib.h>
#include <string.h>

#include "command/analysis.h"
#include "command/ci.h"
#include "command/digest.h"
#include "command/findings.h"
#include "command/key.h"
#include "command/machine.h"
#include "command/map.h"
#include "command/print.h"
#include "command/sort.h"
#include "command/strings.h"
#include "command/text.h"
#include "command/trace.h"

#define WIDTH 200
#define ROWS_MAX 20

/* What failures may take of the page; the rest is known to fit. */
#define FAILURES_MAX (T2_CI_PAGE_MAX - 44000)

/* The same of findings. */
#define FINDINGS_MAX 6000

/* Ancestors that are named. */
#define CHAIN_MAX 8

static char *show(char *out, const char *text)
{
	t2_text_elide(out, 4 * WIDTH + 16, text, WIDTH, true);
	return out;
}

/* Where "www." is one, the text is a link, whatever is around it. */
static void put_escaped(FILE *out, const char *text)
{
	for (const char *at = text; *at; at++) {
		if (strchr("&<>|`@*_[]~\\#!:\"'.", *at))
			fprintf(out, "&#%d;", *at);
		else
			fputc(*at, out);
	}
}

static void put_cell(FILE *out, const char *text)
{
	char shown[4 * WIDTH + 16];

	t2_print_md(out, show(shown, text));
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static void print_verdict(FILE *out, const struct t2_digest *digest)
{
	char how[T2_VERDICT_SIZE], wall[T2_TEXT_MAX], shown[4 * WIDTH + 16];

	fputs(digest->outcome.status ? "### \u274c " : "### \u2705 ", out);
	t2_print_md_line(out, show(shown, digest->command ? digest->command : ""));
	fprintf(out, " %s after %s\n\n", t2_verdict(how, digest),
		t2_text_duration(wall, digest->outcome.wall_ns));
}

static void print_parallelism(FILE *out, const struct t2_analysis *analysis)
{
	if (!analysis || !analysis->wall_ns) {
		fputs("| Busy processes | not recorded |\n", out);
		return;
	}
	fprintf(out, "| Busy processes | %.1f on average; at most one for %.0f%% of the time |\n",
		(double)analysis->busy_ns / (double)analysis->wall_ns,
		percent((double)analysis->serial_ns, (double)analysis->wall_ns));
}

static void print_table(FILE *out, const struct t2_digest *digest)
{
	const struct t2_analysis *analysis = digest->analysis;
	double had = (double)digest->outcome.wall_ns * digest->nr_cpus;
	char one[T2_TEXT_MAX], name[256];

	fputs("| | |\n| --- | --- |\n", out);
	fprintf(out, "| Wall clock | %s |\n", t2_text_duration(one, digest->outcome.wall_ns));
	fprintf(out, "| CPU time | %s (%.0f%% of %u CPUs) |\n",
		t2_text_duration(one, (int64_t)digest->cpu_ns),
		percent((double)digest->cpu_ns, had), digest->nr_cpus);
	print_parallelism(out, analysis);
	fprintf(out, "| Peak memory of a process | %s", t2_text_bytes(one, digest->max_rss_kb));
	if (analysis && analysis->max_rss_process != T2_ROOT) {
		t2_key_name(&digest->trace->processes[analysis->max_rss_process], name,
			    sizeof(name));
		fputs(" ", out);
		put_cell(out, name);
	}
	fprintf(out, " |\n| Processes | %s", t2_text_count(one, digest->nr_processes));
	if (digest->nr_failed)
		fprintf(out, "; %s did not end with 0", t2_text_count(one, digest->nr_failed));
	if (digest->nr_outside)
		fprintf(out, "; %s seen only by their parents",
			t2_text_count(one, digest->nr_outside));
	fputs(" |\n| Events | ", out);
	put_cell(out, digest->data);
	fprintf(out, ", %s |\n\n", t2_text_bytes(one, digest->data_kb));
}

/* "make > sh > gcc": the nearest ancestors of @id within the run. */
static void print_chain(FILE *out, const struct t2_digest *digest, uint32_t id)
{
	const struct t2_process *processes = digest->trace->processes;
	uint32_t chain[CHAIN_MAX], nr = 0;
	char name[256], shown[4 * WIDTH + 16];

	for (; id != T2_ROOT && nr < CHAIN_MAX; id = processes[id].parent) {
		chain[nr++] = id;
		if (id == digest->root)
			break;
	}
	fputs("    ", out);
	while (nr--) {
		t2_key_name(&processes[chain[nr]], name, sizeof(name));
		fprintf(out, "%s%s", show(shown, name), nr ? " > " : "\n");
	}
}

static void print_failure(FILE *out, const struct t2_digest *digest, uint32_t id)
{
	const struct t2_process *process = &digest->trace->processes[id];
	char command[4096], shown[4 * WIDTH + 16], how[T2_VERDICT_SIZE], took[T2_TEXT_MAX];

	t2_key_command(process, command, sizeof(command));
	fprintf(out, "[%s] %s\n", t2_process_verdict(how, digest, id), show(shown, command));
	fprintf(out, "    after %s", t2_text_duration(took, process->end_ns - process->start_ns));
	if (process->cwd)
		fprintf(out, " in %s", show(shown, process->cwd));
	fputc('\n', out);
	print_chain(out, digest, id);
}

static void print_failures(FILE *out, const struct t2_digest *digest)
{
	const long start = ftell(out);
	uint32_t i;

	if (!digest->nr_causes)
		return;
	fputs("**What failed**\n\n```text\n", out);
	for (i = 0; i < digest->nr_causes && i < T2_DIGEST_CAUSES; i++) {
		if (ftell(out) - start > FAILURES_MAX)
			break;
		print_failure(out, digest, digest->causes[i]);
	}
	if (i < digest->nr_causes)
		fprintf(out, "and %u more\n", digest->nr_causes - i);
	fputs("```\n\n", out);
}

/* --- where the time went ---------------------------------------------------------- */

struct row {
	const char *name;
	int64_t weighted_ns;
	uint64_t cpu_ns;
	uint32_t count, max_rss_kb;
};

struct rows {
	struct row *all;
	uint32_t nr;
	struct t2_strings names;
	struct t2_map by_name;
};

static struct row *row_of(struct rows *rows, const struct t2_process *process)
{
	char text[256];
	size_t len = t2_key_name(process, text, sizeof(text));
	const char *name =
		t2_strings_keep(&rows->names, text, len < sizeof(text) ? len : sizeof(text) - 1);
	uint32_t at = name ? t2_map_get(&rows->by_name, (uintptr_t)name) : T2_MAP_NONE;

	if (name && at == T2_MAP_NONE && t2_map_put(&rows->by_name, (uintptr_t)name, rows->nr)) {
		at = rows->nr++;
		rows->all[at] = (struct row){.name = name};
	}
	return at == T2_MAP_NONE ? NULL : &rows->all[at];
}

static void fill(struct rows *rows, const struct t2_digest *digest)
{
	const struct t2_trace *trace = digest->trace;
	uint32_t end = trace->processes[digest->root].end_id;

	for (uint32_t id = digest->root ? digest->root : 1; id < end; id++) {
		const struct t2_process *process = &trace->processes[id];
		struct row *row = row_of(rows, process);

		if (!row)
			continue;
		row->count++;
		row->weighted_ns += digest->analysis->usage[id].weighted_ns;
		row->cpu_ns += process->cpu_ns;
		if (process->self.max_rss_kb > row->max_rss_kb)
			row->max_rss_kb = process->self.max_rss_kb;
	}
}

static void print_row(FILE *out, const struct row *row, int64_t wall_ns)
{
	char weighted[T2_TEXT_MAX], count[T2_TEXT_MAX], cpu[T2_TEXT_MAX], rss[T2_TEXT_MAX];

	fprintf(out, "| %s | %.0f%% | %s | %s | %s | ",
		t2_text_duration(weighted, row->weighted_ns),
		percent((double)row->weighted_ns, (double)wall_ns),
		t2_text_count(count, row->count), t2_text_duration(cpu, (int64_t)row->cpu_ns),
		t2_text_bytes(rss, row->max_rss_kb));
	put_cell(out, row->name);
	fputs(" |\n", out);
}

static void print_rows(FILE *out, const struct rows *rows, int64_t wall_ns, int64_t nobody_ns)
{
	struct t2_sort_item *order = calloc(rows->nr, sizeof(*order));
	int64_t rest_ns = 0;
	char text[T2_TEXT_MAX];

	for (uint32_t i = 0; order && i < rows->nr; i++)
		order[i] = (struct t2_sort_item){.key = -rows->all[i].weighted_ns, .value = i};
	if (order && t2_sort(order, rows->nr)) {
		for (uint32_t i = 0; i < rows->nr; i++) {
			if (i < ROWS_MAX)
				print_row(out, &rows->all[order[i].value], wall_ns);
			else
				rest_ns += rows->all[order[i].value].weighted_ns;
		}
	}
	if (rows->nr > ROWS_MAX)
		fprintf(out, "| %s | %.0f%% | | | | %u more |\n", t2_text_duration(text, rest_ns),
			percent((double)rest_ns, (double)wall_ns), rows->nr - ROWS_MAX);
	if (nobody_ns)
		fprintf(out, "| %s | %.0f%% | | | | nobody busy |\n",
			t2_text_duration(text, nobody_ns),
			percent((double)nobody_ns, (double)wall_ns));
	free(order);
}

static void print_times(FILE *out, const struct t2_digest *digest)
{
	const struct t2_analysis *analysis = digest->analysis;
	struct rows rows = {0};

	if (!analysis)
		return;
	rows.all = calloc(digest->trace->nr_processes, sizeof(*rows.all));
	if (rows.all) {
		fill(&rows, digest);
		fputs("<details><summary>Where the time went</summary>\n\n"
		      "| weighted | | count | CPU | max RSS | command |\n"
		      "| ---: | ---: | ---: | ---: | ---: | --- |\n",
		      out);
		print_rows(out, &rows, analysis->wall_ns, analysis->nobody_ns);
		fputs("\nWeighted: the wall clock, shared among those that were busy at the time."
		      "\n\n</details>\n\n",
		      out);
	}
	t2_map_free(&rows.by_name);
	t2_strings_free(&rows.names);
	free(rows.all);
}

static void print_findings(FILE *out, const struct t2_digest *digest)
{
	const struct t2_options options = {
		.nr_cpus = digest->nr_cpus,
		.memory_kb = t2_machine_memory_kb(),
		.has_cpus = true,
		.has_memory = true,
		.is_unicode = true,
	};
	const struct t2_view view = {
		.options = &options,
		.trace = digest->trace,
		.analysis = digest->analysis,
		.root = digest->root,
	};
	struct t2_finding findings[T2_FINDINGS_MAX];
	unsigned nr = digest->analysis ? t2_findings(&view, NULL, 0, findings) : 0;
	const long start = ftell(out);

	if (nr)
		fputs("**What could be better**\n\n", out);
	for (unsigned i = 0; i < nr && ftell(out) - start < FINDINGS_MAX; i++) {
		fprintf(out, "- %s ", findings[i].code);
		put_escaped(out, findings[i].text);
		fputc('\n', out);
	}
	if (nr)
		fputc('\n', out);
}

void t2_ci_print_page(FILE *out, const struct t2_digest *digest)
{
	print_verdict(out, digest);
	print_table(out, digest);
	print_failures(out, digest);
	print_findings(out, digest);
	print_times(out, digest);
}
