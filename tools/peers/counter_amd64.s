// SPDX-License-Identifier: BSD-3-Clause

#include "textflag.h"

// func counter() uint64
TEXT ·counter(SB), NOSPLIT, $0-8
	RDTSC
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+0(FP)
	RET

// func orderedCounter() uint64
TEXT ·orderedCounter(SB), NOSPLIT, $0-8
	LFENCE
	RDTSC
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+0(FP)
	RET

// func nothing() uint64
TEXT ·nothing(SB), NOSPLIT, $0-8
	MOVQ $0, ret+0(FP)
	RET

// func orderedNs() int64
// The constants stand in the instructions.
TEXT ·orderedNs(SB), NOSPLIT, $0-8
	LFENCE
	RDTSC
	SUBL  $12345, AX
	IMULQ $1654371175, AX
	SHRQ  $32, AX
	ADDQ  $1234567, AX
	MOVQ  AX, ret+0(FP)
	RET
