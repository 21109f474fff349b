/* SPDX-License-Identifier: MIT */
/* preload/dst.c: Unix-domain sockets, with peers that read, that do not, and that go. */
#include "preload/limits.h"
#include "tests/unit/dst.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <time.h>

TestSuite(dst_socket, .init = open_dir, .fini = remove_dir, .timeout = 30);

static void assert_stream_works(const char *prefix)
{
	int listener = listen_at("socket", SOCK_STREAM), peer;

	begin_socket(prefix);
	cr_assert_eq(put("one\n"), 0);
	cr_assert_eq(put("two\nthree\n"), 0);
	peer = accept_one(listener);
	cr_assert_str_eq(drain(peer), "one\ntwo\nthree\n");
	cr_assert_eq(accept(listener, NULL, NULL), -1, "there was a second connection");
	t2_dst_renew(&dst, true);
	cr_assert_eq(read(peer, (char[1]){0}, 1), 0, "the connection is still open");
	close(peer);
	close(listener);
}

Test(dst_socket, a_stream_socket_gets_the_lines_on_one_connection)
{
	assert_stream_works("af_unix:stream:");
}

Test(dst_socket, a_socket_of_no_type_is_a_stream_if_it_can_be)
{
	assert_stream_works("af_unix:");
}

static void assert_next_datagram_is(int fd, const char *expected)
{
	char text[256];
	ssize_t len = recv(fd, text, sizeof(text) - 1, 0);

	cr_assert_geq(len, 0, "expected \"%s\", but there is nothing", expected);
	text[len] = '\0';
	cr_assert_str_eq(text, expected);
}

static void assert_datagrams_work(const char *prefix)
{
	int fd = listen_at("socket", SOCK_DGRAM);

	begin_socket(prefix);
	cr_assert_eq(put("one\n"), 0);
	cr_assert_eq(put("two\nthree\n"), 0);
	assert_next_datagram_is(fd, "one\n");
	assert_next_datagram_is(fd, "two\n");
	assert_next_datagram_is(fd, "three\n");
	cr_assert_eq(recv(fd, (char[1]){0}, 1, 0), -1, "there is a fourth one");
	close(fd);
}

Test(dst_socket, a_datagram_socket_gets_one_line_each)
{
	assert_datagrams_work("af_unix:dgram:");
}

Test(dst_socket, a_socket_of_no_type_takes_datagrams_if_there_is_no_stream)
{
	assert_datagrams_work("af_unix:");
}

Test(dst_socket, the_other_type_of_socket_is_not_tried_where_one_is_named)
{
	int fd = listen_at("socket", SOCK_DGRAM);

	begin_socket("af_unix:stream:");
	cr_assert_eq(put("one\n"), -EPROTOTYPE);
	cr_assert_eq(dst.kind, T2_DST_OFF);
	close(fd);
	unlink(in_dir("socket"));
	fd = listen_at("socket", SOCK_STREAM);
	begin_socket("af_unix:dgram:");
	cr_assert_eq(put("one\n"), -EPROTOTYPE);
	cr_assert_eq(dst.kind, T2_DST_OFF);
	close(fd);
}

Test(dst_socket, a_socket_without_a_listener_switches_off)
{
	int before = nr_open();

	begin_socket("af_unix:");
	cr_assert_eq(put("one\n"), -ENOENT);
	cr_assert_eq(dst.kind, T2_DST_OFF);
	close(listen_at("socket", SOCK_STREAM));
	begin_socket("af_unix:");
	cr_assert_eq(put("one\n"), -ECONNREFUSED);
	cr_assert_eq(dst.kind, T2_DST_OFF);
	cr_assert_eq(dst.fault, T2_DST_NOT_CONNECTED);
	cr_assert_eq(dst.error, -ECONNREFUSED);
	cr_assert_eq(nr_open(), before);
}

Test(dst_socket, a_connection_is_high_and_closed_by_an_exec)
{
	int listener = listen_at("socket", SOCK_STREAM);

	begin_socket("af_unix:");
	put("one\n");
	cr_assert_geq(dst.fd, T2_FD_FLOOR);
	cr_assert_eq(fcntl(dst.fd, F_GETFD), FD_CLOEXEC);
	cr_assert(fcntl(dst.fd, F_GETFL) & O_NONBLOCK);
	close(listener);
}

