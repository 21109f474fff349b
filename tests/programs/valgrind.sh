#!/bin/sh
# SPDX-License-Identifier: MIT
# valgrind and its tools on programs that fork, exec and make threads.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need valgrind gcc
version valgrind --version

cat >"$kit/p.c" <<'EOF'
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static int counter;

static void *thread(void *arg)
{
	counter++;
	return arg;
}

int main(int argc, char **argv)
{
	char *sh[] = {"sh", "-c", "exit 4", 0};
	pthread_t ids[2];
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", "/bin/true; exit 3", (char *)0);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	printf("fork %d\n", WEXITSTATUS(status));
	posix_spawn(&pid, "/bin/sh", 0, 0, sh, environ);
	waitpid(pid, &status, 0);
	printf("spawn %d system %d\n", WEXITSTATUS(status), WEXITSTATUS(system("exit 5")));
	FILE *f = popen("echo popen", "r");
	while ((status = getc(f)) != EOF)
		putchar(status);
	pclose(f);
	for (int i = 0; i < 2; i++)
		pthread_create(&ids[i], 0, thread, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(ids[i], 0);
	if (argc > 1) {
		char *leak = strdup("leak"), *volatile p = malloc(4);
		printf("%d\n", p[4] == 'x' || leak[0] == 'y');
	}
	return 6;
}
EOF
build gcc -g -O0 -pthread -o p p.c

# Helgrind and DRD know locks, not C11 atomics, and take ours for races.
for tool in helgrind:Race drd:ConflictingAccess; do
	printf '{\n   atomics of libt2shim.so\n   %s\n   obj:*/libt2shim.so\n}\n' $tool
done | sed 's/helgrind:/Helgrind:/' >"$kit/suppressions"

scrub='s/==[0-9]+==/==PID==/
	/0x|total heap|Copyright|rerun|Command:|Parent PID|refs|LL |D1 |I1 |^==PID== *$/d
	s/[0-9,]+ (bytes|allocs)/N \1/g; s/ [0-9,]+ frees/ N frees/; s/[0-9,]{6,}/N/g
	/Events|Collected/d'
for tool in memcheck helgrind drd none; do
	buggy=
	[ $tool != memcheck ] || buggy=buggy
	try -l 120 -s "$scrub" $tool child:valgrind start:p <<-EOF
		valgrind --tool=$tool --suppressions="\$KIT/suppressions" --trace-children=no \\
			"\$KIT/p" $buggy 2>err; echo \$?
		grep 'ERROR SUMMARY' err | sed 's/suppressed:.*//'; rm err
	EOF
done

try -l 120 -s "$scrub" trace_children start:p start:sh child:sh <<'EOF'
valgrind -q --trace-children=yes --child-silent-after-fork=yes --error-exitcode=99 \
	--log-file="log" "$KIT/p"; echo $?
cat log* 2>/dev/null; rm -f log*
EOF

try -l 120 -x callgrind -s "$scrub" callgrind start:p <<'EOF'
valgrind -q --tool=callgrind --trace-children=yes --log-file=log "$KIT/p" >out 2>/dev/null
echo $?; cat out; rm -f log out
ls callgrind* | wc -l; grep -l '^totals:' callgrind* | wc -l
EOF
finish
