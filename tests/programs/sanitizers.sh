#!/bin/sh
# SPDX-License-Identifier: MIT
# A sound and a faulty program built with each sanitizer of gcc and clang.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need gcc
version gcc --version

cat >"$kit/p.c" <<'EOF'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int counter;

static void *thread(void *arg)
{
	for (int i = 0; i < 1000; i++)
		counter++;
	return arg;
}

static void threads(int nr)
{
	pthread_t ids[2];

	for (int i = 0; i < nr; i++)
		pthread_create(&ids[i], 0, thread, 0);
	for (int i = 0; i < nr; i++)
		pthread_join(ids[i], 0);
}

int main(int argc, char **argv)
{
	const char *fault = argc > 1 ? argv[1] : "";
	char *volatile p = malloc(8);
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		execl("/bin/sh", "sh", "-c", "exit 3", (char *)0);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	printf("fork %d system %d\n", WEXITSTATUS(status), WEXITSTATUS(system("exit 5")));
	fflush(stdout);
	threads(strcmp(fault, "thread") ? 1 : 2);
	if (!strcmp(fault, "address"))
		p[8] = 1;
	if (!strcmp(fault, "memory") && p[argc])
		puts("branched");
	if (!strcmp(fault, "undefined"))
		argc += 0x7fffffff;
	if (!strcmp(fault, "null"))
		*(volatile int *)(long)(argc - 2) = 1;
	if (!strcmp(fault, "leak")) {
		p = 0;
		memset((char[512]){0}, argc, 512);
		return argc == 99;
	}
	free(p);
	return argc == 99;
}
EOF

scrub='s/==[0-9]+==/==PID==/g; s/0x[0-9a-f]+/ADDRESS/g; s/(pid=|tid=|[TM])[0-9]+/\1N/g
	s/BuildId: [0-9a-f]+/ID/; s/[0-9]{4,}/N/g; /ADDRESS:|=>|HINT|    #[0-9]+/d'

# sanitized COMPILER SANITIZER FAULT...
sanitized() {
	compiler=$1 kind=$2
	shift 2
	have "$compiler" || {
		skip "no $compiler" "${compiler}_$kind"
		return
	}
	with "$compiler" -g -O1 -w "-fsanitize=$kind" -pthread "$kit/p.c" -o "$kit/$kind" \
		>"$work/build.log" 2>&1 || {
		skip "$compiler has no $kind" "${compiler}_$kind"
		return
	}
	# Old runtimes know no address space as random as that of new kernels.
	try -s "$scrub" "${compiler}_$kind" "start:$kind" child:setarch start:sh <<-EOF
		export ASAN_OPTIONS=verify_asan_link_order=0
		for fault in none $* null; do
			setarch -R "\$KIT/$kind" \$fault 2>err; echo "\$fault \$?"
			grep -e ERROR -e SUMMARY -e 'runtime error' -e WARNING err; rm err
		done
	EOF
}

sanitized gcc address address leak
sanitized gcc undefined undefined
sanitized gcc thread thread
sanitized gcc leak leak
sanitized clang address address leak
sanitized clang undefined undefined
sanitized clang thread thread
sanitized clang memory memory

# gcc's runtime for addresses is a library that wants to be the first; what it
# says of any other preload it says of ours.
build gcc -g -O1 -w -fsanitize=address -pthread p.c -o address
try -p -s "$scrub" order child:address <<'EOF'
"$KIT/address"; echo $?
ASAN_OPTIONS=verify_asan_link_order=0 "$KIT/address" address 2>/dev/null; echo $?
EOF
finish
