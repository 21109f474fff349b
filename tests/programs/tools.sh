#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that run other programs: to start them otherwise, many of them, or
# those that have to be built.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
version env --version

try wrappers start:env start:nohup start:timeout start:setsid start:nice \
	child:sh child:sleep <<'EOF'
env -i /bin/sh -c 'env | sort; exit 3'; echo $?
env -u HOME A=b sh -c 'echo $A $HOME'; env -C / pwd; env -S 'sh -c "exit 4"'; echo $?
env nosuchfile_t2 2>/dev/null; echo $?
nohup sh -c 'kill -HUP $$; echo alive' 2>/dev/null; nohup nosuchfile_t2 2>/dev/null; echo $?
timeout 0.1 sleep 9; echo $?
timeout -s KILL 0.1 sleep 9; echo $?
timeout -k 0.1 0.1 sh -c 'trap "" TERM; sleep 9; sleep 9'; echo $?
timeout --preserve-status -s INT 0.1 sleep 9; echo $?
timeout 9 sh -c 'exit 5'; echo $?
setsid -w sh -c 'exit 6'; echo $?
setsid -f sh -c 'echo forked >out'; until [ -s out ]; do sleep 0.05; done
nice -n 5 sh -c nice; ionice -c 3 true; chrt -b 0 true; taskset 1 true
prlimit --nofile=20 sh -c 'ulimit -n'
flock lock sh -c 'exit 7'; echo $?
flock -n lock flock -n lock true; echo $?
stdbuf -oL sh -c 'echo line; exit 8'; echo $?
stdbuf -o0 env | grep -c '^_STDBUF'
runcon x true 2>/dev/null; choom -n 0 true; echo $?
linux64 true; setarch -R sh -c 'exit 9'; echo $?
exec setsid -w sh -c 'exit 10'
EOF

