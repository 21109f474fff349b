/* SPDX-License-Identifier: MIT */
/* preload/dst.c: pipes and descriptors of the host's, full, dead or something else by now. */
#include "tests/unit/dst.h"

#include <pthread.h>

#include <errno.h>
#include <sys/wait.h>

TestSuite(dst_pipe, .init = open_dir, .fini = remove_dir, .timeout = 30);

/* --- pipes -------------------------------------------------------------------------- */

Test(dst_pipe, a_fifo_without_a_reader_switches_off_at_once)
{
	cr_assert_eq(mkfifo(in_dir("fifo"), 0600), 0);
	begin(in_dir("fifo"));
	cr_assert_eq(put("one\n"), -ENXIO);
	cr_assert_eq(dst.kind, T2_DST_OFF);
}

Test(dst_pipe, a_fifo_with_a_reader_gets_the_lines)
{
	int fd = open_fifo("fifo");

	begin(in_dir("fifo"));
	cr_assert_eq(put("one\n"), 0);
	cr_assert_eq(put("two\n"), 0);
	cr_assert_str_eq(drain(fd), "one\ntwo\n");
	close(fd);
}

Test(dst_pipe, a_full_pipe_drops_whole_lines_and_goes_on)
{
	int fd = open_fifo("fifo");
	char *line = line_of(1000);
	int nr = 0, ret;

	begin(in_dir("fifo"));
	while (!(ret = put(line)))
		nr++;
	cr_assert_eq(ret, -EAGAIN);
	cr_assert_geq(nr, 16);
	cr_assert_eq(put(line), -EAGAIN);
	cr_assert_eq(dst.kind, T2_DST_FILE, "it is not off");
	cr_assert_eq(count_whole_lines(drain(fd)), nr);
	cr_assert_eq(put(line), 0, "there is room again");
	cr_assert_eq(count_whole_lines(drain(fd)), 1);
	free(line);
	close(fd);
}

static int pipe_size(int fd)
{
	return fcntl(fd, F_GETPIPE_SZ);
}

Test(dst_pipe, a_line_longer_than_a_pipe_takes_at_once_goes_in_one_piece)
{
	int fd = open_fifo("fifo");
	char *line = line_of(20000);

	begin(in_dir("fifo"));
	cr_assert_eq(put(line), 0);
	cr_assert_str_eq(drain(fd), line);
	free(line);
	close(fd);
}

Test(dst_pipe, a_line_longer_than_the_pipe_is_dropped)
{
	int fd = open_fifo("fifo");
	char *line = line_of((size_t)pipe_size(fd) + 1);

	begin(in_dir("fifo"));
	cr_assert_eq(put(line), -EAGAIN);
	cr_assert_str_empty(drain(fd));
	free(line);
	close(fd);
}

/* A page of a pipe that is not full may still be used up: what counts is pages. */
Test(dst_pipe, a_long_line_for_which_too_few_pages_are_left_is_dropped)
{
	int fd = open_fifo("fifo");
	char *line = line_of(20000), *half_page = line_of(2049);
	int ret;

	begin(in_dir("fifo"));
	for (int i = 0; i < pipe_size(fd) / 4096 - 1; i++)
		cr_assert_eq(put(half_page), 0);
	ret = put(line);
	cr_assert_eq(count_whole_lines(drain(fd)), pipe_size(fd) / 4096 - 1 + !ret);
	cr_assert_eq(ret, -EAGAIN);
	free(half_page);
	free(line);
	close(fd);
}

Test(dst_pipe, a_batch_is_cut_between_its_lines)
{
	int fd = open_fifo("fifo");
	char *batch = calloc(1, 30001);

	for (int i = 0; i < 20; i++) {
		char *line = line_of(1500);

		strcat(batch, line);
		free(line);
	}
	begin(in_dir("fifo"));
	cr_assert_eq(put(batch), 0);
	cr_assert_eq(count_whole_lines(drain(fd)), 20);
	free(batch);
	close(fd);
}

