/* SPDX-License-Identifier: MIT */
/* preload/dst.c: every destination there is; files, limits, borrowed state. */
#include "preload/torn.h"
#include "tests/unit/dst.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>

TestSuite(dst, .init = open_dir, .fini = remove_dir, .timeout = 30);

/* --- what is one, and what is none ---------------------------------------------- */

#define FIFTY "/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define HUNDRED FIFTY FIFTY

static const struct {
	const char *spec;
	enum t2_dst_kind kind;
	int fd;
	int socket_type;
	const char *path; /* NULL: does not matter */
} specs[] = {
	{NULL, T2_DST_OFF, -1, 0, NULL},
	{"", T2_DST_OFF, -1, 0, NULL},
	{"0", T2_DST_OFF, -1, 0, NULL},
	{"false", T2_DST_OFF, -1, 0, NULL},
	{"False", T2_DST_OFF, -1, 0, NULL},
	{"FALSE", T2_DST_OFF, -1, 0, NULL},
	{"1", T2_DST_FD, 2, 0, NULL},
	{"true", T2_DST_FD, 2, 0, NULL},
	{"True", T2_DST_FD, 2, 0, NULL},
	{"tRUE", T2_DST_FD, 2, 0, NULL},
	{"2", T2_DST_FD, 2, 0, NULL},
	{"3", T2_DST_FD, 3, 0, NULL},
	{"9", T2_DST_FD, 9, 0, NULL},
	{"10", T2_DST_OFF, -1, 0, NULL},
	{"01", T2_DST_OFF, -1, 0, NULL},
	{"00", T2_DST_OFF, -1, 0, NULL},
	{" 1", T2_DST_OFF, -1, 0, NULL},
	{"1 ", T2_DST_OFF, -1, 0, NULL},
	{"-1", T2_DST_OFF, -1, 0, NULL},
	{":", T2_DST_OFF, -1, 0, NULL},
	{"yes", T2_DST_OFF, -1, 0, NULL},
	{"on", T2_DST_OFF, -1, 0, NULL},
	{"no", T2_DST_OFF, -1, 0, NULL},
	{"truer", T2_DST_OFF, -1, 0, NULL},
	{"tru", T2_DST_OFF, -1, 0, NULL},
	{"relative/path", T2_DST_OFF, -1, 0, NULL},
	{"~/x", T2_DST_OFF, -1, 0, NULL},
	{"/tmp/x", T2_DST_FILE, -1, 0, "/tmp/x"},
	{"/", T2_DST_FILE, -1, 0, "/"},
	{"af_unix:/x", T2_DST_SOCKET, -1, 0, "/x"},
	{"af_unix:stream:/x", T2_DST_SOCKET, -1, SOCK_STREAM, "/x"},
	{"af_unix:dgram:/x", T2_DST_SOCKET, -1, SOCK_DGRAM, "/x"},
	{"af_unix:" HUNDRED "/123456", T2_DST_SOCKET, -1, 0, HUNDRED "/123456"},
	{"af_unix:" HUNDRED "/1234567", T2_DST_OFF, -1, 0, NULL},
	{"af_unix:", T2_DST_OFF, -1, 0, NULL},
	{"af_unix:stream:", T2_DST_OFF, -1, 0, NULL},
	{"af_unix:relative", T2_DST_OFF, -1, 0, NULL},
	{"af_unix:foo:/x", T2_DST_OFF, -1, 0, NULL},
	{"af_unix:seqpacket:/x", T2_DST_OFF, -1, 0, NULL},
	{"AF_UNIX:/x", T2_DST_OFF, -1, 0, NULL},
	{"af_unix", T2_DST_OFF, -1, 0, NULL},
};

Test(dst, specifications_are_read_as_git_reads_them)
{
	cr_assert_eq(strlen(HUNDRED), 100);
	for (size_t i = 0; i < sizeof(specs) / sizeof(*specs); i++) {
		memset(&dst, 0xaa, sizeof(dst));
		t2_dst_init(&dst, specs[i].spec);
		cr_assert_eq(dst.kind, specs[i].kind, "\"%s\" is of kind %d, not %d", specs[i].spec,
			     (int)specs[i].kind, (int)dst.kind);
		cr_assert_eq(dst.fd, specs[i].fd, "descriptor of \"%s\"", specs[i].spec);
		if (specs[i].path)
			cr_assert_str_eq(dst.path, specs[i].path);
		if (specs[i].kind == T2_DST_SOCKET)
			cr_assert_eq(dst.socket_type, specs[i].socket_type, "type of \"%s\"",
				     specs[i].spec);
	}
}

Test(dst, one_that_is_off_takes_everything_and_writes_nothing)
{
	begin("");
	cr_assert_eq(put("a\n"), 0);
	cr_assert_eq(dst.kind, T2_DST_OFF);
}

