// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

#include "textflag.h"

// func readCounter() uint64
// Without a fence: the processor may execute it before preceding instructions.
TEXT ·readCounter(SB), NOSPLIT, $0-8
	MRS  CNTVCT_EL0, R0
	MOVD R0, ret+0(FP)
	RET

// func fenceCounter() uint64
// Fenced on both sides, for brackets and probes.
TEXT ·fenceCounter(SB), NOSPLIT, $0-8
	ISB  $15
	MRS  CNTVCT_EL0, R0
	ISB  $15
	MOVD R0, ret+0(FP)
	RET

// func counterHz() uint64
// The rate according to the firmware, often wrong.
TEXT ·counterHz(SB), NOSPLIT, $0-8
	MRS  CNTFRQ_EL0, R0
	MOVD R0, ret+0(FP)
	RET
