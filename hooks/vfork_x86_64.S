/* SPDX-License-Identifier: MIT */
/*
 * vfork() returns twice on one stack: the child first, and what it calls then
 * overwrites whatever frame was there. So no frame of ours may be: a function
 * is called before, the stack is as it was on entry, and the real vfork is
 * jumped to, not called.
 *
 * The parent's side is settled at the next hook in this thread (hooks/hook.c).
 */
#ifdef __CET__
#include <cet.h>
#else
#define _CET_ENDBR endbr64
#endif

	.text
	.p2align 4
	.globl	vfork
	.type	vfork, @function
	.globl	__vfork
	.type	__vfork, @function
vfork:
__vfork:
	.cfi_startproc
	_CET_ENDBR
	/* The return address leaves the stack 8 bytes off its alignment. */
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	t2_vfork_prepare
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	jmp	*%rax
	.cfi_endproc
	.size	vfork, . - vfork
	.size	__vfork, . - __vfork

	.section .note.GNU-stack, "", @progbits
