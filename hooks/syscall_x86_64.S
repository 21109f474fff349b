/* SPDX-License-Identifier: MIT */
/*
 * syscall(): ask hooks/syscall.c where this one goes, and jump there with
 * registers and stack as they were. Some of the calls behind this gate return
 * twice on one stack, so nothing of ours may be on it.
 */
#ifdef __CET__
#include <cet.h>
#else
#define _CET_ENDBR endbr64
#endif

	.text
	.p2align 4
	.globl	syscall
	.type	syscall, @function
syscall:
	.cfi_startproc
	_CET_ENDBR
	pushq	%r9
	.cfi_adjust_cfa_offset 8
	pushq	%r8
	.cfi_adjust_cfa_offset 8
	pushq	%rcx
	.cfi_adjust_cfa_offset 8
	pushq	%rdx
	.cfi_adjust_cfa_offset 8
	pushq	%rsi
	.cfi_adjust_cfa_offset 8
	pushq	%rdi
	.cfi_adjust_cfa_offset 8
	movq	%rsp, %rdi
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	call	t2_syscall_gate
	addq	$8, %rsp
	.cfi_adjust_cfa_offset -8
	popq	%rdi
	.cfi_adjust_cfa_offset -8
	popq	%rsi
	.cfi_adjust_cfa_offset -8
	popq	%rdx
	.cfi_adjust_cfa_offset -8
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	popq	%r8
	.cfi_adjust_cfa_offset -8
	popq	%r9
	.cfi_adjust_cfa_offset -8
	jmp	*%rax
	.cfi_endproc
	.size	syscall, . - syscall

	.section .note.GNU-stack, "", @progbits
