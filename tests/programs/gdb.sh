#!/bin/sh
# SPDX-License-Identifier: MIT
# gdb: breakpoints, forks and execs followed, crashes, stepping through calls
# that are ours.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need gdb gcc
version gdb --version

cat >"$kit/p.c" <<'EOF'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int answer = 42;

static int inner(int x)
{
	return x + answer;
}

static void *thread(void *arg)
{
	inner(1);
	return arg;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";
	int status = inner(argc);
	pthread_t id;

	if (!strcmp(verb, "crash"))
		*(volatile int *)0 = 1;
	if (!strcmp(verb, "abort"))
		abort();
	if (!strcmp(verb, "exec"))
		execl("/bin/sh", "sh", "-c", "exit 4", (char *)0);
	pthread_create(&id, 0, thread, 0);
	pthread_join(id, 0);
	pid_t pid = fork();
	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", "exit 3", (char *)0);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	printf("child %d\n", WEXITSTATUS(status));
	printf("system %d\n", WEXITSTATUS(system("exit 5")));
	raise(10);
	return 6;
}
EOF
build gcc -g -O0 -pthread -o p p.c

# What gdb says about the addresses, threads and processes of a run.
# Its tables are as wide as those are.
scrub='s/0x[0-9a-f]+/ADDRESS/g; s/(process|LWP|Thread|thread) [0-9A-Zx.]+/\1 N/g; s/[0-9]{3,}/N/g
	s/  +/ /g; /^(warning|\[Thread debugging|Using host|Reading|Download)/d'

try -s "$scrub" breakpoints start:gdb start:p child:p <<'EOF'
g() { gdb -nx -q -batch "$@" 2>&1; echo $?; }
g -ex 'set startup-with-shell off' -ex 'break inner' -ex run -ex bt -ex 'p answer' \
	-ex 'set var answer = 1' -ex finish -ex next -ex delete \
	-ex 'handle SIGUSR1 nostop noprint pass' -ex continue "$KIT/p"
g -ex 'break thread' -ex run -ex 'bt 1' -ex delete -ex 'break 51' \
	-ex 'handle SIGUSR1 nostop noprint pass' -ex c -ex 'p status >> 8' -ex c -ex c "$KIT/p"
EOF

try -s "$scrub" follow start:gdb start:p start:sh <<'EOF'
g() { gdb -nx -q -batch "$@" 2>&1; echo $?; }
g -ex 'set follow-fork-mode child' -ex 'catch exec' -ex 'break main' -ex run -ex c -ex c \
	"$KIT/p" | grep -v -e '^child' -e '^system'
g -ex 'set detach-on-fork off' -ex 'break main' -ex run -ex 'catch fork' -ex c \
	-ex 'info inferiors' -ex 'kill inferiors 1 2' "$KIT/p" |
	grep -v -e '^#' -e '__libc' -e arch_fork
g -ex run -ex bt --args "$KIT/p" exec
EOF

try -s "$scrub" crash start:gdb start:p <<'EOF'
g() { gdb -nx -q -batch "$@" 2>&1; echo $?; }
g -ex run -ex bt -ex kill --args "$KIT/p" crash
g -ex run -ex 'bt -1' -ex 'p $_siginfo.si_signo' -ex kill --args "$KIT/p" abort
EOF

try -s "$scrub" attach start:gdb start:sleep <<'EOF'
sleep 20 & until grep -q '^[0-9]* (sleep) S' /proc/$!/stat; do sleep 0.05; done
gdb -nx -q -batch -p $! -ex 'p (int)getppid() != 0' -ex detach 2>&1 | grep '^\$'; echo $?
kill $!; wait $! 2>/dev/null; echo $?
EOF
finish
