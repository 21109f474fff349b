# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Perl's own tests of processes, pipes, signals, sockets and threads, from its source
# package, with the installed perl and its modules. A case is FILE:NUMBER, as the test
# counts (TAP), and FILE:end its exit status.

prepare() {
	need perl
	source=$(sources perl) || skip "no source of perl: $(grep '^E:' "$work/fetch.log" | tail -n 1)"
	tree=$work/perl
	mkdir -p "$tree/lib"
	for part in t ext dist cpan; do
		cp -r "$source/$part" "$tree/$part"
	done
	# The tests want the modules beside them; here they are the installed ones.
	perl -MConfig -e 'print "$_\n" for @Config{"privlibexp", "archlibexp"}' | while read -r lib; do
		cp -rsn "$(readlink -f "$lib")/." "$tree/lib/"
	done
	cp -rsn "$(perl -e 'print grep { m,/perl-base$, } @INC')/." "$tree/lib/" 2>/dev/null
	ln -s "$(command -v perl)" "$tree/perl"
	ln -s ../perl "$tree/t/perl"
}

tests="t/op/fork.t t/op/exec.t t/op/alarm.t t/op/kill0.t t/op/getppid.t t/op/getpid.t t/op/die_exit.t
	t/op/sigdispatch.t t/op/sigsystem.t t/op/sselect.t t/op/magic.t t/op/groups.t t/op/exists_sub.t
	t/op/die.t t/op/die_unwind.t t/op/die_keeperr.t t/op/time.t t/op/sleep.t t/op/threads.t
	t/op/threads-dirh.t t/op/sysio.t t/op/filetest.t t/op/stat.t t/op/chdir.t t/op/glob.t
	t/op/readline.t t/op/require_errors.t t/op/srand.t t/op/rand.t t/op/taint.t t/op/inccode.t
	t/io/pipe.t t/io/dup.t t/io/open.t t/io/closepid.t t/io/fs.t t/io/argv.t t/io/inplace.t
	t/io/iofile.t t/io/nargv.t t/io/perlio_open.t t/io/print.t t/io/read.t t/io/say.t t/io/shm.t
	t/io/msg.t t/io/sem.t t/io/socket.t t/io/socketpair.t t/io/tell.t t/io/through.t t/io/crlf_through.t
	t/io/errno.t t/io/eintr.t t/io/eintr_print.t t/io/data.t t/io/defout.t t/io/errnosig.t
	t/run/exit.t t/run/fresh_perl.t t/run/runenv.t t/run/script.t t/run/switches.t t/run/switchn.t
	t/run/switchp.t t/run/switcht.t t/run/switchd.t t/run/cloexec.t t/run/noswitch.t t/run/locale.t
	t/cmd/mod.t t/cmd/subval.t t/win32/system.t t/lib/no_load.t
	ext/IPC-Open3 ext/POSIX ext/Fcntl ext/File-Glob ext/FileCache
	dist/IO dist/threads dist/threads-shared dist/Thread-Queue dist/Thread-Semaphore
	dist/Net-Ping dist/PathTools dist/Storable dist/SelfLoader
	cpan/IPC-Cmd cpan/IPC-SysV cpan/Socket cpan/File-Temp cpan/Sys-Syslog cpan/IO-Zlib
	cpan/Time-HiRes dist/Time-HiRes cpan/Pod-Perldoc cpan/Test-Harness cpan/autodie"

# Each test file: the directory it runs in, and its name there.
test_files() {
	for one in $tests; do
		case $one in
		*.t) [ ! -f "$tree/$one" ] || echo "t ${one#t/}" ;;
		*) (cd "$tree/$one" 2>/dev/null && find t -name '*.t' | LC_ALL=C sort | sed "s,^,$one ,") ;;
		esac
	done
}

cases() {
	test_files >"$work/files"
	while read -r place file; do
		[ $# = 0 ] || named "$place/$file" "$@" || continue
		seen=$(detail "$place/$file")
		(
			cd "$tree/$place" || exit
			# Tests may expect to be alone in the place for temporary files.
			rm -rf "$work/tmp" && mkdir "$work/tmp"
			# shellcheck disable=SC2046 # the way up, or nothing
			PERL_CORE=1 under timeout -k 5 300 perl $([ "$place" = t ] || echo -I../../lib) -I. "$file" \
				</dev/null >"$seen" 2>"$work/perl.err"
			echo "$place/$file:end status:$?"
		)
		sed -nE "s,^[[:space:]]*(ok|not ok) ([0-9]+).*# ?(SKIP|TODO).*,\2 \3:\1,p; t
			s,^(ok|not ok) ([0-9]+).*,\2 \1,p" "$seen" | sed "s,not ok,fail,; s,^,$place/$file:,"
		cat "$work/perl.err" >>"$seen"
	done <"$work/files"
}

# named FILE CASE...: has one of the cases this file?
named() {
	file_name=$1
	shift
	for one; do
		[ "${one%:*}" != "$file_name" ] || return 0
	done
	return 1
}
