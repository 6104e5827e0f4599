// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego && !strobe_off

#include "go_asm.h"
#include "textflag.h"

// func stamp() (gp, t uint64)
// The goroutine first, the clock last.
TEXT ·stamp(SB), NOSPLIT, $0-16
	CMPL ·counting(SB), $0
	JEQ  slow
	MOVQ (TLS), CX
	MOVQ CX, gp+0(FP)
	RDTSC
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, t+8(FP)
	RET
slow:
	JMP ·stampSlow(SB)

// func getg() uint64
TEXT ·getg(SB), NOSPLIT, $0-8
	MOVQ (TLS), AX
	MOVQ AX, ret+0(FP)
	RET

// func skip(z *Zone) bool
TEXT ·skip(SB), NOSPLIT, $0-9
	MOVQ  z+0(FP), AX
	MOVQ  (TLS), CX
	MOVQ  $const_spreadHash, DX
	IMULQ CX, DX
	SHRQ  $const_nearShift, DX
	MOVQ  Zone_near(AX), AX
	MOVQ  (AX)(DX*8), AX
	TESTQ AX, AX
	JEQ   no
	CMPQ  account_g(AX), CX
	JNE   no
	MOVQ  account_skip(AX), DX
	SUBQ  $1, DX
	JCS   no
	MOVQ  DX, account_skip(AX)
	MOVB  $1, ret+8(FP)
	RET
no:
	MOVB  $0, ret+8(FP)
	RET
