#!/bin/sh
# SPDX-License-Identifier: MIT
# Ruby: spawn, fork, IO.popen, trap, threads; gem and rake-like use of system.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need ruby
version ruby --version

try processes start:ruby start:sh child:sh child:ruby child:sleep <<'EOF'
cat >p.rb <<'END'
$stdout.sync = true
require "open3"
p system("exit 3"), $?.exitstatus, `echo ticks`, system("nosuchfile_t2")
pid = spawn({"A" => "b"}, "sh", "-c", "echo $A; exit 4", unsetenv_others: true)
Process.wait pid; p $?.exitstatus
pid = fork { exit! 5 }; p Process.wait2(pid)[1].exitstatus
pid = fork { at_exit { puts "at exit" }; exit 6 }; Process.wait pid; p $?.exitstatus
IO.popen(["cat"], "r+") { |io| io.write "through"; io.close_write; p io.read }
IO.popen("-") { |io| io ? p(io.read) : puts("child of popen") }
out, err, status = Open3.capture3("cat; echo oops >&2; exit 7", stdin_data: "data")
p out, err, status.exitstatus
pid = spawn("sleep 9", pgroup: true); sleep 0.2
Process.kill :TERM, -pid; Process.wait pid; p $?.termsig
trap(:USR1) { puts "trapped" }; Process.kill :USR1, $$; sleep 0.05
trap(:CHLD) { }
4.times.map { |i| Thread.new { system "exit #{i}"; $?.exitstatus } }.each { |t| p t.value }
trap(:CHLD, "DEFAULT"); th = Process.detach(spawn("exit 8")); p th.value.exitstatus
p Process.clock_gettime(Process::CLOCK_MONOTONIC) > 0, ENV.keys.grep(/T2SHIM/)
Process.daemon(true, true) if ARGV[0]
exec "ruby", "-e", "puts 'replaced'; exit 9"
END
ruby p.rb; echo $?
ruby -e 'Process.kill :TERM, $$; sleep 9' 2>/dev/null; echo $?
ruby -e 'abort "aborted"'; echo $?
ruby -e 'def f(n) = f(n + 1); begin; f 0; rescue SystemStackError; puts "deep"; end'
ruby -e 'Process.kill :SEGV, $$; sleep 9' >/dev/null 2>&1; echo $?
EOF
finish
