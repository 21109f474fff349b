#!/bin/sh
# SPDX-License-Identifier: MIT
#
# t2 export, as others read it: of a real build, of the traces of the other tests, and of
# arguments that are everything a table, a page or a terminal takes for its own.
# shellcheck disable=SC2016 # backticks are text here
# shellcheck source=tests/command/lib.sh
. "$(dirname "$0")/lib.sh"
set -e
cd "$root"
export LC_ALL=C.UTF-8

read_all() {
	python3 tests/command/export_read.py "$t2" "$@" >"$work/out" 2>&1 ||
		fail "the exports of $1: $(cat "$work/out")"
	grep '^SKIP' "$work/out" >"$work/skipped" || :
}

for trace in tests/traces/*.jsonl tests/command/*.jsonl tests/samples/*/*/event.txt; do
	read_all "$trace"
done

# A part of this project's own build.
"$t2" run --summary never -o "$work/build" -- make -s O="$work/o" "$work/o/pic/preload/buf.o" \
	"$work/o/pic/preload/str.o" >/dev/null
read_all "$work/build"
[ "$("$t2" export -F csv "$work/build" | wc -l)" -gt 10 ] ||
	fail "a build of hardly any process"

# All that bytes can be, and what means something in Markdown, HTML or a mention.
python3 - "$work/argv" <<'END'
import sys
words = [bytes([byte]) * 2 for byte in range(1, 256)]
words += [b"", b" ", b"|", b"a|b||c\\|d\\", b"`x`", b"``", b"```\n# h", b"a`", b"<script>x</script>",
          b"<!-- ", b"&lt;&#124;", b"@octocat", b"www.example.org http://example.org a@example.org",
          b"[x](http://y)", b"![i](j)", b"*b* _u_ ~~s~~ **", b"- [ ] t", b"# h", b"\r\n", b"a;b c 12",
          b'"', b'""', b'","', b"=1+1", "\u202e\u200b\ufeff\u2028\U0001f600\u65e5\u0301".encode(),
          b"\xc3\x28\xe2\x82\xed\xa0\x80\xf4\x90\x80\x80\xff"]
open(sys.argv[1], "wb").write(b"true\0" + b"".join(word + b"\0" for word in words))
END
"$t2" run --summary never -o "$work/hostile" -- xargs -0 -a "$work/argv" env -u NOTHING
read_all "$work/hostile" "$work/argv"

# The program's own name.
for name in 'a|b' 'a`b' 'a`' '`' 'a;b' '<b>' "$(printf 'a\nb\t\033[31m')" "$(printf 'a\377b')" '@me' ' ' '"'; do
	cp /bin/true "$work/$name"
	"$t2" run --summary never -o "$work/name" -- "$work/$name"
	read_all "$work/name"
done
if [ -s "$work/skipped" ]; then
	cat "$work/skipped"
else
	echo "ok t2 export, read by others"
fi
