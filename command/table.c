/* SPDX-License-Identifier: MIT */
#include "command/table.h"

#include "command/table_build.h"
#include "command/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const units[] = {
	[T2_KIND_TEXT] = "",	 [T2_KIND_WORD] = "",
	[T2_KIND_LIST] = "",	 [T2_KIND_ID] = "",
	[T2_KIND_COUNT] = "",	 [T2_KIND_DURATION] = "_ns",
	[T2_KIND_BYTES] = "_kb", [T2_KIND_PERCENT] = "_percent",
};

/* --- which columns ---------------------------------------------------------------- */

const struct t2_column *t2_column_find(const struct t2_column *columns, const char *name,
				       size_t len)
{
	for (; columns->name; columns++) {
		if (strlen(columns->name) == len && !strncmp(columns->name, name, len))
			return columns;
	}
	return NULL;
}

static void show(struct t2_table *table, const struct t2_column *column)
{
	table->shown[table->nr_shown] = (struct t2_shown){column, table->nr_shown, 0};
	table->nr_shown++;
}

static bool choose(struct t2_table *table, const struct t2_column *columns)
{
	const char *at = table->opts.fields;
	size_t max = at ? strlen(at) : 0;

	for (unsigned i = 0; columns[i].name; i++)
		max++;
	table->shown = calloc(max + 1, sizeof(*table->shown));
	if (!table->shown)
		return false;
	for (unsigned i = 0; !at && columns[i].name; i++)
		show(table, &columns[i]);
	while (at && *at) {
		size_t len = strcspn(at, ",");
		const struct t2_column *column = t2_column_find(columns, at, len);

		if (column)
			show(table, column);
		at += len + (at[len] == ',');
	}
	table->nr_cells = table->nr_shown;
	return true;
}

/* --- heads ------------------------------------------------------------------------ */

static void print_csv_head(const struct t2_table *table)
{
	for (unsigned i = 0; i < table->nr_shown; i++) {
		const struct t2_column *column = table->shown[i].column;

		fprintf(table->out, "%s%s%s", i ? "," : "", column->name, units[column->kind]);
	}
	fputs("\r\n", table->out);
}

static void print_md_head(const struct t2_table *table)
{
	for (unsigned i = 0; i < table->nr_shown; i++)
		fprintf(table->out, "%s %s |", i ? "" : "|", table->shown[i].column->title);
	fputs("\n|", table->out);
	for (unsigned i = 0; i < table->nr_shown; i++)
		fputs(t2_column_is_text(table->shown[i].column) ? " --- |" : " ---: |", table->out);
	fputc('\n', table->out);
}

/* --- cells ------------------------------------------------------------------------ */

const char *t2_number_text(char *out, enum t2_kind kind, int64_t number)
{
	if (number == T2_UNKNOWN)
		return "-";
	switch (kind) {
	case T2_KIND_DURATION:
		return t2_text_duration(out, number);
	case T2_KIND_BYTES:
		return t2_text_bytes(out, (uint64_t)number);
	case T2_KIND_PERCENT:
		return t2_text_percent(out, number);
	case T2_KIND_COUNT:
		return t2_text_count(out, (uint64_t)number);
	default:
		snprintf(out, T2_TEXT_MAX, "%" PRId64, number);
		return out;
	}
}

static void print_number(FILE *out, enum t2_kind kind, int64_t number)
{
	if (kind == T2_KIND_PERCENT)
		fprintf(out, "%.4f", (double)number / 10000);
	else
		fprintf(out, "%" PRId64, number);
}

static void print_json_cell(FILE *out, const struct t2_column *column, void *row)
{
	const char *text = t2_column_is_text(column) ? column->text(row) : NULL;
	int64_t number = t2_column_is_text(column) ? T2_UNKNOWN : column->number(row);

	fprintf(out, "\"%s%s\":", column->name, units[column->kind]);
	if (text && column->kind == T2_KIND_LIST)
		fputs(text, out);
	else if (text)
		t2_print_json(out, text);
	else if (number == T2_UNKNOWN)
		fputs("null", out);
	else
		print_number(out, column->kind, number);
}

static void print_csv_cell(FILE *out, const struct t2_column *column, void *row)
{
	const char *text = t2_column_is_text(column) ? column->text(row) : NULL;
	int64_t number = t2_column_is_text(column) ? T2_UNKNOWN : column->number(row);

	if (text)
		t2_print_csv(out, text);
	else if (number != T2_UNKNOWN)
		print_number(out, column->kind, number);
}

static void print_md_cell(FILE *out, const struct t2_column *column, void *row)
{
	const char *text = t2_column_is_text(column) ? column->text(row) : NULL;
	int64_t number = t2_column_is_text(column) ? T2_UNKNOWN : column->number(row);
	char room[T2_TEXT_MAX];

	fputc(' ', out);
	if (text && column->kind == T2_KIND_WORD)
		fputs(text, out);
	else if (text)
		t2_print_md(out, text);
	else
		fputs(t2_number_text(room, column->kind, number), out);
	fputs(" |", out);
}

/* --- rows for programs ------------------------------------------------------------ */

/* What is around the rows and cells of a format. */
static const struct look {
	const char *begin, *row, *between_rows, *between_cells, *row_end, *end;
	void (*cell)(FILE *out, const struct t2_column *column, void *row);
} looks[] = {
	[T2_OUTPUT_JSON] = {"[", "{", ",\n", ",", "}", "]\n", print_json_cell},
	[T2_OUTPUT_CSV] = {"", "", "", ",", "\r\n", "", print_csv_cell},
	[T2_OUTPUT_MD] = {"", "|", "", "", "\n", "", print_md_cell},
};

static void print_row(struct t2_table *table, void *row)
{
	const struct look *look = &looks[table->opts.format];

	fputs(table->has_printed ? look->between_rows : "", table->out);
	fputs(look->row, table->out);
	for (unsigned i = 0; i < table->nr_shown; i++) {
		fputs(i ? look->between_cells : "", table->out);
		look->cell(table->out, table->shown[i].column, row);
	}
	fputs(look->row_end, table->out);
	table->has_printed = true;
}

/* --- from begin to end -------------------------------------------------------------- */

struct t2_table *t2_table_begin(FILE *out, const struct t2_table_opts *opts,
				const struct t2_column *columns)
{
	struct t2_table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	table->out = out;
	table->opts = *opts;
	if (!choose(table, columns)) {
		free(table);
		return NULL;
	}
	if (opts->format != T2_OUTPUT_TEXT)
		fputs(looks[opts->format].begin, out);
	if (opts->format == T2_OUTPUT_CSV)
		print_csv_head(table);
	else if (opts->format == T2_OUTPUT_MD)
		print_md_head(table);
	return table;
}

bool t2_table_row(struct t2_table *table, void *row, bool is_bad)
{
	if (table->opts.format == T2_OUTPUT_TEXT)
		return t2_table_keep(table, row, is_bad);
	print_row(table, row);
	return true;
}

void t2_table_end(struct t2_table *table)
{
	if (!table)
		return;
	if (table->opts.format == T2_OUTPUT_TEXT)
		t2_table_print(table);
	else
		fputs(looks[table->opts.format].end, table->out);
	free(table->shown);
	free(table);
}