Test(dst_socket, a_connection_is_made_even_if_no_high_number_is_allowed)
{
	int listener = listen_at("socket", SOCK_STREAM), peer;
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = 100;
	cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	begin_socket("af_unix:");
	cr_assert_eq(put("one\n"), 0);
	cr_assert_gt(dst.fd, 2);
	peer = accept_one(listener);
	cr_assert_str_eq(drain(peer), "one\n");
	close(peer);
	close(listener);
}

Test(dst_socket, a_connection_whose_number_is_reused_is_left_alone)
{
	int listener = listen_at("socket", SOCK_STREAM);
	int other = open_file("precious"), fd;

	begin_socket("af_unix:");
	put("one\n");
	fd = dst.fd;
	dup2(other, fd);
	cr_assert_eq(put("two\n"), -EBADF);
	cr_assert_eq(dst.kind, T2_DST_OFF);
	assert_file_holds(in_dir("precious"), "");
	cr_assert_neq(fcntl(fd, F_GETFD), -1, "a descriptor of the host's was closed");
	close(fd);
	close(other);
	close(listener);
}

Test(dst_socket, a_connection_the_host_closed_switches_off)
{
	int listener = listen_at("socket", SOCK_STREAM);

	begin_socket("af_unix:");
	put("one\n");
	close(dst.fd);
	cr_assert_eq(put("two\n"), -EBADF);
	cr_assert_eq(dst.kind, T2_DST_OFF);
	cr_assert_eq(accept(listener, NULL, NULL) >= 0, 1);
	cr_assert_eq(accept(listener, NULL, NULL), -1, "there was a second connection");
	close(listener);
}

