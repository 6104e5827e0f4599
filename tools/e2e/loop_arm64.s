// SPDX-License-Identifier: BSD-3-Clause

#include "textflag.h"

// func loop(n int)
// Two instructions for each of n, which is 1 at least.
TEXT ·loop(SB), NOSPLIT, $0-8
	MOVD n+0(FP), R0
again:
	SUBS $1, R0, R0
	BNE  again
	RET