static const struct {
	const char *spec;
	enum t2_dst_fault fault;
} faults[] = {
	{NULL, T2_DST_NO_FAULT},
	{"", T2_DST_NO_FAULT},
	{"0", T2_DST_NO_FAULT},
	{"false", T2_DST_NO_FAULT},
	{"1", T2_DST_NO_FAULT},
	{"/x", T2_DST_NO_FAULT},
	{"af_unix:/x", T2_DST_NO_FAULT},
	{"10", T2_DST_BAD_VALUE},
	{"yes", T2_DST_BAD_VALUE},
	{"no", T2_DST_BAD_VALUE},
	{"relative/path", T2_DST_BAD_VALUE},
	{"AF_UNIX:/x", T2_DST_BAD_VALUE},
	{"af_unix:", T2_DST_BAD_ADDRESS},
	{"af_unix:stream:", T2_DST_BAD_ADDRESS},
	{"af_unix:x", T2_DST_BAD_PATH},
	{"af_unix:foo:/x", T2_DST_BAD_PATH},
	{"af_unix:" HUNDRED "/1234567", T2_DST_BAD_PATH},
};

Test(dst, what_is_wrong_with_a_specification_is_noted)
{
	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		t2_dst_init(&dst, faults[i].spec);
		cr_assert_eq(dst.fault, faults[i].fault, "\"%s\" has fault %d, not %d",
			     faults[i].spec, (int)faults[i].fault, (int)dst.fault);
	}
}

/* --- files ------------------------------------------------------------------------ */

Test(dst, a_file_is_made_and_appended_to)
{
	begin(in_dir("trace"));
	cr_assert_eq(put("one\n"), 0);
	cr_assert_eq(put("two\nthree\n"), 0);
	assert_file_holds(in_dir("trace"), "one\ntwo\nthree\n");
	cr_assert_eq(dst.kind, T2_DST_FILE);
}

Test(dst, what_was_in_a_file_stays)
{
	FILE *file = fopen(in_dir("trace"), "we");

	fputs("before\n", file);
	fclose(file);
	begin(in_dir("trace"));
	cr_assert_eq(put("one\n"), 0);
	assert_file_holds(in_dir("trace"), "before\none\n");
}

Test(dst, two_who_write_to_a_file_do_not_write_over_each_other)
{
	struct t2_dst other;

	begin(in_dir("trace"));
	t2_dst_init(&other, dst.path);
	put("a\n");
	put_as(&other, LEAF, "b\n", 2, 0);
	put("c\n");
	assert_file_holds(in_dir("trace"), "a\nb\nc\n");
}

Test(dst, a_new_file_has_the_rights_the_mask_leaves)
{
	mode_t mask = umask(027);
	struct stat st;

	begin(in_dir("trace"));
	put("one\n");
	umask(mask);
	cr_assert_eq(stat(in_dir("trace"), &st), 0);
	cr_assert_eq(st.st_mode & 0777, 0640, "the file has mode %o", st.st_mode & 0777);
}

Test(dst, no_descriptor_is_kept_for_a_file)
{
	int before = nr_open();

	begin(in_dir("trace"));
	put("one\n");
	cr_assert_eq(nr_open(), before);
	begin(dir);
	put("one\n");
	cr_assert_eq(nr_open(), before);
	begin("/nowhere/at/all");
	put("one\n");
	cr_assert_eq(nr_open(), before);
}

Test(dst, a_removed_file_is_made_again)
{
	begin(in_dir("trace"));
	put("one\n");
	unlink(in_dir("trace"));
	cr_assert_eq(put("two\n"), 0);
	assert_file_holds(in_dir("trace"), "two\n");
}

Test(dst, parent_directories_are_not_made)
{
	begin(in_dir("no/trace"));
	cr_assert_eq(put("one\n"), -ENOENT);
	cr_assert_eq(dst.kind, T2_DST_OFF);
	cr_assert_eq(dst.fault, T2_DST_NOT_OPENED);
	cr_assert_eq(dst.was, T2_DST_FILE);
	cr_assert_eq(dst.error, -ENOENT);
	assert_absent(in_dir("no"));
}

Test(dst, after_an_error_it_is_off_for_good)
{
	begin(in_dir("no/trace"));
	put("one\n");
	cr_assert_eq(mkdir(in_dir("no"), 0755), 0);
	cr_assert_eq(put("two\n"), 0);
	assert_absent(in_dir("no/trace"));
}

Test(dst, a_full_disk_switches_off)
{
	begin("/dev/full");
	cr_assert_eq(put("one\n"), -ENOSPC);
	cr_assert_eq(dst.kind, T2_DST_OFF);
	cr_assert_eq(dst.fault, T2_DST_NOT_WRITTEN);
	cr_assert_eq(dst.error, -ENOSPC);
}

