// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego && !strobe_off

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
