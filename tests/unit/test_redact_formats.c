/* SPDX-License-Identifier: MIT */
/*
 * formatters/redact.c in the formats: they agree on what is replaced, in lines of every
 * kind that has something to hide.
 */
#include "formatters/format.h"
#include "preload/buf.h"
#include "preload/event.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define R "<REDACTED>"
#define ARGV(...) ((const char *const[]){__VA_ARGS__, NULL})

static char memory[4096];

#define EVENT(id) .kind = T2_EVENT_##id, .nesting = 1, .sid = "S", .thread = "main"
#define HEAD(name) "{\"event\":\"" name "\",\"sid\":\"S\",\"thread\":\"main\""
#define ROW(name) "d0 | main                     | " name " |     | "
#define NO_TIME "          |           |              | "
#define NO_REL " 0.000000 |           |              | "

static const struct {
	struct t2_event event;
	const char *lines[T2_FORMAT_NR];
} events[] = {
	{
		.event = {EVENT(START), .u.start.argv = ARGV("x", "--token", "it's \xff", "a b")},
		.lines =
			{
				"start x --token '" R "' 'a b'\n",
				ROW("start       ") NO_REL "x --token '" R "' 'a b'\n",
				HEAD("start") ",\"t_abs\":0.000000,\"argv\":[\"x\",\"--token\",\"" R
					      "\",\"a b\"]}\n",
			},
	},
	{
		.event = {EVENT(CHILD_START),
			  .u.child_start = {.child_class = "system",
					    .cd = "https://u:p@h",
					    .use_shell = true,
					    .argv = ARGV("A_TOKEN=\"q\\\" x\" it's")}},
		.lines =
			{
				"child_start[0] cd https://u:p@h; 'A_TOKEN=" R " it'\\''s'\n",
				ROW("child_start ") NO_REL "[ch0] class:system cd:https://u:p@h "
							   "argv:['A_TOKEN=" R " it'\\''s']\n",
				HEAD("child_start") ",\"child_id\":0,\"child_class\":\"system\","
						    "\"cd\":\"https://u:p@h\",\"use_shell\":true,"
						    "\"argv\":[\"A_TOKEN=" R " it's\"]}\n",
			},
	},
	{
		.event = {EVENT(EXEC),
			  .u.exec = {.exe = "https://u:p@h", .argv = ARGV("https://u:p@h")}},
		.lines =
			{
				"exec[0] https://u:p@h 'https://u:" R "@h'\n",
				ROW("exec        ") NO_REL "id:0 argv:[https://u:p@h 'https://u:" R
							   "@h']\n",
				HEAD("exec") ",\"exec_id\":0,\"exe\":\"https://u:p@h\",\"argv\":["
					     "\"https://u:" R "@h\"]}\n",
			},
	},
	{
		.event = {EVENT(ALIAS),
			  .u.alias = {.alias = "x", .argv = ARGV("https://u:p@h", "TOKEN=x")}},
		.lines =
			{
				"alias x -> https://u:p@h 'TOKEN=" R "'\n",
				ROW("alias       ") NO_TIME "alias:x argv:[https://u:p@h 'TOKEN=" R
							    "']\n",
				HEAD("alias") ",\"alias\":\"x\",\"argv\":[\"https://u:p@h\","
					      "\"TOKEN=" R "\"]}\n",
			},
	},
	{
		.event = {EVENT(DEF_PARAM),
			  .u.def_param = {"command", "GITHUB_TOKEN", "two words\n"}},
		.lines =
			{
				"def_param scope:command GITHUB_TOKEN=" R "\n",
				ROW("def_param   ") "          |           | scope:comman | "
						    "GITHUB_TOKEN:" R "\n",
				HEAD("def_param") ",\"scope\":\"command\",\"param\":"
						  "\"GITHUB_TOKEN\",\"value\":\"" R "\"}\n",
			},
	},
	{
		.event = {EVENT(DEF_PARAM), .u.def_param = {"local", "a.b", "!x --token y z\n"}},
		.lines =
			{
				"def_param scope:local a.b=!x --token " R " z\n",
				ROW("def_param   ") "          |           | scope:local  | a.b:!x "
						    "--token " R " z\n",
				HEAD("def_param") ",\"scope\":\"local\",\"param\":\"a.b\","
						  "\"value\":"
						  "\"!x --token " R " z\\n\"}\n",
			},
	},
	{
		.event = {EVENT(DEF_PARAM), .u.def_param = {"local", "a.token", NULL}},
		.lines =
			{
				"def_param scope:local a.token\n",
				ROW("def_param   ") "          |           | scope:local  | "
						    "a.token\n",
				HEAD("def_param") ",\"scope\":\"local\",\"param\":\"a.token\"}\n",
			},
	},
	{
		.event = {EVENT(CMD_ANCESTRY), .u.cmd_ancestry.ancestry = ARGV("TOKEN=x")},
		.lines =
			{
				"cmd_ancestry TOKEN=x\n",
				ROW("cmd_ancestry") NO_TIME "ancestry:[TOKEN=x]\n",
				HEAD("cmd_ancestry") ",\"ancestry\":[\"TOKEN=x\"]}\n",
			},
	},
};

#define NR_EVENTS (sizeof(events) / sizeof(*events))

Test(redact_formats, all_formats_leave_out_the_same)
{
	struct t2_format_opts opts = {.is_brief = true, .redacts = true};
	size_t i;
	int format;

	for (i = 0; i < NR_EVENTS; i++) {
		for (format = 0; format < T2_FORMAT_NR; format++) {
			struct t2_buf out;

			t2_buf_init(&out, memory, sizeof(memory) - 1);
			t2_formats[format]->render(&events[i].event, &opts, &out);
			memory[out.len] = '\0';
			cr_expect_str_eq(memory, events[i].lines[format]);
		}
	}
}

Test(redact_formats, every_size_gives_a_prefix_and_the_same_length)
{
	struct t2_format_opts opts = {.is_brief = true, .redacts = true};
	size_t i, cap;
	int format;

	for (i = 0; i < NR_EVENTS; i++) {
		for (format = 0; format < T2_FORMAT_NR; format++) {
			const char *line = events[i].lines[format];

			for (cap = 0; cap <= strlen(line); cap++) {
				char *exact = malloc(cap);
				struct t2_buf out;

				t2_buf_init(&out, exact, cap);
				t2_formats[format]->render(&events[i].event, &opts, &out);
				cr_assert_eq(out.len, strlen(line));
				cr_assert(!cap || !memcmp(exact, line, cap));
				free(exact);
			}
		}
	}
}