Test(dst, a_device_is_written_to)
{
	begin("/dev/null");
	cr_assert_eq(put("one\n"), 0);
	cr_assert_eq(dst.kind, T2_DST_FILE);
}

/* --- in somebody else's memory ------------------------------------------------------------ */

static void assert_borrows(int expected)
{
	struct t2_dst before = dst;
	int nr = nr_open();

	cr_assert_eq(put_as(&dst, LEAF, "one\n", 4, T2_DST_BORROWED), expected);
	cr_assert(!memcmp(&before, &dst, sizeof(dst)), "the state was changed");
	cr_assert_eq(nr_open(), nr, "a descriptor is left");
}

Test(dst, borrowed_files_and_directories_are_written_to_unchanged)
{
	begin(in_dir("trace"));
	assert_borrows(0);
	assert_file_holds(in_dir("trace"), "one\n");
	begin(dir);
	assert_borrows(0);
	assert_file_holds(in_dir(LEAF), "one\n");
	/* Once its owner has made a file, it is that file. */
	begin(dir);
	put("own\n");
	assert_borrows(0);
	assert_file_holds(in_dir(LEAF ".1"), "own\none\n");
}

Test(dst, a_borrowed_socket_is_written_to_unchanged)
{
	int listener = listen_at("socket", SOCK_STREAM), peer;

	begin_socket("af_unix:");
	assert_borrows(0);
	peer = accept_one(listener);
	cr_assert_str_eq(drain(peer), "one\n");
	cr_assert_eq(read(peer, (char[1]){0}, 1), 0, "the connection is still open");
	close(peer);
	put("own\n");
	peer = accept_one(listener);
	assert_borrows(0);
	cr_assert_str_eq(drain(peer), "own\none\n");
	close(peer);
	close(listener);
}

Test(dst, a_borrowed_descriptor_is_written_to_unchanged)
{
	int fd = open_file("trace");

	begin_fd(fd);
	assert_borrows(0);
	assert_file_holds(in_dir("trace"), "one\n");
	close(fd);
}

Test(dst, a_borrowed_one_is_not_switched_off)
{
	begin(in_dir("no/trace"));
	assert_borrows(-ENOENT);
	begin_socket("af_unix:");
	assert_borrows(-ENOENT);
	begin("/dev/full");
	assert_borrows(-ENOSPC);
	cr_assert_eq(mkfifo(in_dir("fifo"), 0600), 0);
	begin(in_dir("fifo"));
	assert_borrows(-ENXIO);
}

/* --- limits -------------------------------------------------------------------------------- */

static void limit_file_size(rlim_t size)
{
	struct rlimit limit;

	getrlimit(RLIMIT_FSIZE, &limit);
	limit.rlim_cur = size;
	cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
	signal(SIGXFSZ, SIG_DFL);
}

static const unsigned guarded[] = {T2_DST_GUARD_LIMIT, T2_DST_GUARD_LIMIT | T2_DST_BORROWED};

Test(dst, a_file_size_limit_does_not_kill)
{
	uint64_t blocked = blocked_signals();

	begin(in_dir("trace"));
	put("12345678\n");
	limit_file_size(9);
	for (size_t i = 0; i < 2; i++) {
		begin(in_dir("trace"));
		cr_assert_eq(put_as(&dst, LEAF, "one\n", 4, guarded[i]), -EFBIG);
		cr_assert_eq(blocked_signals(), blocked, "the mask was changed");
		cr_assert_not(is_pending(SIGXFSZ));
	}
	cr_assert_eq(dst.kind, T2_DST_FILE, "borrowed: it is not off");
	begin(in_dir("trace"));
	put_as(&dst, LEAF, "one\n", 4, T2_DST_GUARD_LIMIT);
	cr_assert_eq(dst.kind, T2_DST_OFF);
	assert_file_holds(in_dir("trace"), "12345678\n");
}

Test(dst, a_file_size_limit_does_not_kill_on_a_descriptor)
{
	int fd = open_file("trace");

	limit_file_size(0);
	begin_fd(fd);
	cr_assert_eq(put_as(&dst, LEAF, "one\n", 4, T2_DST_GUARD_LIMIT), -EFBIG);
	cr_assert_not(is_pending(SIGXFSZ));
	cr_assert_eq(dst.kind, T2_DST_OFF);
	close(fd);
}

