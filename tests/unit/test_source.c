/* SPDX-License-Identifier: MIT */
/*
 * command/source.c and unpack.c: lines with their places, whatever they come from.
 */
#include "tests/unit/model.h"

#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

static struct t2_source *source;
static struct t2_line line;
static struct t2_source_stats stats;
static FILE *messages;
static size_t messages_len;

static void start(void)
{
	messages = open_memstream(&model_messages, &messages_len);
}

static void finish(void)
{
	fclose(messages);
	free(model_messages);
}

TestSuite(source, .init = start, .fini = finish);

static void open_paths(const char *const *paths, size_t nr, size_t line_max)
{
	const struct t2_source_opts opts = {
		.messages = messages, .messages_max = 2, .line_max = line_max};

	source = t2_source_open(paths, nr, &opts);
	cr_assert_not_null(source);
}

static int open_bytes(const void *bytes, size_t len, size_t line_max)
{
	static char path[64];
	const char *paths[] = {path};
	int fd = model_file(bytes, len, path);

	open_paths(paths, 1, line_max);
	return fd;
}

static void expect_line(const char *text, uint64_t number, bool has_no_end)
{
	cr_assert(t2_source_next(source, &line), "no line %s", text);
	cr_expect_eq(line.len, strlen(text));
	cr_expect(!memcmp(line.text, text, strlen(text)), "%s: %.*s", text, (int)line.len,
		  line.text);
	cr_expect_eq(line.number, number, "%s is line %d", text, (int)line.number);
	cr_expect_eq(line.has_no_end, has_no_end, "%s", text);
}

/* Nothing more comes, and that was said on the way. */
static void expect_end(const char *said)
{
	cr_expect_not(t2_source_next(source, &line));
	t2_source_get_stats(source, &stats);
	t2_source_close(source);
	fflush(messages);
	cr_expect_str_eq(model_messages, said);
}

Test(source, hands_out_lines_with_their_numbers)
{
	int fd = open_bytes("{a}\n\n{b}\r\n{c}", 13, 0);

	expect_line("{a}", 1, false);
	expect_line("{b}", 3, false);
	expect_line("{c}", 4, true);
	expect_end("");
	cr_expect_eq(stats.nr_lines, 3);
	cr_expect_eq(stats.nr_files, 1);
	cr_expect_eq(stats.nr_bytes, 13);
	close(fd);
}

Test(source, hands_out_nothing_of_nothing)
{
	int fd = open_bytes("", 0, 0);

	expect_end("");
	close(fd);
}

/* Longer than any chunk that is read, and with such a line in front of it. */
Test(source, passes_over_lines_that_are_too_long)
{
	size_t len = 3 << 20;
	char *text = malloc(len + 16);
	int fd;

	memset(text, 'x', len);
	memcpy(text + len, "\n{b}\n", 6);
	fd = open_bytes(text, len + 5, 1 << 20);
	expect_line("{b}", 2, false);
	cr_expect_not(t2_source_next(source, &line));
	t2_source_get_stats(source, &stats);
	t2_source_close(source);
	fflush(messages);
	cr_expect_not_null(strstr(model_messages, ":1: the line is too long"));
	cr_expect_eq(stats.nr_complaints, 1);
	cr_expect_eq(stats.nr_bytes, len + 5);
	close(fd);
	free(text);
}

Test(source, counts_the_bytes_of_a_line_exactly)
{
	int fd = open_bytes("{1234}\n{12345}\n{1}\n", 19, 6);

	expect_line("{1234}", 1, false);
	expect_line("{1}", 3, false);
	cr_expect_not(t2_source_next(source, &line));
	t2_source_get_stats(source, &stats);
	cr_expect_eq(stats.nr_complaints, 1);
	t2_source_close(source);
	fflush(messages);
	cr_expect_not_null(strstr(model_messages, ":2: the line is too long"));
	close(fd);
}

Test(source, keeps_lines_whole_that_are_longer_than_a_chunk)
{
	size_t len = 1 << 20;
	char *text = malloc(2 * len + 2);
	int fd;

	memset(text, 'a', len);
	text[len] = '\n';
	memset(text + len + 1, 'b', len);
	text[2 * len + 1] = '\0';
	fd = open_bytes(text, 2 * len + 1, 0);
	cr_assert(t2_source_next(source, &line));
	cr_expect(line.len == len && !memcmp(line.text, text, len));
	cr_assert(t2_source_next(source, &line));
	cr_expect(line.len == len && line.has_no_end && !memcmp(line.text, text + len + 1, len));
	expect_end("");
	close(fd);
	free(text);
}

