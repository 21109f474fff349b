#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that cannot load us: static ones, those of another C library, those
# for another machine. Their parents tell of them.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"
need gcc
version gcc --version

cat >"$kit/p.c" <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	char *empty[] = {NULL}, *sh[] = {"sh", "-c", "/bin/echo below; exit 3", NULL};
	int status = 0;
	pid_t pid;

	if (argc > 1 && !strcmp(argv[1], "segv"))
		*(volatile int *)0 = 1;
	pid = fork();
	if (pid == 0) {
		execve("/bin/sh", sh, empty);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	printf("%d %s\n", WEXITSTATUS(status), getenv("GIVEN"));
	fflush(stdout);
	printf("%d\n", WEXITSTATUS(system("echo through; exit 5")));
	return 6;
}
EOF
cat >"$kit/runs" <<'EOF'
GIVEN=yes "$KIT/$1"; echo $?
"$KIT/$1" segv; echo $?
env -i GIVEN=no "$KIT/$1"; echo $?
sh -c "\"$KIT/$1\" | cat; exec \"$KIT/$1\""; echo $?
python3 -c 'import subprocess as s, sys; print(s.call(sys.argv[1:]))' "$KIT/$1" 2>&1
EOF

build gcc -static -o static p.c
try static dark:static start:sh child:sh <<'EOF'
sh "$KIT/runs" static 2>err; cat err; rm err
EOF
build gcc -static-pie -o static_pie p.c
try static_pie dark:static_pie <<'EOF'
sh "$KIT/runs" static_pie 2>err; cat err; rm err
EOF

if have musl-gcc; then
	build musl-gcc -o musl p.c
	build musl-gcc -static -o musl_static p.c
	for kind in musl musl_static; do
		try $kind dark:$kind <<-EOF
			sh "\$KIT/runs" $kind 2>err; cat err; rm err
		EOF
	done
	# Nothing but its own loader tells us there what is mapped: no /proc.
	if [ "$(id -u)" = 0 ]; then
		cat >"$kit/bare.c" <<'EOF'
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
	int status = 0;

	if (fork() == 0)
		_exit(3);
	wait(&status);
	printf("%d\n", WEXITSTATUS(status));
	return 4;
}
EOF
		build musl-gcc -o bare bare.c
		try musl_chroot start:chroot=1 <<-'EOF'
			root=$TMPDIR/root; mkdir -p "$root/lib" "$root${KIT%/*}/lib"
			cp -L /lib/ld-musl-* "$root/lib"; cp "$KIT/bare" "$root"
			[ -z "$LD_PRELOAD" ] || cp "$LD_PRELOAD" "$root$LD_PRELOAD"
			chroot "$root" /bare; echo $?
			rm -r "$root"
		EOF
	else
		skip "needs root" musl_chroot
	fi
else
	skip "no musl-gcc" musl
fi

# For i386 no compiler's libraries are needed, only the C library itself.
cat >"$kit/start.c" <<'EOF'
int main(int argc, char **argv);
void exit(int);
__asm__(".globl _start\n_start: xor %ebp, %ebp\n mov %esp, %eax\n and $-16, %esp\n"
	" sub $12, %esp\n push %eax\n call begin\n hlt\n");
void begin(int *stack)
{
	exit(main(*stack, (char **)(stack + 1)));
}
EOF
cat >"$kit/i386.c" <<'EOF'
int printf(const char *, ...), fork(void), execve(const char *, char **, char **);
int waitpid(int, int *, int), system(const char *);
int fflush(void *), strcmp(const char *, const char *);
char *getenv(const char *);
void _exit(int);

int main(int argc, char **argv)
{
	char *empty[] = {0}, *sh[] = {"sh", "-c", "/bin/echo below; exit 3", 0};
	int status = 0, pid;

	if (argc > 1 && !strcmp(argv[1], "segv"))
		*(volatile int *)0 = 1;
	pid = fork();
	if (pid == 0) {
		execve("/bin/sh", sh, empty);
		_exit(127);
	}
	waitpid(pid, &status, 0);
	printf("%d %s\n", status >> 8, getenv("GIVEN"));
	fflush(0);
	printf("%d\n", system("echo through; exit 5") >> 8);
	return 6;
}
EOF
cat >"$kit/raw.S" <<'EOF'
	.globl _start
_start:	mov $4, %eax
	mov $1, %ebx
	mov $text, %ecx
	mov $4, %edx
	int $0x80
	mov $1, %eax
	mov $7, %ebx
	int $0x80
text:	.ascii "raw\n"
EOF
runs_i386() {
	[ "$(uname -m)" = x86_64 ] || return
	with gcc -m32 -nostdlib -static "$kit/raw.S" -o "$kit/raw32" 2>/dev/null || return
	"$kit/raw32" >/dev/null 2>&1
	[ $? = 7 ]
}
if runs_i386; then
	try raw32 dark:raw32 <<-'EOF'
		"$KIT/raw32"; echo $?
		env -i "$KIT/raw32"; echo $?
		echo x | xargs "$KIT/raw32"; echo $?
	EOF
else
	skip "no 32-bit programs here" raw32
fi
library=
for file in /lib32/libc.so.6 /lib/i386-linux-gnu/libc.so.6; do
	[ ! -f $file ] || library=$file
done
if [ -n "$library" ] && [ -x "$kit/raw32" ]; then
	build gcc -m32 -fno-stack-protector -fno-pic -no-pie -w -nostdlib start.c i386.c "$library" \
		-Wl,-dynamic-linker,/lib/ld-linux.so.2 -o i386
	try i386 dark:i386 <<-'EOF'
		sh "$KIT/runs" i386 2>&1
	EOF
else
	skip "no 32-bit C library" i386
fi
finish
