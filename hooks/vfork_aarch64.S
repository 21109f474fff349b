/* SPDX-License-Identifier: MIT */
/*
 * vfork() for aarch64: see vfork_x86_64.S for why it is not C. The jump goes
 * through x16, which the landing pad of the real function accepts.
 */
	.text
	.p2align 4
	.globl	vfork
	.type	vfork, %function
	.globl	__vfork
	.type	__vfork, %function
vfork:
__vfork:
	.cfi_startproc
	hint	#34		/* bti c */
	stp	x29, x30, [sp, #-16]!
	.cfi_adjust_cfa_offset 16
	.cfi_rel_offset x29, 0
	.cfi_rel_offset x30, 8
	bl	t2_vfork_prepare
	mov	x16, x0
	ldp	x29, x30, [sp], #16
	.cfi_adjust_cfa_offset -16
	.cfi_restore x29
	.cfi_restore x30
	br	x16
	.cfi_endproc
	.size	vfork, . - vfork
	.size	__vfork, . - __vfork

	.section .note.GNU-stack, "", %progbits
