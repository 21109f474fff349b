#!/bin/sh
# SPDX-License-Identifier: MIT
#
# A terminal of 60 columns: no line of a view is wider, and what is left out there is still
# shown where there are 80.
# shellcheck source=tests/command/view.lib.sh
. "$(dirname "$0")/view.lib.sh"
set -e

# session SID START_MS END_MS STATUS ARGV: one process.
session() {
	awk -v sid="$1" -v start="$2" -v end="$3" -v code="$4" -v argv="$5" '
	function event(name, ms, more) {
		printf "{\"event\":\"%s\",\"sid\":\"%s\",\"thread\":\"main\",", name, sid
		printf "\"time\":\"2026-01-01T00:%02d:%02d.%03d000Z\"%s}\n", ms / 60000,
			ms / 1000 % 60, ms % 1000, more
	}
	BEGIN {
		event("version", start, ",\"evt\":\"4\",\"exe\":\"1\"")
		event("start", start, ",\"t_abs\":0.0,\"argv\":[" argv "]")
		event("atexit", end, ",\"t_abs\":1.0,\"code\":" code)
	}' </dev/null
}

# 60 steps of 10 s each, by three programs: five links of the chain tell little of it.
{
	session 20260101T000000.000001Z-H00000001-P00000001 0 605000 2 '"make","-C","/a/long/way/down","all"'
	for step in $(seq 0 59); do
		case $((step % 3)) in
		0) name=first-compiler ;;
		1) name=another-linker ;;
		*) name=third-assembler ;;
		esac
		session "20260101T000000.000001Z-H00000001-P00000001/20260101T000000.000002Z-H00000001-P$(printf %08x $((step + 2)))" \
			$((step * 10000)) $((step * 10000 + 10000)) 0 "\"$name\",\"-o\",\"$step.o\""
	done
} >"$work/steps.jsonl"

# fits COLUMNS ARGUMENT...: no line is wider.
fits() {
	COLUMNS=$1 "$t2" "$2" "$3" ${4+"$4"} >"$work/got" 2>"$work/err" || :
	[ -s "$work/got" ] || fail "t2 $2 $3: nothing: $(cat "$work/err")"
	if grep ".\{$(($1 + 1))\}" "$work/got"; then
		fail "$1 columns: t2 $2 $3 ${4-} is wider"
	fi
}

for trace in *.jsonl ../traces/*.jsonl "$work/steps.jsonl"; do
	for columns in 60 80; do
		for view in report top critical tree; do
			fits $columns "$view" "$trace"
		done
		fits $columns failures --all "$trace"
		fits $columns diff build.jsonl "$trace"
		fits $columns diff "$trace" build.jsonl
	done
done

# What there is too little room for goes into the next line.
COLUMNS=60 "$t2" report --cpus 2 ../traces/incomplete.jsonl >"$work/got" 2>/dev/null
grep -A1 '^  2 processes whose ends nobody told: killed, or still' "$work/got" |
	grep -q '^    running$' || fail "the end that nobody told: $(cat "$work/got")"
COLUMNS=60 "$t2" report --cpus 2 "$work/steps.jsonl" >"$work/got"
head -n 2 "$work/got" >"$work/head"
diff - "$work/head" <<'END' || fail "the head: $(cat "$work/got")"
make -C /a/long/way/down all
  exit 2 (FAILED)   10m05.0s wall   2026-01-01 00:00
END
grep -A1 '^    by command: ' "$work/got" | tail -n 1 | grep -q '^      .*(3[0-9]%)$' ||
	fail "by command: $(cat "$work/got")"
COLUMNS=80 "$t2" report --cpus 2 "$work/steps.jsonl" >"$work/got"
grep -q '^make -C .* all   exit 2 (FAILED)   10m05.0s wall   2026-01-01 00:00$' "$work/got" ||
	fail "the head of 80: $(cat "$work/got")"

# The table of a diff: whole in 80, and its commands can be read in 60.
COLUMNS=80 "$t2" diff build.jsonl serial.jsonl >"$work/got"
grep -q 'change .* % .* base .* new .* cpu .* rss .* count .* command$' "$work/got" ||
	fail "diff in 80: $(cat "$work/got")"
COLUMNS=60 "$t2" diff build.jsonl serial.jsonl >"$work/got"
grep -q '^slower .* cc -c a.c$' "$work/got" || fail "diff in 60: $(cat "$work/got")"
echo "ok t2: 60 columns"