try -f many start:xargs start:find child:sh child:echo child:cat <<'EOF'
mkdir d; for i in 1 2 3 4 5 6 7 8 9; do echo "text $i" >d/$i; done
seq 20 | xargs -P 4 -n 3 echo
seq 8 | xargs -P 4 -I @ sh -c 'exit $(( @ == 5 ))'; echo $?
echo x | xargs sh -c 'exit 255' 2>/dev/null; echo $?
echo x | xargs sh -c 'kill -TERM $$' 2>/dev/null; echo $?
echo x | xargs nosuchfile_t2 2>/dev/null; echo $?
echo 1 2 | xargs -t -n 1 true
find d -type f -exec cat {} +; find d -type f -exec sh -c 'cat "$1"; exit 1' sh {} \;; echo $?
find d -name '[12]' -execdir sh -c 'echo "$1"' sh {} +; echo $?
find d -name 9 -ok true {} \; </dev/null 2>&1
find d -print0 | xargs -0 -r ls -d | sort -S 1M -T . --parallel=2
awk 'BEGIN { while (("seq 2" | getline x) > 0) print x; system("exit 3"); print "c" | "cat" }'
sed -n '1e echo from sed' d/1; m4 <<-END
	syscmd(`echo from m4; exit 3')sysval
END
tar cf t.tar --mtime=@0 --sort=name --owner=0 --group=0 -I 'gzip -n' d
tar xf t.tar --to-command='cat >/dev/null; exit 1' 2>/dev/null; echo $?
split -n 2 --filter='cat >$FILE.part' d/1 s; ls s*
env -i PATH="$PATH" which sh
mkdir rp; printf '#!/bin/sh\necho part\n' >rp/a; chmod +x rp/a; run-parts rp
EOF

if have script; then
	try -x typescript -s 's/ \[.*\]$//' script start:script child:sh start:bash <<-'EOF'
		script -qec 'tty >/dev/null && echo on a tty; exit 3' typescript; echo $?
		script -qec 'stty -a | grep -c speed; kill -TERM $$' /dev/null; echo $?
		printf 'echo $((6 * 7))\nexit 5\n' | script -qec 'PS1= bash --norc -i' /dev/null >out
		echo $?; grep -c '^42' out; rm out
		script -q /dev/null -c 'env -i sh -c "echo dark; exit 4"' -e; echo $?
	EOF
else
	skip "no script" script
fi

if have watch && have script; then
	try -x '^./(file|done)$' watch start:watch child:sh start:cat <<-'EOF'
		export TERM=xterm
		(n=0; until [ -e done ]; do echo $((n += 1)) >file; sleep 0.3; done) &
		script -qec 'watch -g -n 0.2 cat file' /dev/null >/dev/null; echo $?
		: >done; wait
	EOF
else
	skip "no watch or no script" watch
fi

if have expect; then
	try expect start:expect start:sh child:expect <<-'EOF'
		expect -c 'spawn -noecho sh -c "read x; echo got \$x; exit 3"; send "line\n"
			expect "got line" { puts matched }
			expect eof; puts [lindex [wait] 3]' | tr -d '\r'
	EOF
else
	skip "no expect" expect
fi

if have parallel; then
	try -l 60 parallel start:perl child:sh <<-'EOF'
		export PARALLEL_HOME=$TMPDIR/p; mkdir $PARALLEL_HOME; : >$PARALLEL_HOME/will-cite
		seq 8 | parallel -k -j 4 'echo job {}; exit $(( {} == 3 ))'; echo $?
		parallel -k --tag echo ::: a b ::: 1 2
		seq 100 | parallel -k --pipe -N 50 wc -l
		parallel --halt now,fail=1 -j 1 'exit {}' ::: 0 3 0 2>/dev/null; echo $?
		parallel --timeout 1 -j 2 sleep ::: 9 2>/dev/null; echo $?
	EOF
else
	skip "no parallel" parallel
fi

if have gcc && have make; then
	cat >"$kit/tree" <<-'EOF'
		for i in 1 2 3; do echo "int f$i(void) { return $i; }" >f$i.c; done
		echo 'int f1(void), f2(void);
		int main(int argc, char **argv) { return argc > 1 ? f2() : 0; }' >main.c
	EOF
	try -x '[.]d$' make start:make child:sh child:cc child:as start:as start:collect2 <<-'EOF'
		. "$KIT/tree"
		printf 'prog: main.o f1.o f2.o f3.o\n\t$(CC) -o $@ $^\nfails:\n\texit 3\n' >Makefile
		make -s -j 2; ./prog x; echo $?
		make -s fails 2>&1; make -s -k -j 2 --output-sync fails prog 2>&1; echo $?
		cc -pipe -save-temps=obj -c main.c; cc -nosuchoption main.c 2>&1 | grep -c nosuch
		cc -flto -O2 -o lto main.c f1.c f2.c; echo $?
		rm -f lto
	EOF
	if have ccache; then
		try -x '^./[^.]*[.]o' ccache start:ccache child:gcc <<-'EOF'
			. "$KIT/tree"; export CCACHE_DIR=$TMPDIR/cache
			kinds='^(direct_cache_hit|preprocessed_cache_hit|cache_miss)'
			hits() { ccache --print-stats | grep -E "$kinds" | sort; }
			ccache gcc -c f1.c; hits; ccache gcc -c f1.c; hits
			printf '%%.o: %%.c\n\tccache gcc -c $<\nall: main.o f1.o f2.o f3.o\n' >Makefile
			make -s -j 2 all; hits; ccache gcc -c nosuch.c 2>&1; echo $?
			ccache sh -c 'exit 3'; echo $?
		EOF
	else
		skip "no ccache" ccache
	fi
	if have cmake && have ninja; then
		try -l 90 -x '/b/' -s 's/[0-9.]+s(ec)?|  [0-9.]+ sec| +Test.*/TIME/g' cmake_ninja \
			start:cmake start:ninja start:ctest child:sh <<-'EOF'
			. "$KIT/tree"
			cat >CMakeLists.txt <<-'END'
				cmake_minimum_required(VERSION 3.13)
				project(p C)
				add_executable(prog main.c f1.c f2.c)
				enable_testing()
				add_test(ok prog)
				add_test(fails prog x)
				add_test(term sh -c "kill -TERM $$")
				execute_process(COMMAND sh -c "exit 3" RESULT_VARIABLE r)
				message(NOTICE "r ${r}")
			END
			cmake -G Ninja -S . -B b >/dev/null; echo $?
			cmake --build b -j 2 >/dev/null; echo $?; b/prog x; echo $?
			(cd b && ctest -j 2 2>&1 | grep -c -e Passed -e Failed -e Exception); ninja -C b -n | tail -n 1
			cat >x.ninja <<-'END'
				rule r
				  command = sh -c "echo $in; exit $n"
				build a: r
				  n = 0
				build b: r
				  n = 4
				build c: r a
				  n = 0
			END
			ninja -f x.ninja -j 2 -k 0 c b | sort | tail -n 2; echo $?
			rm -f .ninja_log .ninja_deps
		EOF
	else
		skip "no cmake or ninja" cmake_ninja
	fi
	if have meson && have ninja; then
		try -l 90 -x '/b/' meson start:python3 start:ninja start:cc <<-'EOF'
			. "$KIT/tree"
			cat >meson.build <<-'END'
				project('p', 'c')
				e = executable('prog', 'main.c', 'f1.c', 'f2.c')
				test('ok', e)
				test('fails', e, args: 'x', should_fail: true)
			END
			meson setup b >/dev/null; echo $?; ninja -C b >/dev/null; echo $?; b/prog x; echo $?
			meson test -C b | grep -E '^(Ok|Fail|Expected)'
		EOF
	else
		skip "no meson" meson
	fi
else
	skip "no gcc or no make" make
fi
finish
