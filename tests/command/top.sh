#!/bin/sh
# SPDX-License-Identifier: MIT
#
# t2 top: weighted, where two are busy each has half: cc1 350/2 + 350, cc 50/2 + 50 of b.c and
# 400/2 of a.c; and nothing else is ever beside another.
# shellcheck source=tests/command/view.lib.sh
. "$(dirname "$0")/view.lib.sh"

expect 0 top build.jsonl <<'END'
weighted     %  count    self     cpu     max     avg   rss  fail  command
   525ms   53%      1   700ms   650ms   700ms   700ms  100M     1  cc1
   275ms   28%      2   500ms   440ms   800ms   600ms  2.9M     1  cc
   100ms   10%      1   100ms  10.0ms   1.00s   1.00s  500K     1  make
  70.0ms  7.0%      1  70.0ms  60.0ms   100ms   100ms  600K     0  sh
  20.0ms  2.0%      1  20.0ms  15.0ms  20.0ms  20.0ms  700K     1  grep
  10.0ms  1.0%      1  10.0ms  5.00ms  10.0ms  10.0ms  700K     0  true
      0s    0%      -       -       -       -       -     -     -  (nobody busy)
END

# What it is sorted by is there to be seen.
expect 0 top -s total,io -n 1 build.jsonl <<'END'
weighted    %  count   self  total    cpu   rss  io  fail  command
   275ms  28%      2  500ms  1.20s  440ms  2.9M  0K     1  cc
   725ms  73%      5      -      -      -     -   -     -  (5 more commands)
      0s   0%      -      -      -      -     -   -     -  (nobody busy)
END

# What is left out is a row, too: the sum stays 1s.
expect 0 top -N make -t 15ms -n 1 -s count -f weighted,count,command build.jsonl <<'END'
weighted  count  command
   275ms      2  cc
   615ms      3  (3 more commands)
   110ms      2  (left out)
      0s      -  (nobody busy)
END

expect 0 top --by source -F '*cc*.c' -f total,command build.jsonl <<'END'
total  command
700ms  cc1 b.c
400ms  cc a.c
800ms  cc b.c
    -  (left out)
    -  (nobody busy)
END

# A process as if it were the trace.
expect 0 top --pid 6 -f weighted,share,command build.jsonl <<'END'
weighted    %  command
   700ms  88%  cc1
   100ms  13%  cc
      0s   0%  (nobody busy)
END

expect 0 top -F '~^(true|grep)' --format json -f command,self,share,rss build.jsonl <<'END'
[{"command":"grep","self_ns":20000000,"share_percent":2.0000,"rss_kb":700},
{"command":"true","self_ns":10000000,"share_percent":1.0000,"rss_kb":700},
{"command":"(left out)","self_ns":null,"share_percent":97.0000,"rss_kb":null},
{"command":"(nobody busy)","self_ns":null,"share_percent":0.0000,"rss_kb":null}]
END

expect 0 top --cwd /src/lib --by cmd --format md -f cpu,command build.jsonl <<'END'
| cpu | command |
| ---: | --- |
| 650ms | `cc1 b.c` |
| 50.0ms | `cc -c b.c` |
| - | `(left out)` |
| - | `(nobody busy)` |
END

"$t2" top -D 1 --by cmd --format csv -f weighted,command build.jsonl >"$work/csv"
printf 'weighted_ns,command\r\n100000000,make -j2\r\n900000000,(left out)\r\n0,(nobody busy)\r\n' |
	diff - "$work/csv" || failed=1

# The file of a compiler is seen however long its command is, and whole it is for programs.
long=$(seq -f '"-I/usr/include/of/a/library/%g",' -s '' 1 9)
sed "s|\"cc1\",\"b.c\"|\"cc1\",${long}\"b.c\",${long}\"-quiet\"|" build.jsonl >"$work/long.jsonl"
grep -q 'library/9' "$work/long.jsonl" || fail "no long command"
expect 0 top --by cmd -n 1 -f weighted,command "$work/long.jsonl" <<'END'
weighted  command
   525ms  cc1 ... b.c
   475ms  (6 more commands)
      0s  (nobody busy)
END
"$t2" top --by cmd -n 1 --format csv -f command "$work/long.jsonl" >"$work/csv"
grep -q '^cc1 -I/usr.*/9 b.c -I/usr.* -quiet' "$work/csv" || fail "cut for programs: $(cat "$work/csv")"

expect_help top
expect_usage 'no such sort key: nothing' top -s nothing build.jsonl
expect_usage 'no such sort key: command' top -s command build.jsonl
expect_usage 'no such field: x' top -f self,x build.jsonl
expect_usage 'no such field: x' report -f x build.jsonl
expect_usage 'no such field: weight' export -f weight -F json build.jsonl
expect_usage 'not a time' top -t soon build.jsonl
expect_usage 'no process 99' top --pid 99 build.jsonl
expect_usage 'no process in it' top /dev/null
expect_usage "^t2 top: unrecognized option '--no-such-option'" top --no-such-option
exit "$failed"
