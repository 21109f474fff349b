#!/bin/sh
# SPDX-License-Identifier: MIT
#
# t2 failures: what went up to the top counts, what was handled does not.
# shellcheck source=tests/command/view.lib.sh
. "$(dirname "$0")/view.lib.sh"

expect 1 failures build.jsonl <<'END'
  [SIGSEGV] cc -c b.c
      make > cc > cc1
      after 700ms, pid 7, in /src/lib
END

expect 1 failures --all build.jsonl <<'END'
status   counts   pid   total  command
exit 2   yes        1   1.00s  make -j2
exit 1   handled    3  20.0ms  grep -q x config.h
exit 1   yes        6   800ms  cc -c b.c
SIGSEGV  yes        7   700ms  cc1 b.c
END

expect 1 failures --format json -f status,ancestry,start,command build.jsonl <<'END'
[{"status":"SIGSEGV","ancestry":"make > cc > cc1","start_ns":150000000,"command":"cc1 b.c"}]
END

# Not shown, but there.
expect 1 failures -F nothing build.jsonl <<'END'
1 not shown
END

# sh itself ended well: its grep is nobody's failure.
expect 0 failures --pid 2 build.jsonl <<'END'
nothing failed in the end
1 failed on the way and was handled: t2 failures --all
END

# The parent went on after the failure: not because of it, unless the statuses are the same,
# as of a script that cleans up; and make always finishes the rest.
expect 1 failures order.jsonl <<'END'
  [exit 1] cc -c a.c
      make > cc
      after 100ms, pid 2, in /src
END
sed 's/"make","-j2"/"script"/' order.jsonl >"$work/other.jsonl"
expect 1 failures "$work/other.jsonl" <<'END'
  [exit 2] script
      script
      after 300ms, pid 1, in /src
END
sed -e 's/"make","-j2"/"script"/' -e 's/"code":2/"code":1/' order.jsonl >"$work/same.jsonl"
expect 1 failures "$work/same.jsonl" <<'END'
  [exit 1] cc -c a.c
      script > cc
      after 100ms, pid 2, in /src
END

# Red ends with the line, and not in the next one.
esc=$(printf '\033')
"$t2" failures --color always build.jsonl >"$work/got"
if ! grep -q "^$esc\\[31m  \\[SIGSEGV\\] cc -c b.c$esc\\[0m\$" "$work/got" ||
	grep -v "^$esc" "$work/got" | grep -q "$esc"; then
	echo "FAIL red goes on: $(cat -v "$work/got")"
	failed=1
fi

expect_help failures
exit "$failed"
