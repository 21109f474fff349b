# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# CPython's own tests of processes, threads and signals, those of the
# distribution's python3 (libpython3.*-testsuite). A case is one test method;
# its name is the module's, a colon, and the method's.

python=/usr/bin/python3
modules="test_subprocess test_os test_posix test_signal test_threading test_fork1 test_wait3
	test_wait4 test_popen test_faulthandler test_pty test_asyncio test_multiprocessing_fork
	test_multiprocessing_forkserver test_multiprocessing_spawn test_multiprocessing_main_handling
	test_concurrent_futures test_thread test_threadsignals test_eintr test_atexit test_openpty
	test_resource test_readline test_repl test_cmd_line test_cmd_line_script test_utf8_mode
	test_c_locale_coercion test_site test_sys test_venv"

prepare() {
	need $python
	$python -c 'import test.test_subprocess, test.test_asyncio' 2>/dev/null ||
		skip "no libpython3.*-testsuite"
}

cases() {
	for module in $modules; do
		set_of "$module" "$@" >"$work/patterns"
		[ $# = 0 ] || [ -s "$work/patterns" ] || continue
		rm -f "$work/xml"
		# shellcheck disable=SC2046 # a list
		(
			cd "$work/tmp" || exit
			under timeout -k 10 1800 $python -X utf8 -m test -j1 -u cpu,subprocess --timeout 600 \
				--junit-xml "$work/xml" $(set -f && sed 's/^/-m /' "$work/patterns") "$module" \
				</dev/null >"$work/cpython.log" 2>&1
		)
		status=$?
		$python "$here/junit.py" "$module" "$work/xml" "$work/detail/$mode" ||
			cp "$work/cpython.log" "$(detail "$module")"
		# With a selection it is not that of the whole module.
		[ $# != 0 ] || echo "$module status:$status"
	done
}

# set_of MODULE CASE...: the names of the methods among these that are its; a
# module's name stands for all of them.
set_of() {
	module=$1
	prefix=$1:
	shift
	for case; do
		case $case in
		"$module") echo '*' ;;
		"$prefix"*) echo "${case#"$prefix"}" ;;
		esac
	done
}
