// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off && !purego

#include "textflag.h"

// func framesIn(begin, end, most uintptr) (n uint64, first uintptr)
TEXT ·framesIn(SB), NOSPLIT, $0-40
	MOVQ  begin+0(FP), SI
	MOVQ  end+8(FP), DI
	MOVQ  most+16(FP), CX
	MOVQ  (TLS), R8
	MOVQ  0(R8), R10  // the stack's lowest address
	MOVQ  8(R8), R9   // its end
	SUBQ  $16, R9
	SUBQ  SI, DI
	ADDQ  $1, SI      // a call may be the last instruction of a function: the one before the return address counts
	XORL  AX, AX
	XORL  R11, R11
	MOVQ  BP, DX
frame:
	CMPQ  DX, R10
	JCS   done
	CMPQ  DX, R9
	JHI   done
	MOVQ  8(DX), BX   // the return address
	SUBQ  SI, BX
	CMPQ  BX, DI
	JCC   next
	INCQ  AX
	CMPQ  AX, $1
	JNE   next
	MOVQ  8(DX), R11
next:
	MOVQ  0(DX), DX   // the frame pointer of the caller
	SUBQ  $1, CX
	JNE   frame
done:
	MOVQ  AX, n+24(FP)
	MOVQ  R11, first+32(FP)
	RET
