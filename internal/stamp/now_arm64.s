// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

#include "textflag.h"

// func now() (id, t uint64)
// The goroutine first, the clock last.
TEXT ·now(SB), NOSPLIT, $0-16
	MOVD ·offset(SB), R0
	CBZ  R0, slow
	MOVD (g)(R0), R1
	MOVD R1, id+0(FP)
	MRS  CNTVCT_EL0, R0
	MOVD R0, t+8(FP)
	RET
slow:
	JMP  ·nowSlow(SB)

// func record() uintptr
TEXT ·record(SB), NOSPLIT, $0-8
	MOVD g, ret+0(FP)
	RET
