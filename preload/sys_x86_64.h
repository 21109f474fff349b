/* SPDX-License-Identifier: MIT */
/*
 * The system call instruction of x86-64. Only preload/sys.h includes this.
 */
#ifndef T2_PRELOAD_SYS_X86_64_H
#define T2_PRELOAD_SYS_X86_64_H

static inline long t2_sys6(long nr, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
}

#endif
