/* SPDX-License-Identifier: MIT */
/*
 * syscall() for aarch64: see syscall_x86_64.S.
 */
	.text
	.p2align 4
	.globl	syscall
	.type	syscall, %function
syscall:
	.cfi_startproc
	hint	#34		/* bti c */
	stp	x29, x30, [sp, #-80]!
	.cfi_adjust_cfa_offset 80
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	stp	x0, x1, [sp, #16]
	stp	x2, x3, [sp, #32]
	stp	x4, x5, [sp, #48]
	str	x6, [sp, #64]
	add	x0, sp, #16
	bl	t2_syscall_gate
	mov	x16, x0
	ldp	x0, x1, [sp, #16]
	ldp	x2, x3, [sp, #32]
	ldp	x4, x5, [sp, #48]
	ldr	x6, [sp, #64]
	ldp	x29, x30, [sp], #80
	.cfi_adjust_cfa_offset -80
	.cfi_restore x29
	.cfi_restore x30
	br	x16
	.cfi_endproc
	.size	syscall, . - syscall

	.section .note.GNU-stack, "", %progbits
