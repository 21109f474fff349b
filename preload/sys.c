/* SPDX-License-Identifier: MIT */
/*
 * The two writes of the shim, in assembly so that the instruction behind each
 * system call has a name.
 */
#include "preload/sys.h"

#define STRINGS(x) #x
#define STRING(x) STRINGS(x)

#if defined(__x86_64__)
#define TYPE_FUNCTION "@function"
#define CALL(nr)                                                                                   \
	"	endbr64\n"                                                                               \
	"	xorl %r10d, %r10d\n"                                                                     \
	"	movl $" STRING(nr) ", %eax\n"                                                      \
				   "	syscall\n"
#elif defined(__aarch64__)
#define TYPE_FUNCTION "%function"
#define CALL(nr)                                                                                   \
	"	hint #34\n" /* bti c */                                                            \
	"	mov x3, #0\n"                                                                            \
	"	mov x8, #" STRING(nr) "\n"                                                         \
				      "	svc #0\n"
#endif

/* A function of three arguments; a fourth one, the offset, is zero. */
#define WRITER(name, nr)                                                                           \
	__asm__(".pushsection .text." name ", \"ax\", %progbits\n"                                 \
		".p2align 4\n"                                                                     \
		".globl " name "\n"                                                                \
		".hidden " name "\n"                                                               \
		".globl " name "_done\n"                                                           \
		".hidden " name "_done\n"                                                          \
		".type " name ", " TYPE_FUNCTION "\n" name ":\n"                                   \
		"	.cfi_startproc\n" CALL(nr) name "_done:\n"                                 \
							"	ret\n"                                   \
							"	.cfi_endproc\n"                          \
							".size " name ", . - " name "\n"           \
							".popsection\n")

/* __NR_ macros and not SYS_ ones: these expand to plain numbers. */
WRITER("t2_sys_write", __NR_write);
WRITER("t2_sys_append", __NR_pwrite64);

extern const char t2_sys_write_done[] __attribute__((visibility("hidden")));
extern const char t2_sys_append_done[] __attribute__((visibility("hidden")));

_Bool t2_sys_is_write(uintptr_t pc)
{
	return pc == (uintptr_t)t2_sys_write_done || pc == (uintptr_t)t2_sys_append_done;
}
