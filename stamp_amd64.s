// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego && !strobe_off

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
