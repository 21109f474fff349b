#!/bin/sh
# SPDX-License-Identifier: MIT
# Processes as Python and Perl start them, and find and xargs.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need python3 perl find xargs

generate() {
	cat >spawn.py <<-'EOF'
		import os, signal, subprocess, sys
		print(subprocess.run(["echo", "vfork"], capture_output=True, text=True).stdout, end="")
		print(subprocess.call(["sh", "-c", "exit 5"]))
		print(subprocess.call("echo shell; exit 6", shell=True))
		print(subprocess.call(["true"], preexec_fn=lambda: None))
		print(subprocess.call(["true"], start_new_session=True, close_fds=False))
		print(subprocess.call(["/bin/echo", "bare"], env={}))
		for name in ("/nosuchfile_t2", "nosuchfile_t2"):
		    try:
		        subprocess.call([name, "x"])
		    except OSError as error:
		        print(error.errno)
		p = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
		print(p.communicate(b"piped")[0], p.returncode)
		p = subprocess.Popen(["sleep", "9"]); p.terminate(); print(p.wait())
		p = subprocess.Popen(["sleep", "9"]); p.kill(); print(p.wait())
		print(os.system("exit 7") >> 8)
		print(os.popen("echo popen").read(), end="")
		pid = os.posix_spawn("/bin/sh", ["sh", "-c", "exit 8"], os.environ)
		print(os.waitpid(pid, 0)[1] >> 8)
		try:
		    os.posix_spawnp("nosuchfile_t2", ["nosuchfile_t2", "a"], os.environ)
		except OSError as error:
		    print(error.errno)
		print(os.spawnlp(os.P_WAIT, "sh", "sh", "-c", "exit 9"))
		pid = os.fork()
		if pid == 0:
		    os._exit(10)
		print(os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT).si_status)
		print(os.wait4(pid, 0)[1] >> 8)
		pid = os.fork()
		if pid == 0:
		    try:
		        os.execvp("nosuchfile_t2", ["nosuchfile_t2"])
		    except OSError:
		        os.execvp("sh", ["sh", "-c", "exit 11"])
		print(os.waitpid(pid, 0)[1] >> 8)
		pid = os.fork()
		if pid == 0:
		    os.kill(os.getpid(), signal.SIGSTOP)
		    os.kill(os.getpid(), signal.SIGKILL)
		print(os.WIFSTOPPED(os.waitpid(pid, os.WUNTRACED)[1]))
		os.kill(pid, signal.SIGCONT)
		print(os.waitpid(pid, 0)[1])
		sys.stdout.flush()
		os.execlp("python3", "python3", "-c", "import sys; print('replaced'); sys.exit(12)")
	EOF
	cat >many.py <<-'EOF'
		import concurrent.futures, multiprocessing, subprocess, sys, threading
		def square(x):
		    return x * x
		def call(x):
		    return subprocess.call(["sh", "-c", f"exit {x}"])
		def fail():
		    sys.exit(13)
		if __name__ == "__main__":
		    fork = multiprocessing.get_context("fork")
		    with fork.Pool(3) as pool:
		        print(pool.map(square, range(20)))
		    with multiprocessing.get_context("spawn").Pool(2) as pool:
		        print(pool.map(square, range(5)))
		    with multiprocessing.get_context("forkserver").Pool(2) as pool:
		        print(pool.map(square, range(5)))
		    p = fork.Process(target=fail); p.start(); p.join(); print(p.exitcode)
		    with concurrent.futures.ThreadPoolExecutor(8) as pool:
		        print(list(pool.map(call, range(40))))
		    t = threading.Thread(target=call, args=(3,)); t.start(); t.join()
	EOF
	cat >spawn.pl <<-'EOF'
		$| = 1;
		print system("exit 3") >> 8, "\n";
		print system("sh", "-c", "exit 4") >> 8, "\n";
		print system("nosuchfile_t2"), "\n";
		print `echo ticks; exit 5`, $? >> 8, "\n";
		print scalar(qx(/bin/echo plain)), "\n";
		open my $in, "-|", "printf", '%s\n', "list" or die; print <$in>; close $in; print $?, "\n";
		open my $out, "|-", "cat; exit 6" or die; print $out "to cat\n"; close $out; print $? >> 8, "\n";
		my $pid = open(my $self, "-|") // die; if (!$pid) { print "from child\n"; exit 7 }
		print <$self>; close $self; print $? >> 8, "\n";
		for my $i (1 .. 3) { next if fork; exec "sh", "-c", "exit $i" or die }
		my $sum = 0; $sum += $? >> 8 while wait > 0; print "$sum\n";
		if (!($pid = fork)) { kill "HUP", $$; sleep 9 } waitpid $pid, 0; print $?, "\n";
		if (!($pid = fork)) { no warnings; exec "nosuchfile_t2"; exit 8 } waitpid $pid, 0; print $? >> 8, "\n";
		$SIG{CHLD} = "IGNORE"; if (!fork) { exit 9 } print wait, "\n"; $SIG{CHLD} = "DEFAULT";
		{ local %ENV; print system("/bin/true"), "\n"; }
		exec { "/bin/sh" } "other name", "-c", 'echo "$0 ran"; exit 10';
	EOF
	mkdir files
	for i in 1 2 3 4 5 6 7 8 9; do echo "text $i" >files/$i; done
	cat >drive <<-'EOF'
		python3 spawn.py; echo "spawn.py $?"
		python3 many.py; echo "many.py $?"
		perl spawn.pl; echo "spawn.pl $?"
		find files -type f -exec grep -l 5 {} \; -o -type d -exec ls -d {} +; echo "find $?"
		find files -name '[12]' -execdir sh -c 'cat "$1"; exit 1' sh {} \; ; echo "execdir $?"
		find files -type f | sort | xargs -n 2 echo; echo "xargs $?"
		find files -type f -print0 | xargs -0 -P 3 -n 1 sh -c 'cat "$1"; test "$1" != files/4' sh
		echo "parallel $?"
		echo x | xargs sh -c 'exit 255'; echo "255 $?"
		echo x | xargs sh -c 'kill -TERM $$'; echo "term $?"
		echo x | xargs nosuchfile_t2; echo "none $?"
		awk 'BEGIN { while (("echo a; echo b" | getline x) > 0) print x; system("exit 3"); print "c" | "cat" }'
		tar cf - files --mtime=@0 | gzip -n | gunzip | tar tf - | wc -l
		tar cf t.tar --mtime=@0 --sort=name --use-compress-program='gzip -n' files; echo "tar $?"
		git version; git init -q repo; git -C repo status --short; echo "git $?"
		sort -S 1M --compress-program=gzip files/*; m4 /dev/null
		ed -s files/1 <<-'ED' 2>/dev/null || true
		!echo from ed
		q
		ED
	EOF
}

# What is left of a repository depends on the git that made it.
unstable='./repo ./repo/*'
# xargs finds its status in an exit handler.
oracle_options="-e xargs*"
order=free
compare
