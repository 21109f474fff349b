/* SPDX-License-Identifier: MIT */
#include "command/table.h"

#include "command/text.h"
#include "formatters/json.h"
#include "preload/buf.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 32
#define GAP 2
/* What the last resort, the column with the rest, has at least. */
#define ELASTIC_MIN 12
/* Rather than leave it less, other columns are left out. */
#define ELASTIC_WISH 24

struct cell {
	int64_t number;
	char *text; /* NULL if it is a number, or unknown */
};

struct t2_table {
	FILE *out;
	struct t2_table_opts opts;
	const struct t2_column *columns;
	unsigned nr_columns;
	unsigned order[COLUMNS_MAX]; /* of those shown */
	unsigned nr_shown;

	struct cell *cells; /* row by row; the row at hand is the last */
	bool *is_bad;
	size_t nr_rows, max_rows;
	unsigned nr_cells; /* of the row at hand */
	bool has_printed;
};

/* --- which columns ---------------------------------------------------------------- */

static bool add_field(struct t2_table *table, const char *name, size_t len)
{
	for (unsigned i = 0; i < table->nr_columns; i++) {
		if (strlen(table->columns[i].name) != len ||
		    strncmp(table->columns[i].name, name, len))
			continue;
		if (table->nr_shown < COLUMNS_MAX)
			table->order[table->nr_shown++] = i;
		return true;
	}
	return false;
}

static bool choose(struct t2_table *table, const char *who)
{
	const char *at = table->opts.fields;

	for (unsigned i = 0; !at && i < table->nr_columns; i++) {
		if (!table->columns[i].is_hidden)
			table->order[table->nr_shown++] = i;
	}
	while (at && *at) {
		size_t len = strcspn(at, ",");

		if (!add_field(table, at, len)) {
			fprintf(stderr, "t2 %s: no such field: %.*s; there are", who, (int)len, at);
			for (unsigned i = 0; i < table->nr_columns; i++)
				fprintf(stderr, "%s %s", i ? "," : "", table->columns[i].name);
			fputc('\n', stderr);
			return false;
		}
		at += len + (at[len] == ',');
	}
	return true;
}

static bool grow(struct t2_table *table)
{
	size_t wanted = table->max_rows * 2 + 1;
	void *larger;

	if (table->nr_rows < table->max_rows)
		return true;
	larger = realloc(table->cells, wanted * table->nr_columns * sizeof(*table->cells));
	if (!larger)
		return false;
	table->cells = larger;
	larger = realloc(table->is_bad, wanted * sizeof(*table->is_bad));
	if (!larger)
		return false;
	table->is_bad = larger;
	table->max_rows = wanted;
	return true;
}

/* --- for programs ----------------------------------------------------------------- */

static const char *unit(enum t2_kind kind)
{
	static const char *const units[] = {"", "", "_ns", "_kb", "_percent"};

	return units[kind];
}

static void print_number(FILE *out, enum t2_kind kind, int64_t number)
{
	if (kind == T2_KIND_PERCENT)
		fprintf(out, "%.4f", (double)number / 10000);
	else
		fprintf(out, "%" PRId64, number);
}

void t2_print_json(FILE *out, const char *text)
{
	size_t max = strlen(text) * 6 + 3;
	struct t2_buf buf;
	char *room = malloc(max);

	if (!room)
		return;
	t2_buf_init(&buf, room, max);
	t2_json_put_string(&buf, text);
	fwrite(room, 1, buf.len, out);
	free(room);
}

