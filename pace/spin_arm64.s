// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

#include "textflag.h"

// func pause()
TEXT ·pause(SB), NOSPLIT, $0-0
	YIELD
	RET

// func warm()
// As on amd64. R29 is the frame of the caller, R30 the address in it.
TEXT ·warm(SB), NOSPLIT, $0-0
	PRFM (R30), PLDL1KEEP
	PRFM 64(R30), PLDL1KEEP
	MOVD 8(R29), R0
	SUB  $64, R0, R2
	PRFM (R2), PLDL1KEEP
	PRFM (R0), PLDL1KEEP
	PRFM 64(R0), PLDL1KEEP
	PRFM 64(R29), PLDL1KEEP
	MOVD 0(R29), R1
	CBZ  R1, done // the end of the stack
	MOVD 8(R1), R0
	PRFM (R0), PLDL1KEEP
	PRFM 64(R0), PLDL1KEEP
	PRFM 64(R1), PLDL1KEEP
	PRFM 128(R1), PLDL1KEEP
done:
	RET
