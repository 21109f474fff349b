# SPDX-License-Identifier: MIT
# shellcheck shell=sh
#
# Tcl's own tests of processes, pipes, events and files, from its source package, with
# the installed tclsh. A case is a test, as Tcl names it: exec-1.1.

prepare() {
	need tclsh
	source=$(sources tcl8.6) || skip "no source of Tcl: $(grep '^E:' "$work/fetch.log" | tail -n 1)"
	given=$work/tests
	cp -r "$source/tests" "$given"
}

files="exec pid chan chanio io ioCmd ioTrans event socket unixFCmd unixFile unixInit unixNotfy
	fCmd fileName main env cmdAH source process thread zlib clock timer tm load"

cases() {
	for file in $files; do
		[ -f "$given/$file.test" ] || continue
		for only in "${@:-*}"; do
			case $only in
			"$file"-* | \*) one_file "$file" "$only" ;;
			esac
		done
	done
}

# one_file FILE PATTERN: each test of it that matches, as the verbose listing tells it.
one_file() {
	rm -rf "$work/place" "$work/tmp"
	cp -r "$given" "$work/place"
	mkdir -p "$work/tmp"
	(
		cd "$work/place" || exit
		under timeout -k 5 400 tclsh "./$1.test" -verbose pse -match "$2" -tmpdir "$work/tmp" \
			</dev/null >"$work/tcl.out" 2>&1
	)
	status=$?
	sed -nE 's/^\+\+\+\+ ([^ ]+) (PASSED|SKIPPED).*/\1 \2/p; s/^==== ([^ ]+) .*FAILED$/\1 FAILED/p' \
		"$work/tcl.out" | LC_ALL=C sort -u
	if [ "$2" = "*" ]; then
		echo "$1 status:$status"
		cp "$work/tcl.out" "$(detail "$1")"
	fi
}
