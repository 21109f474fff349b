/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a trace, in every format that there is: JSON is JSON, each record of CSV
 * and each row of Markdown has the cells of the first, stacks sum up to the trace, and of
 * EVENT as many lines are events as before.
 */
#include "command/columns.h"
#include "command/export.h"
#include "formatters/event_reader.h"
#include "formatters/json_reader.h"
#include "preload/event.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

struct exported {
	char *at;
	size_t len;
};

static struct exported write_view(bool (*write)(const struct t2_view *,
						const struct t2_export_opts *),
				  const struct t2_view *view, enum t2_export_weight weight)
{
	struct exported text = {0};
	struct t2_export_opts opts = {.out = open_memstream(&text.at, &text.len), .weight = weight};

	hold(write(view, &opts));
	fclose(opts.out);
	return text;
}

static struct exported write_lines(bool (*write)(struct t2_source *, const struct t2_export_opts *),
				   const uint8_t *bytes, size_t len)
{
	struct exported text = {0};
	struct t2_export_opts opts = {.out = open_memstream(&text.at, &text.len)};
	int fd;
	struct t2_source *source = fuzz_source(bytes, len, &fd);

	hold(write(source, &opts));
	fclose(opts.out);
	t2_source_close(source);
	close(fd);
	return text;
}

static void check_json(struct exported text)
{
	struct t2_json_reader reader;
	void *room = malloc(3 * text.len);

	t2_json_reader_init(&reader, text.at, text.len, room, 3 * text.len);
	hold(t2_json_skip_value(&reader));
	hold(!t2_json_peek(&reader));
	free(room);
}

/* RFC 4180: fields in quotes may hold anything, quotes doubled. */
static void check_csv(struct exported text)
{
	unsigned nr = 1, wanted = 0;
	bool is_quoted = false;

	for (size_t i = 0; i < text.len; i++) {
		if (text.at[i] == '"')
			is_quoted = !is_quoted;
		if (is_quoted)
			continue;
		if (text.at[i] == ',')
			nr++;
		if (text.at[i] != '\n')
			continue;
		hold(i && text.at[i - 1] == '\r');
		hold(!wanted || nr == wanted);
		wanted = nr;
		nr = 1;
	}
	hold(!is_quoted && wanted > 1);
}

/* A table's row is parted before anything in it is looked at. */
static unsigned count_bars(const char *line, size_t len)
{
	unsigned nr = 0;

	for (size_t i = 0; i < len; i++)
		nr += line[i] == '|' && (!i || line[i - 1] != '\\');
	return nr;
}

static void check_markdown(struct exported text)
{
	unsigned wanted = count_bars(text.at, strcspn(text.at, "\n"));

	for (char *line = text.at; *line;) {
		size_t len = strcspn(line, "\n");

		hold(len > 2 && line[0] == '|' && line[len - 1] == '|');
		hold(count_bars(line, len) == wanted);
		line += len + 1;
	}
}

static void check_folded(struct exported text, uint64_t wanted)
{
	uint64_t sum = 0;

	for (char *line = text.at; *line;) {
		char *end = line + strcspn(line, "\n"),
		     *blank = memrchr(line, ' ', (size_t)(end - line));

		hold(blank && blank > line && line[0] != ';' && blank[-1] != ';');
		sum += strtoull(blank + 1, NULL, 10);
		line = end + 1;
	}
	hold(sum == wanted);
}

static void check_view(const struct t2_view *view)
{
	struct exported text;

	text = write_view(t2_export_json, view, T2_EXPORT_SELF);
	check_json(text);
	free(text.at);
	text = write_view(t2_export_csv, view, T2_EXPORT_SELF);
	check_csv(text);
	free(text.at);
	text = write_view(t2_export_markdown, view, T2_EXPORT_SELF);
	check_markdown(text);
	free(text.at);
	text = write_view(t2_export_folded, view, T2_EXPORT_SELF);
	check_folded(text, (uint64_t)view->analysis->busy_ns / 1000);
	free(text.at);
	text = write_view(t2_export_folded, view, T2_EXPORT_COUNT);
	check_folded(text, view->trace->nr_processes - 1);
	free(text.at);
}

/* Lines that are events, known or not, of a session. */
static uint64_t count_events(const void *bytes, size_t len)
{
	struct t2_event_reader reader;
	struct t2_event event;
	struct t2_line line;
	uint64_t nr = 0;
	int fd;
	struct t2_source *source = fuzz_source(bytes, len, &fd);

	while (t2_source_next(source, &line)) {
		enum t2_event_read result;

		t2_event_reader_init(&reader);
		reader.room_size = T2_EVENT_READER_ROOM(line.len);
		reader.room = malloc(reader.room_size);
		result = t2_event_read(&reader, line.text, line.len, &event);
		nr += result == T2_EVENT_READ_UNKNOWN ||
		      (result == T2_EVENT_READ_OK && event.sid && *event.sid);
		free(reader.room);
	}
	t2_source_close(source);
	close(fd);
	return nr;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	struct t2_options options;
	struct t2_view view;
	struct exported text;

	fuzz_view(&view, &options, T2_OUTPUT_TEXT, bytes, len);
	options.limit = 0;
	check_view(&view);
	t2_view_free(&view);
	text = write_lines(t2_export_event, bytes, len);
	hold(count_events(text.at, text.len) == count_events(bytes, len));
	free(text.at);
	free(write_lines(t2_export_normal, bytes, len).at);
	free(write_lines(t2_export_perf, bytes, len).at);
	return 0;
}