Test(dst_socket, a_peer_that_is_gone_switches_off_without_a_signal)
{
	int listener = listen_at("socket", SOCK_STREAM), before = nr_open();

	signal(SIGPIPE, SIG_DFL);
	begin_socket("af_unix:");
	put("one\n");
	close(accept_one(listener));
	cr_assert_eq(put("two\n"), -EPIPE);
	cr_assert_eq(dst.kind, T2_DST_OFF);
	cr_assert_eq(dst.fault, T2_DST_NOT_WRITTEN);
	cr_assert_not(is_pending(SIGPIPE));
	cr_assert_eq(nr_open(), before, "the connection is still open");
	close(listener);
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* In all, however much there is to write. Far above the limit: a test machine is busy. */
#define PATIENCE_MS (20 * T2_PEER_PATIENCE_MS)

Test(dst_socket, a_peer_that_does_not_read_costs_its_patience_once)
{
	int listener = listen_at("socket", SOCK_STREAM), peer, nr = 0;
	char *line = line_of(10000);
	int64_t start = now_ms();

	begin_socket("af_unix:");
	for (int i = 0; i < 1000; i++)
		nr += !put(line);
	cr_assert_lt(now_ms() - start, PATIENCE_MS);
	cr_assert_lt(nr, 1000);
	peer = accept_one(listener);
	/* The last line may be cut if the connection was given up for it. */
	if (dst.kind == T2_DST_OFF) {
		char *text = drain(peer), *end = strrchr(text, '\n');

		cr_assert_not_null(end);
		end[1] = '\0';
		cr_assert_eq(count_whole_lines(text), nr);
	} else {
		cr_assert_eq(count_whole_lines(drain(peer)), nr);
	}
	free(line);
	close(peer);
	close(listener);
}

#define NR_WRITERS 8
#define NR_LINES 400

static char received[1 << 25];
static atomic_int nr_refused;

static void *write_lines(void *unused)
{
	static const size_t lengths[] = {20, 500, 3000, 20000, 90};

	for (int i = 0; i < NR_LINES; i++) {
		char *line = line_of(lengths[i % 5]);

		nr_refused += put(line) != 0;
		free(line);
	}
	return unused;
}

static void *read_lines(void *arg)
{
	size_t len = 0;
	ssize_t got;

	while ((got = read(*(int *)arg, received + len, 30000)) > 0)
		len += (size_t)got;
	return NULL;
}

Test(dst_socket, threads_share_a_stream_without_tearing_it)
{
	int listener = listen_at("socket", SOCK_STREAM), peer;
	pthread_t writers[NR_WRITERS], reader;

	begin_socket("af_unix:");
	cr_assert_eq(put("6xxxx\n"), 0);
	peer = accept_one(listener);
	cr_assert_eq(fcntl(peer, F_SETFL, 0), 0);
	cr_assert_eq(pthread_create(&reader, NULL, read_lines, &peer), 0);
	for (int i = 0; i < NR_WRITERS; i++)
		cr_assert_eq(pthread_create(&writers[i], NULL, write_lines, NULL), 0);
	for (int i = 0; i < NR_WRITERS; i++)
		pthread_join(writers[i], NULL);
	t2_dst_renew(&dst, true);
	pthread_join(reader, NULL);
	cr_assert_eq(count_whole_lines(received) + nr_refused, 1 + NR_WRITERS * NR_LINES);
	close(peer);
	close(listener);
}

Test(dst_socket, a_full_queue_of_datagrams_drops_and_goes_on)
{
	int fd = listen_at("socket", SOCK_DGRAM), nr = 0, ret;
	int64_t start = now_ms();

	begin_socket("af_unix:dgram:");
	while (!(ret = put("5xxx\n")))
		nr++;
	cr_assert_eq(ret, -EAGAIN);
	cr_assert_eq(put("5xxx\n"), -EAGAIN);
	cr_assert_lt(now_ms() - start, PATIENCE_MS);
	cr_assert_eq(dst.kind, T2_DST_SOCKET);
	cr_assert_eq(count_whole_lines(drain(fd)), nr);
	cr_assert_eq(put("5xxx\n"), 0, "there is room again");
	close(fd);
}

Test(dst_socket, a_line_longer_than_a_datagram_is_dropped)
{
	int fd = listen_at("socket", SOCK_DGRAM);
	char *line = line_of(1 << 20);

	begin_socket("af_unix:dgram:");
	cr_assert_eq(put("one\n"), 0);
	cr_assert_eq(put(line), -EAGAIN);
	cr_assert_eq(dst.kind, T2_DST_SOCKET);
	cr_assert_eq(put("two\n"), 0);
	assert_next_datagram_is(fd, "one\n");
	assert_next_datagram_is(fd, "two\n");
	free(line);
	close(fd);
}

/* Each of 200 attempts would have waited for as long as all together may. */
Test(dst_socket, patience_is_the_process_s_and_not_the_borrower_s)
{
	int fd = listen_at("socket", SOCK_DGRAM);
	struct t2_dst other;
	char spec[256];
	int64_t start = now_ms();

	begin_socket("af_unix:dgram:");
	while (!put_as(&dst, LEAF, "5xxx\n", 5, T2_DST_BORROWED))
		;
	snprintf(spec, sizeof(spec), "af_unix:dgram:%s", in_dir("socket"));
	for (int i = 0; i < 100; i++) {
		cr_assert_eq(put_as(&dst, LEAF, "5xxx\n", 5, T2_DST_BORROWED), -EAGAIN);
		t2_dst_init(&other, spec);
		cr_assert_eq(put_as(&other, LEAF, "5xxx\n", 5, 0), -EAGAIN);
		t2_dst_renew(&other, true);
	}
	cr_assert_lt(now_ms() - start, PATIENCE_MS);
	close(fd);
}

Test(dst_socket, a_full_backlog_costs_its_patience_and_no_more)
{
	int listener = listen_at("socket", SOCK_STREAM);
	struct t2_dst many[16];
	char spec[256];
	int64_t start = now_ms();
	int ret = 0;

	snprintf(spec, sizeof(spec), "af_unix:%s", in_dir("socket"));
	for (int i = 0; i < 16 && !ret; i++) {
		t2_dst_init(&many[i], spec);
		ret = put_as(&many[i], LEAF, "one\n", 4, 0);
	}
	cr_assert_eq(ret, -EAGAIN);
	cr_assert_lt(now_ms() - start, PATIENCE_MS);
	close(listener);
}

Test(dst_socket, another_session_has_another_connection)
{
	int listener = listen_at("socket", SOCK_STREAM), first, second;
	struct t2_dst inherited;

	begin_socket("af_unix:");
	put("one\n");
	inherited = dst;
	/* A vfork child: the connection is its parent's, so it stays open. */
	t2_dst_renew(&inherited, false);
	cr_assert_eq(put_as(&inherited, LEAF, "two\n", 4, 0), 0);
	first = accept_one(listener);
	second = accept_one(listener);
	cr_assert_eq(put("three\n"), 0);
	cr_assert_str_eq(drain(first), "one\nthree\n");
	cr_assert_str_eq(drain(second), "two\n");
	close(first);
	close(second);
	close(listener);
}
