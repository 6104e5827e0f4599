// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

#include "textflag.h"

// Offsets in epoch, the record that master.current points at.
#define base 0
#define mult 8
#define off 16
#define window 24

// EPOCH loads the epoch, or goes to slow if its line does not serve. It stands before the fence: what comes after a fence
// is waited for.
#define EPOCH \
	MOVQ ·master(SB), CX; \
	MOVQ window(CX), R11; \
	TESTQ R11, R11; \
	JEQ slow; \
	MOVQ base(CX), R8; \
	MOVQ mult(CX), R9; \
	MOVQ off(CX), R10

// LINE turns the counter in DX:AX into nanoseconds in DX, or goes to slow.
#define LINE \
	SHLQ $32, DX; \
	ORQ DX, AX; \
	SUBQ R8, AX; \
	CMPQ AX, R11; \
	JAE slow; \
	SHLQ $16, AX; \
	MULQ R9; \
	ADDQ R10, DX

// func now() Instant
TEXT ·now(SB), NOSPLIT, $0-8
	EPOCH
	RDTSC
	LINE
	MOVQ DX, ret+0(FP)
	RET
slow:
	JMP ·nowSlow(SB)

// func nowOrdered() Instant
TEXT ·nowOrdered(SB), NOSPLIT, $0-8
	EPOCH
	LFENCE
	RDTSC
	LINE
	MOVQ DX, ret+0(FP)
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

// func readCounter() uint64
// Plain: the processor may move it among its neighbours.
TEXT ·readCounter(SB), NOSPLIT, $0-8
	RDTSC
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+0(FP)
	RET

// func fenceCounter() uint64
// Fenced on both sides, for brackets and probes.
TEXT ·fenceCounter(SB), NOSPLIT, $0-8
	LFENCE
	RDTSC
	LFENCE
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+0(FP)
	RET

// func cpuid(leaf, sub uint32) (eax, ebx, ecx, edx uint32)
TEXT ·cpuid(SB), NOSPLIT, $0-24
	MOVL leaf+0(FP), AX
	MOVL sub+4(FP), CX
	CPUID
	MOVL AX, eax+8(FP)
	MOVL BX, ebx+12(FP)
	MOVL CX, ecx+16(FP)
	MOVL DX, edx+20(FP)
	RET
