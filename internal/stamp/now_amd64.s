// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

#include "textflag.h"

// func now() (id, t uint64)
// The goroutine first, the clock last.
TEXT ·now(SB), NOSPLIT, $0-16
	MOVQ  ·offset(SB), DX
	TESTQ DX, DX
	JEQ   slow
	MOVQ  (TLS), CX
	MOVQ  (CX)(DX*1), CX
	MOVQ  CX, id+0(FP)
	RDTSC
	SHLQ  $32, DX
	ORQ   DX, AX
	MOVQ  AX, t+8(FP)
	RET
slow:
	JMP   ·nowSlow(SB)

// func record() uintptr
TEXT ·record(SB), NOSPLIT, $0-8
	MOVQ (TLS), AX
	MOVQ AX, ret+0(FP)
	RET