/* Up to PIPE_BUF, with many writers, each on a description of its own. */
Test(dst_pipe, lines_of_many_processes_stay_whole_in_a_pipe)
{
	int fd = open_fifo("fifo"), nr_written = 0, nr_read = 0, status;
	pid_t pids[8];

	for (int i = 0; i < 8; i++) {
		pids[i] = fork();
		if (!pids[i]) {
			char *line = line_of((size_t)(300 + 500 * i));
			int nr = 0;

			begin(in_dir("fifo"));
			for (int round = 0; round < 100; round++)
				nr += !put(line);
			_exit(nr);
		}
	}
	/* As long as there is a writer, there is more to come. */
	for (int i = 0; i < 8; i++) {
		while (!waitpid(pids[i], &status, WNOHANG))
			nr_read += count_whole_lines(drain(fd));
		nr_written += WEXITSTATUS(status);
	}
	nr_read += count_whole_lines(drain(fd));
	cr_assert_eq(nr_read, nr_written, "%d lines of %d arrived", nr_read, nr_written);
	close(fd);
}

/* A part of the pipe each, so that nothing is dropped. */
#define NR_THREADS 8
#define NR_ROUNDS 300

static void *put_from_thread(void *batch)
{
	for (int i = 0; i < NR_ROUNDS; i++)
		put(batch);
	return NULL;
}

/* Through one destination, which may hold nothing of a single write. */
Test(dst_pipe, lines_of_many_threads_stay_whole_in_a_pipe)
{
	int fd = open_fifo("fifo");
	pthread_t threads[NR_THREADS];
	char batches[NR_THREADS][64];

	cr_assert_geq(fcntl(fd, F_SETPIPE_SZ, 1 << 20), 1 << 20);
	begin(in_dir("fifo"));
	for (int i = 0; i < NR_THREADS; i++) {
		char *first = line_of((size_t)(10 + i)), *second = line_of((size_t)(20 + i));

		snprintf(batches[i], sizeof(batches[i]), "%s%s", first, second);
		free(first);
		free(second);
		cr_assert_eq(pthread_create(&threads[i], NULL, put_from_thread, batches[i]), 0);
	}
	for (int i = 0; i < NR_THREADS; i++)
		cr_assert_eq(pthread_join(threads[i], NULL), 0);
	cr_assert_eq(count_whole_lines(drain(fd)), NR_THREADS * NR_ROUNDS * 2);
	close(fd);
}

/* --- descriptors of the host's --------------------------------------------------------- */

Test(dst_pipe, a_descriptor_of_the_host_s_is_written_to_and_stays_open)
{
	int fd = open_file("trace");

	begin_fd(fd);
	cr_assert_eq(put("one\n"), 0);
	cr_assert_eq(put("two\n"), 0);
	assert_file_holds(in_dir("trace"), "one\ntwo\n");
	t2_dst_renew(&dst, true);
	cr_assert_eq(put("three\n"), 0);
	cr_assert_eq(write(fd, "host\n", 5), 5);
	assert_file_holds(in_dir("trace"), "one\ntwo\nthree\nhost\n");
	close(fd);
}

Test(dst_pipe, a_number_that_is_reused_is_not_written_to)
{
	int fd = open_file("trace"), other = open_file("precious");

	begin_fd(fd);
	put("one\n");
	dup2(other, fd);
	cr_assert_eq(put("two\n"), -EBADF);
	cr_assert_eq(dst.kind, T2_DST_OFF);
	assert_file_holds(in_dir("precious"), "");
	assert_file_holds(in_dir("trace"), "one\n");
	cr_assert_neq(fcntl(fd, F_GETFD), -1, "the host's descriptor was closed");
	close(fd);
	close(other);
}

Test(dst_pipe, a_duplicate_under_the_same_number_is_the_same)
{
	int fd = open_file("trace"), copy = dup(fd);

	begin_fd(fd);
	put("one\n");
	close(fd);
	dup2(copy, fd);
	cr_assert_eq(put("two\n"), 0);
	close(copy);
	close(fd);
}

Test(dst_pipe, a_closed_number_switches_off)
{
	int fd = dup(0);

	close(fd);
	begin_fd(fd);
	cr_assert_eq(t2_dst_identify(&dst), -EBADF);
	cr_assert_eq(put("one\n"), -EBADF);
	cr_assert_eq(dst.kind, T2_DST_OFF);
}

