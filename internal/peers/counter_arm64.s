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
