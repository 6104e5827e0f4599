// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego && !strobe_off

#include "go_asm.h"
#include "textflag.h"

// func stamp() (gp, t uint64)
// The goroutine first, the clock last.
TEXT ·stamp(SB), NOSPLIT, $0-16
	MOVWU ·counting(SB), R0
	CBZ  R0, slow
	MOVD g, gp+0(FP)
	MRS  CNTVCT_EL0, R0
	MOVD R0, t+8(FP)
	RET
slow:
	JMP ·stampSlow(SB)

// func getg() uint64
TEXT ·getg(SB), NOSPLIT, $0-8
	MOVD g, ret+0(FP)
	RET

// func skip(z *Zone) bool
TEXT ·skip(SB), NOSPLIT, $0-9
	MOVD z+0(FP), R0
	MOVD $const_spreadHash, R1
	MUL  g, R1, R1
	LSR  $const_nearShift, R1, R1
	MOVD Zone_near(R0), R0
	MOVD (R0)(R1<<3), R0
	CBZ  R0, no
	MOVD account_g(R0), R1
	CMP  g, R1
	BNE  no
	MOVD account_skip(R0), R1
	CBZ  R1, no
	SUB  $1, R1, R1
	MOVD R1, account_skip(R0)
	MOVD $1, R1
	MOVB R1, ret+8(FP)
	RET
no:
	MOVB ZR, ret+8(FP)
	RET
