// SPDX-License-Identifier: BSD-3-Clause

#include "textflag.h"

// func self() uintptr
TEXT ·self(SB), NOSPLIT|NOFRAME, $0-8
	MOV g, ret+0(FP)
	RET
