/* SPDX-License-Identifier: MIT */
/*
 * Tables for people. How wide columns are is known when all rows are there.
 */
#include "command/table_build.h"
#include "command/text.h"

#include <stdlib.h>
#include <string.h>

#define GAP 2
/* What the last resort, the column with the rest, has at least. */
#define ELASTIC_MIN 12
/* Rather than leave it less, other columns are left out. */
#define ELASTIC_WISH 24

/* --- rows ------------------------------------------------------------------------- */

static bool grow(struct t2_table *table)
{
	size_t wanted = table->max_rows * 2 + 16;
	void *larger;

	if (table->nr_rows < table->max_rows)
		return true;
	larger = realloc(table->cells, wanted * (table->nr_cells + 1) * sizeof(*table->cells));
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

/* @text, clean and cut to @columns, or @brief; the caller frees it. */
static char *cut(const struct t2_table *table, const char *text, const char *brief,
		 unsigned columns)
{
	bool is_unicode = table->opts.is_unicode;
	size_t size = t2_text_clean(NULL, 0, text, is_unicode) +
		      (brief ? t2_text_clean(NULL, 0, brief, is_unicode) : 0) + 8;
	char *out = malloc(size);

	if (out)
		t2_text_elide_or(out, size, text, brief, columns, is_unicode);
	return out;
}

static unsigned measure(const struct t2_table *table, const char *text)
{
	char *clean = cut(table, text, NULL, UINT32_MAX);
	unsigned columns = clean ? t2_text_columns(clean) : 0;

	free(clean);
	return columns;
}

static bool keep_cell(const struct t2_table *table, struct t2_cell *cell,
		      const struct t2_column *column, void *row)
{
	char number[T2_TEXT_MAX];
	const char *text, *brief = NULL;

	if (t2_column_is_text(column))
		text = column->text(row);
	else
		text = t2_number_text(number, column->kind, column->number(row));
	cell->text = strdup(text ? text : "-");
	if (cell->text)
		cell->columns = measure(table, cell->text);
	if (column->brief)
		brief = column->brief(row);
	cell->brief = brief ? strdup(brief) : NULL;
	return cell->text && (cell->brief || !brief);
}

bool t2_table_keep(struct t2_table *table, void *row, bool is_bad)
{
	struct t2_cell *cells;
	bool is_kept = true;

	if (!grow(table))
		return false;
	cells = &table->cells[table->nr_rows * table->nr_cells];
	for (unsigned i = 0; i < table->nr_shown; i++)
		is_kept = keep_cell(table, &cells[i], table->shown[i].column, row) && is_kept;
	table->is_bad[table->nr_rows++] = is_bad;
	return is_kept;
}

/* --- widths ----------------------------------------------------------------------- */

static const struct t2_cell *cell_at(const struct t2_table *table, size_t row,
				     const struct t2_shown *shown)
{
	return &table->cells[row * table->nr_cells + shown->cell];
}

static bool is_elastic(const struct t2_column *column)
{
	return t2_column_is_text(column) && !column->width_max;
}

static unsigned natural_width(const struct t2_table *table, const struct t2_shown *shown)
{
	const struct t2_column *column = shown->column;
	unsigned widest = 0, title = t2_text_columns(column->title);

	for (size_t row = 0; row < table->nr_rows; row++) {
		unsigned columns = cell_at(table, row, shown)->columns;

		if (columns > widest)
			widest = columns;
	}
	if (t2_column_is_text(column) && column->width_max && widest > column->width_max)
		widest = column->width_max;
	return widest > title ? widest : title;
}

/* What all of them take; of the elastic one not more than it has to have. */
static unsigned sum_widths(const struct t2_table *table, unsigned elastic_max)
{
	unsigned sum = table->opts.indent ? (unsigned)strlen(table->opts.indent) : 0;

	for (unsigned i = 0; i < table->nr_shown; i++) {
		unsigned width = table->shown[i].width;

		if (is_elastic(table->shown[i].column) && width > elastic_max)
			width = elastic_max;
		sum += width + (i ? GAP : 0);
	}
	return sum;
}

/* Leave out the column that matters least. Returns false if there is none. */
static bool drop_column(struct t2_table *table)
{
	unsigned worst = 0, drop = 0;

	for (unsigned i = 0; i < table->nr_shown; i++) {
		if (table->shown[i].column->drop > drop) {
			drop = table->shown[i].column->drop;
			worst = i;
		}
	}
	if (!drop)
		return false;
	table->nr_shown--;
	memmove(&table->shown[worst], &table->shown[worst + 1],
		(table->nr_shown - worst) * sizeof(*table->shown));
	return true;
}

/* What the others leave goes to the column that takes the rest. */
static void find_widths(struct t2_table *table)
{
	unsigned width = table->opts.width;
	unsigned wish = table->opts.rest_min ? table->opts.rest_min : ELASTIC_WISH;

	for (unsigned i = 0; i < table->nr_shown; i++)
		table->shown[i].width = natural_width(table, &table->shown[i]);
	while (table->opts.may_drop && sum_widths(table, wish) > width && drop_column(table))
		;
	for (unsigned i = 0; i < table->nr_shown; i++) {
		unsigned others = sum_widths(table, 0);
		unsigned left = width > others + ELASTIC_MIN ? width - others : ELASTIC_MIN;

		if (is_elastic(table->shown[i].column) && table->shown[i].width > left)
			table->shown[i].width = left;
	}
}

/* --- lines ------------------------------------------------------------------------ */

static void print_aligned(const struct t2_table *table, unsigned i, const char *text)
{
	const struct t2_shown *shown = &table->shown[i];
	unsigned columns = t2_text_columns(text);
	int blanks = columns < shown->width ? (int)(shown->width - columns) : 0;
	bool is_text = t2_column_is_text(shown->column);

	fprintf(table->out, "%*s%*s%s", i ? GAP : 0, "", is_text ? 0 : blanks, "", text);
	if (is_text && i + 1 < table->nr_shown)
		fprintf(table->out, "%*s", blanks, "");
}

static void print_line(const struct t2_table *table, size_t row)
{
	bool is_red = table->is_bad[row] && table->opts.is_coloured;

	fputs(t2_style(is_red, T2_RED), table->out);
	for (unsigned i = 0; i < table->nr_shown; i++) {
		const struct t2_cell *cell = cell_at(table, row, &table->shown[i]);
		char *text = cut(table, cell->text, cell->brief, table->shown[i].width);

		print_aligned(table, i, text ? text : "");
		free(text);
	}
	fprintf(table->out, "%s\n", t2_style(is_red, T2_PLAIN));
}

static void free_rows(struct t2_table *table)
{
	for (size_t i = 0; i < table->nr_rows * table->nr_cells; i++) {
		free(table->cells[i].text);
		free(table->cells[i].brief);
	}
	free(table->cells);
	free(table->is_bad);
}

void t2_table_print(struct t2_table *table)
{
	const char *indent = table->opts.indent ? table->opts.indent : "";
	bool is_coloured = table->opts.is_coloured;

	find_widths(table);
	fprintf(table->out, "%s%s", indent, t2_style(is_coloured, T2_DIM));
	for (unsigned i = 0; i < table->nr_shown; i++)
		print_aligned(table, i, table->shown[i].column->title);
	fprintf(table->out, "%s\n", t2_style(is_coloured, T2_PLAIN));
	for (size_t row = 0; row < table->nr_rows; row++) {
		fputs(indent, table->out);
		print_line(table, row);
	}
	free_rows(table);
}
