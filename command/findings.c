/* SPDX-License-Identifier: MIT */
#include "command/findings_build.h"
#include "command/key.h"

#include <stdlib.h>
#include <string.h>

#define NAME_COLUMNS 40

/* --- what they share ------------------------------------------------------------------ */

void t2_finding_name(const struct t2_view *view, uint32_t id, char out[T2_FINDING_NAME_ROOM])
{
	char name[T2_FINDING_NAME_ROOM];

	t2_key_name(&view->trace->processes[id], name, sizeof(name));
	t2_text_elide(out, T2_FINDING_NAME_ROOM, name, NAME_COLUMNS, view->options->is_unicode);
}

void t2_finding_file(const struct t2_view *view, uint32_t id, char out[T2_FINDING_NAME_ROOM])
{
	char name[T2_FINDING_NAME_ROOM];

	t2_key_source(&view->trace->processes[id], name, sizeof(name));
	t2_text_elide(out, T2_FINDING_NAME_ROOM, t2_key_without_directory(name), NAME_COLUMNS,
		      view->options->is_unicode);
}

void t2_finding_command(const struct t2_view *view, uint32_t id, char out[T2_FINDING_NAME_ROOM])
{
	t2_key_line(&view->trace->processes[id], NAME_COLUMNS, view->options->is_unicode, out,
		    T2_FINDING_NAME_ROOM);
}

int64_t t2_finding_share(const struct t2_view *view, int64_t ns)
{
	return t2_text_ppm(ns, view->analysis->wall_ns);
}

void t2_finding_time(const struct t2_view *view, struct t2_words *words, int64_t ns)
{
	t2_text_duration(words->time, ns);
	t2_text_percent(words->share, t2_finding_share(view, ns));
}

/* --- all of them ------------------------------------------------------------------------ */

static const struct {
	const char *code;
	bool (*find)(const struct t2_view *view, char *out);
} kinds[] = {
	{"T2-001", t2_find_lonely_make}, {"T2-002", t2_find_stretch},
	{"T2-003", t2_find_repeats},	 {"T2-004", t2_find_spawns},
	{"T2-005", t2_find_idle},	 {"T2-006", t2_find_memory},
	{"T2-007", t2_find_retries},	 {"T2-008", t2_find_failed_execs},
	{"T2-009", t2_find_crowd},	 {"T2-010", t2_find_nested_make},
	{"T2-011", t2_find_outside},	 {"T2-012", t2_find_cache},
};

#define NR_KINDS (sizeof(kinds) / sizeof(*kinds))

bool t2_finding_exists(const char *code)
{
	for (size_t i = 0; i < NR_KINDS; i++) {
		if (!strcmp(kinds[i].code, code))
			return true;
	}
	return false;
}

static bool is_off(const char *code, const char *const *off, unsigned nr_off)
{
	for (unsigned i = 0; i < nr_off; i++) {
		if (!strcmp(off[i], code))
			return true;
	}
	return false;
}

unsigned t2_findings(const struct t2_view *view, const char *const *off, unsigned nr_off,
		     struct t2_finding findings[T2_FINDINGS_MAX])
{
	unsigned nr = 0;

	for (size_t i = 0; i < NR_KINDS; i++) {
		findings[nr].code = kinds[i].code;
		if (!is_off(kinds[i].code, off, nr_off) && kinds[i].find(view, findings[nr].text))
			nr++;
	}
	return nr;
}

void t2_finding_print(const struct t2_view *view, FILE *out, const struct t2_finding *finding)
{
	char first[16];

	snprintf(first, sizeof(first), "  %s ", finding->code);
	t2_print_wrapped(out, view->options->width, first, "         ", finding->text);
}
