/* SPDX-License-Identifier: MIT */
/*
 * command/table.c, command/table_text.c, command/print.c: tables as people and programs
 * read them, of text that means no good.
 */
#include "command/table.h"
#include "command/text.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS INT64_C(1000000)

struct row {
	int64_t time, size;
	const char *what;
};

static int64_t get_time(const void *row)
{
	return ((const struct row *)row)->time;
}

static int64_t get_size(const void *row)
{
	return ((const struct row *)row)->size;
}

static const char *get_what(void *row)
{
	return ((const struct row *)row)->what;
}

static const struct t2_column columns[] = {
	{.name = "time", .title = "time", .kind = T2_KIND_DURATION, .number = get_time},
	{.name = "size", .title = "size", .kind = T2_KIND_BYTES, .drop = 1, .number = get_size},
	{.name = "what", .title = "what", .kind = T2_KIND_TEXT, .text = get_what},
	{.name = "short", .title = "short", .kind = T2_KIND_TEXT, .width_max = 4, .text = get_what},
	{.name = "list", .title = "list", .kind = T2_KIND_LIST, .width_max = 9, .text = get_what},
	{.name = "id", .title = "id", .kind = T2_KIND_ID, .number = get_time},
	{.name = "share", .title = "%", .kind = T2_KIND_PERCENT, .number = get_time},
	{.name = "nr", .title = "nr", .kind = T2_KIND_COUNT, .number = get_time},
	{0},
};

/* The caller frees it. */
static char *render(struct t2_table_opts opts, struct row *rows, size_t nr)
{
	char *out = NULL;
	size_t size;
	FILE *file = open_memstream(&out, &size);
	struct t2_table *table;

	opts.fields = opts.fields ? opts.fields : "time,size,what";
	table = t2_table_begin(file, &opts, columns);
	cr_assert_not_null(table);
	for (size_t i = 0; i < nr; i++)
		cr_assert(t2_table_row(table, &rows[i], i % 2));
	t2_table_end(table);
	fclose(file);
	return out;
}

static void expect(struct t2_table_opts opts, struct row *rows, size_t nr, const char *wanted)
{
	char *out = render(opts, rows, nr);

	cr_expect_str_eq(out, wanted, "%s\nnot\n%s", out, wanted);
	free(out);
}

/* One row of hostile text, with a number that is not known. */
static void expect_hostile(struct t2_table_opts opts, const char *wanted)
{
	struct row row = {1500 * MS, T2_UNKNOWN, "a,\"b\"|@c\n\xff"};

	expect(opts, &row, 1, wanted);
}

Test(table, is_what_each_format_asks_for)
{
	expect_hostile((struct t2_table_opts){.format = T2_OUTPUT_TEXT, .width = 80},
		       " time  size  what\n"
		       "1.50s     -  a,\"b\"|@c\\n\\xff\n");
	expect_hostile((struct t2_table_opts){.format = T2_OUTPUT_JSON},
		       "[{\"time_ns\":1500000000,\"size_kb\":null,"
		       "\"what\":\"a,\\\"b\\\"|@c\\n\xef\xbf\xbd\"}]\n");
	expect_hostile((struct t2_table_opts){.format = T2_OUTPUT_CSV},
		       "time_ns,size_kb,what\r\n1500000000,,\"a,\"\"b\"\"|@c\n\xff\"\r\n");
	expect_hostile((struct t2_table_opts){.format = T2_OUTPUT_MD, .fields = "what,time"},
		       "| what | time |\n| --- | ---: |\n"
		       "| `a,\"b\"\\|@c\\n\\xff` | 1.50s |\n");
}

static void expect_md(const char *text, const char *wanted)
{
	char *out = NULL;
	size_t size;
	FILE *file = open_memstream(&out, &size);

	t2_print_md(file, text);
	fclose(file);
	cr_expect_str_eq(out, wanted, "%s, not %s", out, wanted);
	free(out);
}

