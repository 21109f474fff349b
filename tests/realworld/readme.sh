#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Every command of the README does what the README shows. Numbers, paths and
# ancestors differ from machine to machine; "..." stands for any lines, and at
# the end of a line for the rest of it.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/t2readme.XXXXXX") || exit 2
trap 'rm -rf "$work" /tmp/t2.jsonl /tmp/t2-rebuild /tmp/t2-readme.data*' EXIT
cd "$root" || exit 2
rm -rf /tmp/t2.jsonl /tmp/t2-rebuild /tmp/t2-readme.data*

scrub() {
	sed -e 's/[0-9][0-9.]*/N/g' -e 's/ancestry:\[[^]]*\]/ancestry/' -e 's/cwd:.*/cwd/' \
		-e 's/^N\t.*/counted/'
}

# shows EXPECTED GOT: line by line, with the wildcards.
shows() {
	awk -v expected="$1" '
		# A line that ends in "..." is the beginning of one.
		function fits(wanted, line) {
			if (wanted !~ /\.\.\.$/) return line == wanted
			sub(/\.\.\.$/, "", wanted)
			return index(line, wanted) == 1
		}
		BEGIN { while ((getline line < expected) > 0) want[++n] = line; i = 1 }
		{
			if (want[i] == "...") {
				if (i < n && fits(want[i + 1], $0)) i += 2
				next
			}
			if (!fits(want[i], $0)) {
				print "  line " NR ": " $0; print "  instead of: " want[i]; exit bad = 1
			}
			i++
		}
		END { if (!bad && i <= n && !(i == n && want[n] == "...")) { print "  missing: " want[i]; bad = 1 }; exit bad }
	' "$2"
}

awk -v dir="$work" '
	/^```console/ { inside = 1; next }
	/^```/ { inside = 0 }
	!inside { next }
	/^\$ / { n++; print substr($0, 3) > (dir "/" n ".command"); printf "" > (dir "/" n ".expected"); next }
	{ print > (dir "/" n ".expected") }
	END { print n > (dir "/count") }
' README.md

failed=0
n=$(cat "$work/count")
i=0
while [ "$i" -lt "$n" ]; do
	i=$((i + 1))
	sh "$work/$i.command" >"$work/$i.out" 2>&1
	status=$?
	scrub <"$work/$i.expected" >"$work/want"
	scrub <"$work/$i.out" >"$work/got"
	case $(cat "$work/$i.command") in
	*'exit 3'*) [ "$status" = 3 ] ;;
	*) [ "$status" = 0 ] ;;
	esac || {
		echo "FAIL readme: status $status: $(cat "$work/$i.command")"
		failed=1
	}
	shows "$work/want" "$work/got" || {
		echo "FAIL readme: $(cat "$work/$i.command")"
		failed=1
	}
done
[ "$n" -ge 5 ] || { echo "FAIL readme: only $n commands found"; failed=1; }
[ "$failed" = 0 ] && echo "ok readme ($n commands)"
exit "$failed"