Test(dst, a_short_write_is_not_completed_and_leaves_no_torn_line)
{
	begin(in_dir("trace"));
	limit_file_size(6);
	cr_assert_eq(put_as(&dst, LEAF, "one\ntwo\n", 8, T2_DST_GUARD_LIMIT), -ENOSPC);
	cr_assert_eq(dst.kind, T2_DST_OFF);
	assert_file_holds(in_dir("trace"), "one\n \n");
}

/* The limit is this process's: others have gone on appending to what it left. */
Test(dst, a_torn_line_is_found_behind_what_others_appended)
{
	char long_line[3000], expected[3000];
	int fd = open_file("trace");

	memset(long_line, 'x', sizeof(long_line) - 1);
	long_line[sizeof(long_line) - 1] = '\0';
	limit_file_size(2000);
	cr_assert_eq(write(fd, long_line, 2900), 2000);
	limit_file_size(RLIM_INFINITY);
	cr_assert_eq(write(fd, "other\n", 6), 6);
	limit_file_size(2000);
	t2_torn_blank(fd, long_line, 2000);
	memset(expected, ' ', 1999);
	strcpy(expected + 1999, "\nother\n");
	assert_file_holds(in_dir("trace"), expected);
	close(fd);
}

Test(dst, what_is_not_ours_is_not_blanked)
{
	int fd = open_file("trace");

	cr_assert_eq(write(fd, "one\ntwo", 7), 7);
	t2_torn_blank(fd, "one\ntwx", 7);
	t2_torn_blank(fd, "more than there is", 18);
	t2_torn_blank(fd, "two\n", 4);
	assert_file_holds(in_dir("trace"), "one\ntwo");
	t2_torn_blank(fd, "one\ntwo", 7);
	assert_file_holds(in_dir("trace"), "one\n  \n");
	close(fd);
}

Test(dst, a_pending_sigxfsz_of_the_host_s_stays_pending)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGXFSZ);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGXFSZ);
	limit_file_size(0);
	raise(SIGXFSZ);
	begin(in_dir("trace"));
	cr_assert_eq(put_as(&dst, LEAF, "one\n", 4, T2_DST_GUARD_LIMIT), -EFBIG);
	cr_assert(is_pending(SIGXFSZ));
	signal(SIGXFSZ, SIG_IGN);
}

/* As while a child announces itself; nobody guards the write. */
Test(dst, a_blocked_sigxfsz_is_not_left_to_the_host)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGXFSZ);
	sigprocmask(SIG_BLOCK, &set, NULL);
	limit_file_size(0);
	begin(in_dir("trace"));
	cr_assert_eq(put("one\n"), -EFBIG);
	cr_assert_not(is_pending(SIGXFSZ));
}

Test(dst, without_a_free_descriptor_it_is_off)
{
	struct rlimit limit, none;
	int ret;

	begin(in_dir("trace"));
	getrlimit(RLIMIT_NOFILE, &limit);
	none = limit;
	none.rlim_cur = 0;
	setrlimit(RLIMIT_NOFILE, &none);
	ret = put("one\n");
	setrlimit(RLIMIT_NOFILE, &limit);
	cr_assert_eq(ret, -EMFILE);
	cr_assert_eq(dst.kind, T2_DST_OFF);
}

/* --- a host without standard streams --------------------------------------------------------- */

/* In a child of its own: the test runner needs its streams. Returns 0 or what is wrong. */
static int write_without_streams(void)
{
	for (int fd = 0; fd < 3; fd++)
		close(fd);
	if (put("one\n"))
		return 1;
	if (dst.kind == T2_DST_SOCKET && dst.fd < 3)
		return 2;
	for (int fd = 0; fd < 3; fd++) {
		if (fcntl(fd, F_GETFD) != -1)
			return 3;
	}
	/* And the host gets the number it expects. */
	return open("/dev/null", O_RDONLY | O_CLOEXEC) ? 4 : 0;
}

static void assert_works_without_streams(void)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(write_without_streams());
	waitpid(pid, &status, 0);
	cr_assert(WIFEXITED(status));
	cr_assert_eq(WEXITSTATUS(status), 0, "failure number %d", WEXITSTATUS(status));
}

Test(dst, closed_streams_stay_closed)
{
	int listener = listen_at("socket", SOCK_STREAM), fd = open_fifo("fifo"), peer;

	begin(in_dir("trace"));
	assert_works_without_streams();
	assert_file_holds(in_dir("trace"), "one\n");
	begin(dir);
	assert_works_without_streams();
	assert_file_holds(in_dir(LEAF), "one\n");
	begin(in_dir("fifo"));
	assert_works_without_streams();
	cr_assert_str_eq(drain(fd), "one\n");
	begin_socket("af_unix:");
	assert_works_without_streams();
	peer = accept_one(listener);
	cr_assert_str_eq(drain(peer), "one\n");
	close(peer);
	close(fd);
	close(listener);
}
