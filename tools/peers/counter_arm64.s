// SPDX-License-Identifier: BSD-3-Clause

#include "textflag.h"

// func counter() uint64
TEXT ·counter(SB), NOSPLIT, $0-8
	MRS  CNTVCT_EL0, R0
	MOVD R0, ret+0(FP)
	RET

// func orderedCounter() uint64
TEXT ·orderedCounter(SB), NOSPLIT, $0-8
	ISB  $15
	MRS  CNTVCT_EL0, R0
	MOVD R0, ret+0(FP)
	RET

// func nothing() uint64
TEXT ·nothing(SB), NOSPLIT, $0-8
	MOVD ZR, ret+0(FP)
	RET

// func orderedNs() int64
// The constants stand in registers.
TEXT ·orderedNs(SB), NOSPLIT, $0-8
	MOVD $1654371175, R1
	MOVD $1234567, R2
	ISB  $15
	MRS  CNTVCT_EL0, R0
	SUB  $1234, R0
	MUL  R1, R0
	LSR  $32, R0
	ADD  R2, R0
	MOVD R0, ret+0(FP)
	RET