Test(table, markdown_is_code_that_nothing_ends)
{
	expect_md("", "");
	expect_md("a b", "`a b`");
	expect_md("a|b\\|c", "`a\\|b\\\\|c`");
	expect_md("a`b``c", "```a`b``c```");
	expect_md("`", "`` ` ``");
	expect_md(" a", "`  a `");
	expect_md("a\nb", "`a\\nb`");
}

Test(table, without_rows_is_its_head)
{
	expect((struct t2_table_opts){.format = T2_OUTPUT_TEXT, .width = 80}, NULL, 0,
	       "time  size  what\n");
	expect((struct t2_table_opts){.format = T2_OUTPUT_JSON}, NULL, 0, "[]\n");
	expect((struct t2_table_opts){.format = T2_OUTPUT_CSV}, NULL, 0,
	       "time_ns,size_kb,what\r\n");
	expect((struct t2_table_opts){.format = T2_OUTPUT_MD}, NULL, 0,
	       "| time | size | what |\n| ---: | ---: | --- |\n");
}

Test(table, each_kind_has_its_own_look)
{
	struct row row = {1234567, 0, "[\"a\",\"b\"]"};
	const char *fields = "id,share,nr,list";

	expect((struct t2_table_opts){.width = 80, .fields = fields}, &row, 1,
	       "     id     %         nr  list\n"
	       "1234567  123%  1,234,567  [\"a\",\"b\"]\n");
	expect((struct t2_table_opts){.format = T2_OUTPUT_JSON, .fields = fields}, &row, 1,
	       "[{\"id\":1234567,\"share_percent\":123.4567,\"nr\":1234567,"
	       "\"list\":[\"a\",\"b\"]}]\n");
	expect((struct t2_table_opts){.format = T2_OUTPUT_CSV, .fields = fields}, &row, 1,
	       "id,share_percent,nr,list\r\n"
	       "1234567,123.4567,1234567,\"[\"\"a\"\",\"\"b\"\"]\"\r\n");
}

Test(table, what_is_not_known_is_no_zero)
{
	struct row row = {T2_UNKNOWN, T2_UNKNOWN, NULL};

	expect((struct t2_table_opts){.width = 80, .fields = "time,list,what"}, &row, 1,
	       "time  list  what\n   -  -     -\n");
	expect((struct t2_table_opts){.format = T2_OUTPUT_JSON, .fields = "time,list,what"}, &row,
	       1, "[{\"time_ns\":null,\"list\":null,\"what\":null}]\n");
	expect((struct t2_table_opts){.format = T2_OUTPUT_CSV, .fields = "time,list,what"}, &row, 1,
	       "time_ns,list,what\r\n,,\r\n");
	expect((struct t2_table_opts){.format = T2_OUTPUT_MD, .fields = "time,what"}, &row, 1,
	       "| time | what |\n| ---: | --- |\n| - | - |\n");
}

Test(table, fields_are_in_the_order_asked_for_and_may_come_twice)
{
	struct row row = {1 * MS, 1, "x"};

	expect((struct t2_table_opts){.format = T2_OUTPUT_CSV, .fields = "what,time,what"}, &row, 1,
	       "what,time_ns,what\r\nx,1000000,x\r\n");
	cr_expect_eq(t2_column_find(columns, "size,time", 4), &columns[1]);
	cr_expect_null(t2_column_find(columns, "siz", 3));
	cr_expect_null(t2_column_find(columns, "sized", 5));
}

Test(table, narrow_ones_leave_out_what_matters_least_and_then_the_middle)
{
	struct row row = {1500 * MS, 10, "0123456789abcdefghijklmnopqrst"};

	expect((struct t2_table_opts){.width = 43, .may_drop = true}, &row, 1,
	       " time  size  what\n"
	       "1.50s   10K  0123456789abcdefghijklmnopqrst\n");
	expect((struct t2_table_opts){.width = 37, .may_drop = true}, &row, 1,
	       " time  size  what\n"
	       "1.50s   10K  0123456789a..jklmnopqrst\n");
	expect((struct t2_table_opts){.width = 36, .may_drop = true}, &row, 1,
	       " time  what\n"
	       "1.50s  0123456789abc..ghijklmnopqrst\n");
	/* What was asked for stays; text has 12 columns at least. */
	expect((struct t2_table_opts){.width = 20}, &row, 1,
	       " time  size  what\n"
	       "1.50s   10K  01234..pqrst\n");
	expect((struct t2_table_opts){.width = 80, .fields = "short,time"}, &row, 1,
	       "short   time\n"
	       "0..st  1.50s\n");
}

