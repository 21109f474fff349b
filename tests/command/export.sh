#!/bin/sh
# SPDX-License-Identifier: MIT
#
# t2 export: git's own files made again, and small traces whose numbers are known.
# shellcheck disable=SC2016 # backticks are text here
# shellcheck source=tests/command/lib.sh
. "$(dirname "$0")/lib.sh"
set -e
cd "$root"
out=$work/out

# exports STATUS ARGUMENT...: t2 export.
exports() {
	wanted=$1
	shift
	wants "$wanted" "$t2" export "$@"
}

# --- the formats of git -------------------------------------------------------------
python3 tests/command/export_git.py "$t2" tests/samples || fail "git's own files"

event=tests/samples/git-2.39.5/version/event.txt
TZ=XYZ-5:30 exports 0 -F normal $event
head -n 1 "$out" | grep -q '^22:' || fail "the local clock: $(head -n 1 "$out" "$event")"
{
	cat $event
	echo '{"event":"from_the_future","sid":"x","thread":"main","x":[1, 2]}'
	echo 'nonsense'
} >"$work/odd"
exports 0 -F event "$work/odd"
sed '$d' "$work/odd" | cmp -s - "$out" || fail "unknown events: $(cat "$out")"
grep -q 'odd:8: ' "$work/err" || fail "nothing said of line 8: $(cat "$work/err")"
exports 0 -F perf "$work/odd"
[ "$(wc -l <"$out")" = 6 ] || fail "unknown events in PERF: $(cat "$out")"

# Two files in one, gzip, standard input, -o.
gzip -c $event | "$t2" export -F event -o "$work/both" - $event
cat $event $event | cmp -s - "$work/both" || fail "two files"
cp $event "$work/same"
exports 1 -F event -o "$work/same" "$work/same"
cmp -s $event "$work/same" || fail "the input was overwritten"

# The same memory for 20 times as many lines: 40,000 sessions, 200,000 lines.
python3 - "$t2" <<'END' || fail "memory"
import resource, subprocess, sys
LINE = '{"event":"%s","sid":"20260101T000000.%06dZ-H00000001-P00000001","thread":"main",' \
       '"time":"2026-01-01T00:00:00.000000Z","file":"f","line":1%s}\n'
KINDS = (("version", ',"evt":"4","exe":"1"'), ("start", ',"t_abs":0.0,"argv":["x"]'),
         ("cmd_name", ',"name":"x","hierarchy":"x"'), ("exit", ',"t_abs":0.5,"code":0'),
         ("atexit", ',"t_abs":0.5,"code":0'))
def measure(nr):
    text = "".join(LINE % (kind, i, rest) for i in range(nr) for kind, rest in KINDS)
    code = ("import resource, subprocess, sys\n"
            "subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)\n"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)")
    run = subprocess.run([sys.executable, "-c", code, sys.argv[1], "export", "-F", "perf", "-"],
                         input=text.encode(), stderr=subprocess.PIPE, check=True)
    return int(run.stderr)
few, many = measure(2000), measure(40000)
assert many < few + 1024, "%d KiB for few lines, %d for many" % (few, many)
END