Test(source, says_only_so_much)
{
	int fd = open_bytes("1\n2\n3\n", 6, 0);

	while (t2_source_next(source, &line))
		t2_source_complain(source, &line, "bad");
	t2_source_get_stats(source, &stats);
	cr_expect_eq(stats.nr_complaints, 3);
	t2_source_close(source);
	fflush(messages);
	cr_expect_not_null(strstr(model_messages, ":2: bad\nt2: 1 more complaints like these\n"));
	cr_expect_null(strstr(model_messages, ":3:"));
	close(fd);
}

Test(source, goes_on_behind_what_cannot_be_read)
{
	char path[64];
	const char *paths[] = {"/nonexistent/a", path};
	int fd = model_file("{a}\n", 4, path);

	open_paths(paths, 2, 0);
	expect_line("{a}", 1, false);
	expect_end("t2: /nonexistent/a: No such file or directory\n");
	cr_expect_eq(stats.nr_unreadable, 1);
	close(fd);
}

/* --- packed ------------------------------------------------------------------- */

static size_t pack_gzip(const char *text, unsigned char *out, size_t size)
{
	z_stream gzip = {0};

	cr_assert_eq(deflateInit2(&gzip, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	gzip.next_in = (unsigned char *)text;
	gzip.avail_in = (uInt)strlen(text);
	gzip.next_out = out;
	gzip.avail_out = (uInt)size;
	cr_assert_eq(deflate(&gzip, Z_FINISH), Z_STREAM_END);
	deflateEnd(&gzip);
	return gzip.total_out;
}

static size_t pack_zstd(const char *text, unsigned char *out, size_t size)
{
	size_t len = ZSTD_compress(out, size, text, strlen(text), 3);

	cr_assert_not(ZSTD_isError(len));
	return len;
}

/* Two members of each, as logs that were appended to have. */
static void check_packed(size_t (*pack)(const char *, unsigned char *, size_t))
{
	unsigned char packed[256];
	size_t first = pack("{a}\n{b", packed, sizeof(packed)), len;
	int fd;

	len = first + pack("}\n{c}\n", packed + first, sizeof(packed) - first);
	fd = open_bytes(packed, len, 0);
	expect_line("{a}", 1, false);
	expect_line("{b}", 2, false);
	expect_line("{c}", 3, false);
	expect_end("");
	close(fd);

	fd = open_bytes(packed, first - 5, 0);
	while (t2_source_next(source, &line))
		cr_expect_leq(line.number, 2);
	t2_source_get_stats(source, &stats);
	cr_expect_eq(stats.nr_unreadable, 1);
	t2_source_close(source);
	fflush(messages);
	cr_expect_not_null(strstr(model_messages, ": the compressed data end too early\n"));
	close(fd);
}

Test(source, unpacks_gzip)
{
	check_packed(pack_gzip);
}

Test(source, unpacks_zstd)
{
	check_packed(pack_zstd);
}

Test(source, says_what_is_broken_in_packed_data)
{
	unsigned char packed[256];
	size_t len = pack_gzip("{a}\n{b}\n{c}\n", packed, sizeof(packed));
	int fd;

	memset(packed + 12, 0xff, 4);
	fd = open_bytes(packed, len, 0);
	while (t2_source_next(source, &line))
		;
	t2_source_close(source);
	fflush(messages);
	cr_expect_not_null(strstr(model_messages, ": the compressed data are broken\n"));
	close(fd);
}

/* --- excerpts ----------------------------------------------------------------- */

static int open_excerpt(const void *bytes, size_t len, uint64_t head, uint64_t tail)
{
	static char path[64];
	const char *paths[] = {path};
	const struct t2_source_opts opts = {.messages = messages, .head = head, .tail = tail};
	int fd = model_file(bytes, len, path);

	source = t2_source_open(paths, 1, &opts);
	cr_assert_not_null(source);
	return fd;
}

/* Nobody looks at the middle, and a line that is cut is none. */
Test(source, reads_both_ends_of_a_file)
{
	size_t len = 4 << 20, nr = 0;
	char *text = malloc(len);
	int fd;

	for (size_t at = 0; at < len; at += 16)
		memcpy(text + at, "{ the head...  \n", 16);
	memset(text + len / 2, 'x', len / 4);
	memcpy(text + len - 16, "cut} \n{the end}\n", 16);
	fd = open_excerpt(text, len, 1 << 20, 13);
	while (t2_source_next(source, &line) && !t2_source_has_gap(source))
		nr++;
	cr_expect_geq(nr, (1 << 20) / 16);
	cr_expect(line.len == 9 && !memcmp(line.text, "{the end}", 9), "%.*s", (int)line.len,
		  line.text);
	expect_end("");
	cr_expect_lt(stats.nr_bytes, len / 2);
	close(fd);
	free(text);
}

/* Where the ends meet there is no gap; what cannot be positioned ends. */
Test(source, reads_the_head_where_there_is_no_tail)
{
	size_t len = 1 << 20;
	char *text = malloc(len + 1);
	unsigned char packed[4096];
	int fd;

	memset(text, '\n', len);
	memcpy(text, "{a}", 3);
	memcpy(text + len - 4, "{b}\n", 5);
	fd = open_excerpt(text, len, 2 << 20, 8);
	expect_line("{a}", 1, false);
	expect_line("{b}", len - 6, false);
	cr_expect_not(t2_source_has_gap(source));
	expect_end("");
	close(fd);
	len = pack_gzip(text, packed, sizeof(packed));
	fd = open_excerpt(packed, len, 1, 8);
	expect_line("{a}", 1, false);
	expect_end("");
	close(fd);
	free(text);
}

/* --- directories and pipes ----------------------------------------------------- */

static void put_file(const char *dir, const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	cr_assert_not_null(file);
	fputs(text, file);
	fclose(file);
}

Test(source, reads_directories_in_the_order_of_names)
{
	char dir[] = "/tmp/t2-source-XXXXXX", path[256];
	static const char *const names[] = {"b", "a", ".hidden", "c.normal", "empty"};
	const char *paths[] = {dir};

	cr_assert_not_null(mkdtemp(dir));
	put_file(dir, "b", "{b}\n");
	put_file(dir, "a", "{a}");
	put_file(dir, ".hidden", "{h}\n");
	put_file(dir, "c.normal", "12:00:00 version 1\n");
	put_file(dir, "empty", "");
	snprintf(path, sizeof(path), "%s/d", dir);
	cr_assert_eq(mkdir(path, 0700), 0);
	open_paths(paths, 1, 0);
	expect_line("{a}", 1, true);
	cr_expect_eq(strlen(line.file), strlen(dir) + 2);
	expect_line("{b}", 1, false);
	expect_end("");
	cr_expect_eq(stats.nr_foreign, 1);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		unlink(path);
	}
	snprintf(path, sizeof(path), "%s/d", dir);
	rmdir(path);
	rmdir(dir);
}

Test(source, reads_standard_input)
{
	const char *paths[] = {"-"};
	int ends[2];

	cr_assert_eq(pipe(ends), 0);
	cr_assert_eq(write(ends[1], "{a}\n", 4), 4);
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	open_paths(paths, 1, 0);
	expect_line("{a}", 1, false);
	cr_expect_str_eq(line.file, "-");
	expect_end("");
}

struct progress {
	uint64_t done, total;
	unsigned nr;
};

static void note(void *arg, uint64_t done, uint64_t total)
{
	struct progress *progress = arg;

	cr_expect_geq(done, progress->done);
	*progress = (struct progress){done, total, progress->nr + 1};
}

Test(source, tells_how_far_it_is)
{
	char path[2][64];
	struct progress progress = {0};
	const char *paths[] = {path[0], path[1]};
	const struct t2_source_opts opts = {.progress = note, .progress_arg = &progress};
	int first = model_file("{a}\n", 4, path[0]), second = model_file("{bcd}\n", 6, path[1]);

	source = t2_source_open(paths, 2, &opts);
	while (t2_source_next(source, &line))
		cr_expect_eq(progress.total, 10);
	cr_expect_eq(progress.done, 10);
	cr_expect_geq(progress.nr, 2);
	t2_source_close(source);
	close(first);
	close(second);
}