Test(table, wide_and_combining_characters_take_the_columns_they_take)
{
	/* Two Chinese characters are four columns; e with an accent of its own is one. */
	struct row rows[] = {{1 * MS, 1, "\u65e5\u672c"},
			     {22 * MS, 2, "e\u0301t\u00e9"},
			     {333 * MS, 3, "plain"}};
	const struct t2_table_opts opts = {.width = 80, .is_unicode = true, .fields = "what,time"};

	setlocale(LC_CTYPE, "C.UTF-8");
	expect(opts, rows, 3,
	       "what     time\n"
	       "\u65e5\u672c   1.00ms\n"
	       "e\u0301t\u00e9    22.0ms\n"
	       "plain   333ms\n");
}

/* Cut anywhere, a line has at most the columns it may have, and whole characters. */
Test(table, no_cut_splits_a_character)
{
	struct row row = {1 * MS, 1, "\u65e5e\u0301\u672c\xff\x1b\u202e\U0001f600x\u8a9e-\u8a9e"};

	setlocale(LC_CTYPE, "C.UTF-8");
	for (unsigned width = 1; width < 50; width++) {
		char *out = render((struct t2_table_opts){.width = width,
							  .is_unicode = true,
							  .fields = "what"},
				   &row, 1);
		char *line = strchr(out, '\n') + 1;

		line[strcspn(line, "\n")] = '\0';
		cr_expect_neq(mbstowcs(NULL, line, 0), (size_t)-1, "not UTF-8: %s", line);
		cr_expect_leq(t2_text_columns(line), width < 12 ? 12 : width, "%u: %s", width,
			      line);
		free(out);
	}
}

Test(table, colours_are_around_bad_rows_and_the_head)
{
	struct row rows[] = {{1, 1, "good"}, {2, 2, "bad"}};

	expect(
		(struct t2_table_opts){
			.width = 80, .is_coloured = true, .indent = "  ", .fields = "what"},
		rows, 2,
		"  \033[2mwhat\033[0m\n"
		"  good\n"
		"  \033[31mbad\033[0m\n");
}

/* Every byte but NUL, in a row of its own, read back with another program's reader. */
static void pipe_through(const char *python, enum t2_output_format format)
{
	char text[255][4], *out;
	struct row rows[255];
	FILE *reader;

	for (int i = 0; i < 255; i++) {
		snprintf(text[i], sizeof(text[i]), "a%cb", i + 1);
		rows[i] = (struct row){i + 1, 1, text[i]};
	}
	out = render((struct t2_table_opts){.format = format, .fields = "time,what"}, rows, 255);
	reader = popen(python, "w");
	fputs(out, reader);
	free(out);
	cr_expect_eq(pclose(reader), 0);
}

Test(table, csv_is_what_python_reads)
{
	pipe_through("python3 -c \"\n"
		     "import csv, io, sys\n"
		     "text = sys.stdin.buffer.read().decode('latin-1')\n"
		     "rows = list(csv.reader(io.StringIO(text, newline='')))\n"
		     "assert rows[0] == ['time_ns', 'what'], rows[0]\n"
		     "assert rows[1:] == [[str(i), 'a' + chr(i) + 'b'] for i in range(1, 256)]\n"
		     "\"",
		     T2_OUTPUT_CSV);
}

Test(table, json_is_what_python_reads)
{
	pipe_through(
		"python3 -c \"\n"
		"import json, sys\n"
		"rows = json.load(sys.stdin)\n"
		"want = [dict(time_ns=i, what='a' + (chr(i) if i < 128 else '\\ufffd') + 'b')\n"
		"        for i in range(1, 256)]\n"
		"assert rows == want, [r for r in zip(rows, want) if r[0] != r[1]]\n"
		"\"",
		T2_OUTPUT_JSON);
}