# --- the forms of the model: sh build; cc; cc1, as; and ls, with 20 ms of nobody ------
exports 0 -F json tests/traces/nested.jsonl
python3 - "$out" <<'END' || fail "json: $(cat "$out")"
import json, sys
d = json.load(open(sys.argv[1]))
t = d["trace"]
assert t["form"] == 1 and t["start_us"] == 1767225600000000 and t["processes"] == 5, t
assert (t["wall_ns"], t["busy_ns"], t["nobody_ns"]) == (150000000, 130000000, 20000000), t
rows = [(p["name"], p["parent"], p["start_ns"] // 10**6, p["total_ns"] // 10**6, p["self_ns"] // 10**6)
        for p in d["processes"]]
assert rows == [("build", None, 0, 100, 30), ("cc", 1, 10, 70, 25), ("cc1", 2, 20, 30, 30),
                ("as", 2, 60, 15, 15), ("ls", None, 120, 30, 30)], rows
assert d["processes"][0]["argv"] == ["sh", "build"] and d["processes"][0]["pid"] == 1
assert d["processes"][0]["end"] == "exit" and d["processes"][0]["code"] == 0
assert d["processes"][0]["cpu_ns"] is None and d["processes"][1]["child_class"] == "fork"
END
jq -e '[.processes[].self_ns] | add == 130000000' "$out" >/dev/null || fail "jq"
cp "$out" "$work/json"
exports 0 -F csv tests/traces/nested.jsonl
python3 - "$out" "$work/json" <<'END' || fail "csv: $(cat "$out")"
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
objects = json.load(open(sys.argv[2]))["processes"]
assert len(rows) == len(objects) == 5
def cell(value):
    return "" if value is None else json.dumps(value, separators=(",", ":")) if type(value) is list \
        else "%.4f" % value if type(value) is float else str(value)
for row, process in zip(rows, objects):
    text = {key: cell(value) for key, value in process.items()}
    assert row == text, (row, text)
END
exports 0 -F folded tests/traces/nested.jsonl
printf '%s\n' 'build 30000' 'build;cc 25000' 'build;cc;cc1 30000' 'build;cc;as 15000' 'ls 30000' |
	cmp -s - "$out" || fail "folded: $(cat "$out")"
exports 0 -F folded --weight count tests/traces/nested.jsonl
[ "$(grep -c ' 1$' "$out")" = 5 ] || fail "count: $(cat "$out")"
exports 0 -F markdown -n 2 tests/traces/nested.jsonl
printf '%s\n' '| weighted | % | count | self | cpu | rss | command |' \
	'| ---: | ---: | ---: | ---: | ---: | ---: | --- |' \
	'| 30.0ms | 20% | 1 | 30.0ms | 0s | - | `build` |' \
	'| 30.0ms | 20% | 1 | 30.0ms | 0s | - | `cc1` |' | cmp -s - "$out" || fail "markdown: $(cat "$out")"

# Columns, filters, the process of a pid as if it were all.
exports 0 -F csv -f name,self --pid 2 -D 1 tests/traces/nested.jsonl
printf 'name,self_ns\r\ncc,25000000\r\n' | cmp -s - "$out" || fail "fields: $(cat "$out")"
exports 0 -F folded --filter cc1 tests/traces/nested.jsonl
[ "$(cat "$out")" = "build;cc;cc1 30000" ] || fail "a filter: $(cat "$out")"
exports 0 -F md -s count,self -f count,command -n 1 --by output tests/traces/nested.jsonl
tail -n 1 "$out" | grep -q '^| 1 | `build` |$' || fail "sorted: $(cat "$out")"
exports 2 -F perf --filter cc1 tests/traces/nested.jsonl
grep -q 'takes no filters' "$work/err" || fail "perf with a filter: $(cat "$work/err")"
exports 2 -F folded -f name tests/traces/nested.jsonl
exports 2 -F json -s self tests/traces/nested.jsonl

# Weights are rounded, but their sum is not off; and it is what JSON says.
for trace in tests/traces/*.jsonl tests/samples/*/*/event.txt; do
	"$t2" export -F json "$trace" >"$work/json" 2>/dev/null || fail "json of $trace"
	for weight in self cpu; do
		"$t2" export -F folded --weight $weight "$trace" >"$out" 2>/dev/null
		sum=$(awk '{ sum += $NF } END { print sum + 0 }' "$out")
		wanted=$(jq "([.processes[].${weight}_ns // 0] | add // 0) / 1000 | floor" "$work/json")
		[ "$sum" = "$wanted" ] || fail "$trace: $weight $sum, not $wanted"
	done
done

# Two of 1,500 ns each make 3 us.
for name in one two; do
	cat <<END
{"event":"version","sid":"$name","thread":"main","time":"2026-01-01T00:00:00.0000000Z","evt":"4","exe":"1"}
{"event":"start","sid":"$name","thread":"main","time":"2026-01-01T00:00:00.0000000Z","t_abs":0.0,"argv":["$name"]}
{"event":"atexit","sid":"$name","thread":"main","time":"2026-01-01T00:00:00.0000015Z","code":0}
END
done >"$work/fine"
exports 0 -F folded "$work/fine"
[ "$(tr '\n' ' ' <"$out")" = "one 1 two 2 " ] || fail "fine: $(cat "$out")"

# --- hostile names ---------------------------------------------------------------------
cat >"$work/hostile" <<'END'
{"event":"version","sid":"a","thread":"main","time":"2026-01-01T00:00:00Z","evt":"4","exe":"1"}
{"event":"start","sid":"a","thread":"main","time":"2026-01-01T00:00:00Z","t_abs":0.0,"argv":["x;y\u001b[31m\n","a|b","\"q\"","<b>"]}
{"event":"atexit","sid":"a","thread":"main","time":"2026-01-01T00:00:01Z","t_abs":1.0,"code":0}
END
exports 0 -F folded "$work/hostile"
# shellcheck disable=SC1003 # a backslash
[ "$(cat "$out")" = 'x:y\x1b[31m\n 1000000' ] || fail "hostile: $(cat "$out")"
exports 0 -F json "$work/hostile"
python3 -c '
import json, sys
p, = json.load(open(sys.argv[1]))["processes"]
assert p["argv"] == ["x;y\x1b[31m\n", "a|b", "\"q\"", "<b>"], p' "$out" || fail "hostile JSON"
exports 0 -F csv "$work/hostile"
python3 -c '
import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline="")))
assert len(rows) == 2 and len(rows[0]) == len(rows[1]), rows' "$out" || fail "hostile CSV"
exports 0 -F markdown "$work/hostile"
[ "$(wc -l <"$out")" = 3 ] || fail "hostile Markdown: $(cat "$out")"

# --- garbage, usage ----------------------------------------------------------------------
head -c 100000 /dev/urandom >"$work/noise"
for form in json csv markdown folded normal perf event; do
	exports 0 -F $form "$work/noise"
	: >"$work/empty"
	exports 0 -F $form "$work/empty"
	exports 2 -F $form "$work/none"
done
exports 2
exports 2 -F yaml $event
exports 2 -F folded --weight colour $event
exports 2 -F markdown -n many $event
exports 2 --nonsense
exports 1 -F json -o "$work/no/such/directory" $event
if [ -w /dev/full ]; then
	exports 1 -F json -o /dev/full $event
	status=0
	"$t2" export -F json $event >/dev/full 2>"$work/err" || status=$?
	[ "$status" != 0 ] || fail "a full disk went unnoticed"
fi
exports 0 --help
grep -q '^usage: t2 export' "$out" || fail "no help"
echo "ok t2 export: git's files, json, csv, markdown, folded, memory, garbage"