Test(dst_pipe, a_pinned_number_has_to_be_what_it_was_said_to_be)
{
	int fd = open_file("trace"), other = open_file("other");
	struct stat st;

	fstat(fd, &st);
	begin_fd(fd);
	t2_dst_pin(&dst, st.st_dev, st.st_ino);
	cr_assert_eq(t2_dst_identify(&dst), 0);
	cr_assert_eq(put("one\n"), 0);

	fstat(other, &st);
	begin_fd(fd);
	t2_dst_pin(&dst, st.st_dev, st.st_ino);
	cr_assert_eq(t2_dst_identify(&dst), -EBADF);
	cr_assert_eq(put("two\n"), -EBADF);
	assert_file_holds(in_dir("trace"), "one\n");
	close(fd);
	close(other);
}

Test(dst_pipe, an_identified_number_is_pinned)
{
	int fd = open_file("trace"), other = open_file("other");

	begin_fd(fd);
	cr_assert_eq(t2_dst_identify(&dst), 0);
	dup2(other, fd);
	cr_assert_eq(t2_dst_identify(&dst), -EBADF);
	cr_assert_eq(put("one\n"), -EBADF);
	close(fd);
	close(other);
}

Test(dst_pipe, a_read_only_descriptor_switches_off)
{
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);

	begin_fd(fd);
	cr_assert_lt(put("one\n"), 0);
	cr_assert_eq(dst.kind, T2_DST_OFF);
	close(fd);
}

/* A write of more than the free pages would wait for the rest, for ever. */
Test(dst_pipe, a_long_line_does_not_block_on_a_pipe_of_the_host_s, .timeout = 5)
{
	char *line = line_of(20000), *half_page = line_of(2049);
	int fds[2];

	cr_assert_eq(pipe2(fds, O_CLOEXEC), 0);
	begin_fd(fds[1]);
	for (int i = 0; i < pipe_size(fds[0]) / 4096 - 1; i++)
		cr_assert_eq(put(half_page), 0);
	cr_assert_eq(put(line), -EAGAIN);
	free(half_page);
	free(line);
	close(fds[0]);
	close(fds[1]);
}

/* A blocking pipe of the host's must not block. */
Test(dst_pipe, a_full_pipe_of_the_host_s_does_not_block, .timeout = 10)
{
	char *line = line_of(3000);
	int fds[2], nr = 0, ret;

	cr_assert_eq(pipe2(fds, O_CLOEXEC), 0);
	begin_fd(fds[1]);
	while (!(ret = put(line)))
		nr++;
	cr_assert_eq(ret, -EAGAIN);
	cr_assert_geq(nr, pipe_size(fds[0]) / 4096);
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	cr_assert_eq(count_whole_lines(drain(fds[0])), nr);
	cr_assert_eq(put(line), 0);
	cr_assert_eq(fcntl(fds[1], F_GETFL) & O_NONBLOCK, 0, "the host's flags were changed");
	free(line);
	close(fds[0]);
	close(fds[1]);
}

Test(dst_pipe, a_pipe_whose_reader_is_gone_raises_no_signal)
{
	uint64_t blocked = blocked_signals();
	struct sigaction action;
	int fds[2];

	signal(SIGPIPE, SIG_DFL);
	cr_assert_eq(pipe2(fds, O_CLOEXEC), 0);
	close(fds[0]);
	begin_fd(fds[1]);
	cr_assert_lt(put("one\n"), 0);
	cr_assert_eq(blocked_signals(), blocked);
	cr_assert_not(is_pending(SIGPIPE));
	sigaction(SIGPIPE, NULL, &action);
	cr_assert_eq(action.sa_handler, SIG_DFL);
	close(fds[1]);
}

/* It would not have had to wait, and nobody will ever come. */
Test(dst_pipe, a_pipe_whose_reader_is_gone_switches_off)
{
	int fds[2];

	cr_assert_eq(pipe2(fds, O_CLOEXEC), 0);
	close(fds[0]);
	begin_fd(fds[1]);
	cr_assert_eq(put("one\n"), -EPIPE);
	cr_assert_eq(dst.kind, T2_DST_OFF);
	close(fds[1]);
}

Test(dst_pipe, a_pending_sigpipe_of_the_host_s_stays_pending)
{
	int fds[2];
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGPIPE);
	cr_assert_eq(pipe2(fds, O_CLOEXEC), 0);
	close(fds[0]);
	begin_fd(fds[1]);
	put("one\n");
	cr_assert(is_pending(SIGPIPE));
	close(fds[1]);
	signal(SIGPIPE, SIG_IGN);
}
