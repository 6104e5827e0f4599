// SPDX-License-Identifier: BSD-3-Clause

#include "textflag.h"

// func readCounter(index uint32) (n uint64, who uintptr)
TEXT ·readCounter(SB), NOSPLIT, $0-24
	MOVL index+0(FP), CX
	RDPMC
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, n+8(FP)
	MOVQ (TLS), AX
	MOVQ AX, who+16(FP)
	RET
