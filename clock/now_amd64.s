// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

#include "textflag.h"

// Offsets in epoch, the record that master.cur points at.
#define base 0
#define mult 8
#define off 16
#define window 24

// EPOCH loads the epoch. It stands after the fence, so that the processor executes it while it reads the counter.
#define EPOCH \
	MOVQ ·master(SB), CX; \
	MOVQ base(CX), R8; \
	MOVQ mult(CX), R9; \
	MOVQ off(CX), R10; \
	MOVQ window(CX), R11

// LINE converts the counter in DX:AX to nanoseconds in AX, or jumps to slow. The next fence waits for all of it, so the
// product uses only the lower half of the counter: a window has less than 2^32 ticks, and the check of the window is
// executed in parallel.
#define LINE \
	SHLQ $32, DX; \
	MOVL AX, BX; \
	SUBL R8, AX; \
	ORQ DX, BX; \
	SUBQ R8, BX; \
	CMPQ BX, R11; \
	JAE slow; \
	IMULQ R9, AX; \
	SHRQ $32, AX; \
	ADDQ R10, AX

// func now() Instant
TEXT ·now(SB), NOSPLIT, $0-8
	EPOCH
	RDTSC
	LINE
	MOVQ AX, ret+0(FP)
	RET
slow:
	JMP ·nowSlow(SB)

// func nowOrdered() Instant
TEXT ·nowOrdered(SB), NOSPLIT, $0-8
	LFENCE
	EPOCH
	RDTSC
	LINE
	MOVQ AX, ret+0(FP)
	RET
slow:
	JMP ·nowSlow(SB)

// func ticks() uint64
TEXT ·ticks(SB), NOSPLIT, $0-8
	MOVQ ·master(SB), CX
	CMPQ window(CX), $0
	JEQ  slow
	RDTSC
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+0(FP)
	RET
slow:
	JMP ·ticksSlow(SB)

// func ticksOrdered() uint64
TEXT ·ticksOrdered(SB), NOSPLIT, $0-8
	MOVQ ·master(SB), CX
	CMPQ window(CX), $0
	JEQ  slow
	LFENCE
	RDTSC
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+0(FP)
	RET
slow:
	JMP ·ticksSlow(SB)
