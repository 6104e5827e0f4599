// SPDX-License-Identifier: BSD-3-Clause

#include "textflag.h"

// func readCounter(index uint32) uint64
TEXT ·readCounter(SB), NOSPLIT, $0-16
	MOVL index+0(FP), CX
	RDPMC
	SHLQ $32, DX
	ORQ  DX, AX
	MOVQ AX, ret+8(FP)
	RET
