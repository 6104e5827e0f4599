// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off && !purego

#include "textflag.h"

// func framesIn(begin, end, most uintptr) (n uint64, first uintptr)
TEXT ·framesIn(SB), NOSPLIT, $0-40
	MOVD  begin+0(FP), R0
	MOVD  end+8(FP), R1
	MOVD  most+16(FP), R2
	MOVD  0(g), R3    // the stack's lowest address
	MOVD  8(g), R4    // its end
	SUB   $16, R4
	SUB   R0, R1
	ADD   $1, R0      // a call may be the last instruction of a function: the one before the return address counts
	MOVD  ZR, R5
	MOVD  ZR, R8
	MOVD  R29, R6
frame:
	CMP   R3, R6
	BLO   done
	CMP   R4, R6
	BHI   done
	MOVD  8(R6), R7   // the return address
	SUB   R0, R7
	CMP   R1, R7
	BHS   next
	ADD   $1, R5
	CMP   $1, R5
	BNE   next
	MOVD  8(R6), R8
next:
	MOVD  0(R6), R6   // the frame pointer of the caller
	SUBS  $1, R2
	BNE   frame
done:
	MOVD  R5, n+24(FP)
	MOVD  R8, first+32(FP)
	RET
