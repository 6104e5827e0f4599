// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

#include "textflag.h"

// Offsets in epoch, the record that master.cur points at.
#define base 0
#define mult 8
#define off 16
#define window 24

// EPOCH loads the epoch.
#define EPOCH \
	MOVD ·master(SB), R1; \
	MOVD window(R1), R5; \
	MOVD base(R1), R2; \
	MOVD mult(R1), R3; \
	MOVD off(R1), R4

// LINE converts the counter in R0 to nanoseconds in R0, or jumps to slow.
#define LINE \
	SUB R2, R0, R0; \
	CMP R5, R0; \
	BHS slow; \
	MUL R3, R0, R0; \
	LSR $32, R0, R0; \
	ADD R4, R0, R0

// func now() Instant
TEXT ·now(SB), NOSPLIT, $0-8
	EPOCH
	MRS  CNTVCT_EL0, R0
	LINE
	MOVD R0, ret+0(FP)
	RET
slow:
	JMP ·nowSlow(SB)

// func nowOrdered() Instant
TEXT ·nowOrdered(SB), NOSPLIT, $0-8
	ISB  $15
	EPOCH
	MRS  CNTVCT_EL0, R0
	LINE
	MOVD R0, ret+0(FP)
	RET
slow:
	JMP ·nowSlow(SB)

// func ticks() uint64
TEXT ·ticks(SB), NOSPLIT, $0-8
	MOVD ·master(SB), R1
	MOVD window(R1), R3
	CBZ  R3, slow
	MRS  CNTVCT_EL0, R0
	MOVD R0, ret+0(FP)
	RET
slow:
	JMP ·ticksSlow(SB)

// func ticksOrdered() uint64
TEXT ·ticksOrdered(SB), NOSPLIT, $0-8
	MOVD ·master(SB), R1
	MOVD window(R1), R3
	CBZ  R3, slow
	ISB  $15
	MRS  CNTVCT_EL0, R0
	MOVD R0, ret+0(FP)
	RET
slow:
	JMP ·ticksSlow(SB)