static void print_csv(FILE *out, const char *text)
{
	if (!strpbrk(text, "\",\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

/* Nothing of it may be Markdown, mention somebody or end the row. */
static void print_md(FILE *out, const char *text)
{
	size_t size = t2_text_clean(NULL, 0, text, true) + 1;
	char *clean = malloc(size);

	if (!clean)
		return;
	t2_text_clean(clean, size, text, true);
	for (const char *at = clean; *at; at++) {
		if (*at == '@' || *at == '&' || *at == '<' || *at == '>')
			fprintf(out, "&#%d;", *at);
		else if (strchr("|`*_[]#\\~!", *at))
			fprintf(out, "\\%c", *at);
		else
			fputc(*at, out);
	}
	free(clean);
}

static void print_human(char *out, enum t2_kind kind, int64_t number)
{
	if (number == T2_UNKNOWN)
		strcpy(out, "-");
	else if (kind == T2_KIND_DURATION)
		t2_text_duration(out, number);
	else if (kind == T2_KIND_BYTES)
		t2_text_bytes(out, (uint64_t)number);
	else if (kind == T2_KIND_PERCENT)
		t2_text_percent(out, number);
	else
		t2_text_count(out, (uint64_t)number);
}

static void print_heads(struct t2_table *table)
{
	FILE *out = table->out;

	for (unsigned i = 0; i < table->nr_shown; i++) {
		const struct t2_column *column = &table->columns[table->order[i]];

		if (table->opts.format == T2_FORMAT_MD)
			fprintf(out, "%s %s |", i ? "" : "|", column->title);
		else
			fprintf(out, "%s%s%s", i ? "," : "", column->name, unit(column->kind));
	}
	if (table->opts.format == T2_FORMAT_MD) {
		fputs("\n|", out);
		for (unsigned i = 0; i < table->nr_shown; i++)
			fputs(table->columns[table->order[i]].kind == T2_KIND_TEXT ? " --- |"
										   : " ---: |",
			      out);
		fputc('\n', out);
	} else {
		fputs("\r\n", out);
	}
}

static void print_json_cell(FILE *out, const struct t2_column *column, const struct cell *cell)
{
	fprintf(out, "\"%s%s\":", column->name, unit(column->kind));
	if (cell->text)
		t2_print_json(out, cell->text);
	else if (cell->number == T2_UNKNOWN)
		fputs("null", out);
	else
		print_number(out, column->kind, cell->number);
}

static void print_csv_cell(FILE *out, const struct t2_column *column, const struct cell *cell)
{
	if (cell->text)
		print_csv(out, cell->text);
	else if (cell->number != T2_UNKNOWN)
		print_number(out, column->kind, cell->number);
}

static void print_md_cell(FILE *out, const struct t2_column *column, const struct cell *cell)
{
	char number[T2_TEXT_MAX];

	fputc(' ', out);
	if (cell->text) {
		print_md(out, cell->text);
	} else {
		print_human(number, column->kind, cell->number);
		fputs(number, out);
	}
	fputs(" |", out);
}

static void print_row(struct t2_table *table, const struct cell *row)
{
	enum t2_table_format format = table->opts.format;
	FILE *out = table->out;

	if (format == T2_FORMAT_JSON)
		fputs(table->has_printed ? ",\n{" : "{", out);
	else if (format == T2_FORMAT_MD)
		fputc('|', out);
	for (unsigned i = 0; i < table->nr_shown; i++) {
		const struct t2_column *column = &table->columns[table->order[i]];
		const struct cell *cell = &row[table->order[i]];

		if (i && format != T2_FORMAT_MD)
			fputc(',', out);
		if (format == T2_FORMAT_JSON)
			print_json_cell(out, column, cell);
		else if (format == T2_FORMAT_CSV)
			print_csv_cell(out, column, cell);
		else
			print_md_cell(out, column, cell);
	}
	fputs(format == T2_FORMAT_JSON ? "}" : format == T2_FORMAT_CSV ? "\r\n" : "\n", out);
	table->has_printed = true;
}

/* --- for people ------------------------------------------------------------------- */

static const struct cell *cell_at(const struct t2_table *table, size_t row, unsigned shown)
{
	return &table->cells[row * table->nr_columns + table->order[shown]];
}

/* A cell as it is to be seen; the caller frees it. */
static char *show(const struct t2_table *table, size_t row, unsigned shown, unsigned columns)
{
	const struct cell *cell = cell_at(table, row, shown);
	char number[T2_TEXT_MAX], *out;
	size_t size;

	if (!cell->text) {
		print_human(number, table->columns[table->order[shown]].kind, cell->number);
		return strdup(number);
	}
	size = t2_text_clean(NULL, 0, cell->text, table->opts.is_unicode) + 8;
	out = malloc(size);
	if (out)
		t2_text_elide(out, size, cell->text, columns, table->opts.is_unicode);
	return out;
}

static unsigned width_of(const struct t2_table *table, unsigned shown)
{
	const struct t2_column *column = &table->columns[table->order[shown]];
	unsigned widest = t2_text_columns(column->title);

	for (size_t row = 0; row < table->nr_rows; row++) {
		char *text = show(table, row, shown, UINT32_MAX);
		unsigned columns = text ? t2_text_columns(text) : 0;

		free(text);
		if (columns > widest)
			widest = columns;
	}
	if (column->kind == T2_KIND_TEXT && column->width_max && widest > column->width_max)
		widest = column->width_max;
	return widest;
}

static bool is_elastic(const struct t2_table *table, unsigned shown)
{
	const struct t2_column *column = &table->columns[table->order[shown]];

	return column->kind == T2_KIND_TEXT && !column->width_max;
}

/* What all of them take; of the elastic one not more than it has to have. */
static unsigned sum_widths(const struct t2_table *table, const unsigned *widths,
			   unsigned elastic_max)
{
	unsigned sum = table->opts.indent ? (unsigned)strlen(table->opts.indent) : 0;

	for (unsigned i = 0; i < table->nr_shown; i++) {
		bool is_cut = is_elastic(table, i) && widths[i] > elastic_max;

		sum += (is_cut ? elastic_max : widths[i]) + (i ? GAP : 0);
	}
	return sum;
}

/* Leave out the column that matters least. Returns false if there is none. */
static bool drop_column(struct t2_table *table, unsigned *widths)
{
	unsigned worst = 0, drop = 0;

	for (unsigned i = 0; i < table->nr_shown; i++) {
		if (table->columns[table->order[i]].drop > drop) {
			drop = table->columns[table->order[i]].drop;
			worst = i;
		}
	}
	if (!drop || table->opts.fields)
		return false;
	table->nr_shown--;
	for (unsigned i = worst; i < table->nr_shown; i++) {
		table->order[i] = table->order[i + 1];
		widths[i] = widths[i + 1];
	}
	return true;
}

/* What the others leave goes to the column that takes the rest. */
static void find_widths(struct t2_table *table, unsigned *widths)
{
	unsigned width = table->opts.width;

	for (unsigned i = 0; i < table->nr_shown; i++)
		widths[i] = width_of(table, i);
	while (sum_widths(table, widths, ELASTIC_WISH) > width && drop_column(table, widths))
		;
	for (unsigned i = 0; i < table->nr_shown; i++) {
		unsigned others = sum_widths(table, widths, 0);
		unsigned left = width > others + ELASTIC_MIN ? width - others : ELASTIC_MIN;

		if (is_elastic(table, i) && widths[i] > left)
			widths[i] = left;
	}
}

static void pad(FILE *out, unsigned nr)
{
	fprintf(out, "%*s", (int)nr, "");
}

static void print_aligned(const struct t2_table *table, unsigned shown, const char *text,
			  unsigned width)
{
	bool is_text = table->columns[table->order[shown]].kind == T2_KIND_TEXT;
	unsigned columns = t2_text_columns(text);
	unsigned blanks = columns < width ? width - columns : 0;

	if (shown)
		pad(table->out, GAP);
	if (!is_text)
		pad(table->out, blanks);
	fputs(text, table->out);
	if (is_text && shown + 1 < table->nr_shown)
		pad(table->out, blanks);
}

static void print_text(struct t2_table *table)
{
	const char *indent = table->opts.indent ? table->opts.indent : "";
	unsigned widths[COLUMNS_MAX];
	FILE *out = table->out;

	find_widths(table, widths);
	fprintf(out, "%s%s", indent, t2_style(table->opts.is_coloured, T2_DIM));
	for (unsigned i = 0; i < table->nr_shown; i++)
		print_aligned(table, i, table->columns[table->order[i]].title, widths[i]);
	fprintf(out, "%s\n", t2_style(table->opts.is_coloured, T2_PLAIN));
	for (size_t row = 0; row < table->nr_rows; row++) {
		bool is_red = table->is_bad[row] && table->opts.is_coloured;

		fprintf(out, "%s%s", indent, t2_style(is_red, T2_RED));
		for (unsigned i = 0; i < table->nr_shown; i++) {
			char *text = show(table, row, i, widths[i]);

			print_aligned(table, i, text ? text : "", widths[i]);
			free(text);
		}
		fprintf(out, "%s\n", t2_style(is_red, T2_PLAIN));
	}
}

const char *t2_style(bool is_coloured, enum t2_style style)
{
	static const char *const codes[] = {"\033[0m", "\033[1m", "\033[31m", "\033[2m"};

	return is_coloured ? codes[style] : "";
}

/* --- from begin to end -------------------------------------------------------------- */

struct t2_table *t2_table_begin(FILE *out, const struct t2_table_opts *opts,
				const struct t2_column *columns, unsigned nr, const char *who)
{
	struct t2_table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	table->out = out;
	table->opts = *opts;
	table->columns = columns;
	table->nr_columns = nr;
	if (!choose(table, who) || !grow(table)) {
		free(table);
		return NULL;
	}
	if (opts->format == T2_FORMAT_JSON)
		fputc('[', out);
	else if (opts->format != T2_FORMAT_TEXT)
		print_heads(table);
	return table;
}

static struct cell *next_cell(struct t2_table *table)
{
	return &table->cells[table->nr_rows * table->nr_columns + table->nr_cells++];
}

void t2_table_text(struct t2_table *table, const char *text)
{
	*next_cell(table) = (struct cell){T2_UNKNOWN, text ? strdup(text) : NULL};
}

void t2_table_number(struct t2_table *table, int64_t number)
{
	*next_cell(table) = (struct cell){number, NULL};
}

static void free_row(struct t2_table *table, size_t row)
{
	for (unsigned i = 0; i < table->nr_columns; i++)
		free(table->cells[row * table->nr_columns + i].text);
}

bool t2_table_row(struct t2_table *table, bool is_bad)
{
	table->nr_cells = 0;
	if (table->opts.format != T2_FORMAT_TEXT) {
		print_row(table, &table->cells[0]);
		free_row(table, 0);
		return true;
	}
	table->is_bad[table->nr_rows++] = is_bad;
	return grow(table);
}

void t2_table_end(struct t2_table *table)
{
	if (!table)
		return;
	if (table->opts.format == T2_FORMAT_TEXT)
		print_text(table);
	else if (table->opts.format == T2_FORMAT_JSON)
		fputs("]\n", table->out);
	for (size_t row = 0; row < table->nr_rows; row++)
		free_row(table, row);
	free(table->cells);
	free(table->is_bad);
	free(table);
}
