// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off && !race && !purego

#include "go_asm.h"
#include "textflag.h"

// SKIP counts a call of the sampled zone in AX that is not to be timed. It goes to slow if the call is to be timed, or if the goroutine
// has no place in the zone's table.
#define SKIP \
	MOVQ Zone_hint(AX), SI; \
	MOVQ (TLS), CX; \
	CMPQ skipped_record(SI), CX; \
	JEQ skip; \
	MOVQ Zone_skips(AX), BX; \
	MOVQ $const_hashFactor, SI; \
	IMULQ CX, SI; \
	MOVQ SI, DI; \
	SHRQ $32, DI; \
	XORQ DI, SI; \
	ANDQ skips_mask(BX), SI; \
	ADDQ skips_first(BX), SI; \
	CMPQ skipped_record(SI), CX; \
	JEQ skip; \
	ADDQ $skipped__size, SI; \
	CMPQ skipped_record(SI), CX; \
	JEQ skip; \
	ADDQ $skipped__size, SI; \
	CMPQ skipped_record(SI), CX; \
	JEQ skip; \
	ADDQ $skipped__size, SI; \
	CMPQ skipped_record(SI), CX; \
	JNE slow; \
skip: \
	MOVQ skipped_left(SI), DX; \
	SUBQ $1, DX; \
	JCS slow; \
	MOVQ DX, skipped_left(SI)

// func enter(z *Zone) (l *Lane, n *node, start uint64)
// As in enter_go.go.
TEXT ·enter(SB), NOSPLIT, $0-32
	MOVQ  z+0(FP), AX
	MOVL  Zone_mode(AX), R8         // once, since another goroutine may change it
	CMPL  R8, $const_full
	JNE   notFull
	MOVQ  ·fast(SB), DX
	TESTQ DX, DX
	JEQ   slow
	MOVQ  (TLS), CX
	MOVQ  ·laneTable(SB), BX
	MOVQ  (CX)(DX*1), DX            // the goroutine's number

	MOVQ  $const_hashFactor, SI
	IMULQ CX, SI
	MOVQ  SI, DI
	SHRQ  $32, DI
	XORQ  DI, SI
	ANDQ  slots_mask(BX), SI
	ADDQ  slots_first(BX), SI
	CMPQ  slot_record(SI), CX
	JNE   next
found:
	MOVQ  slot_lane(SI), DI
	CMPQ  Lane_key(DI), DX
	JNE   slow

	MOVQ  Lane_at(DI), R8
	MOVL  Zone_id(AX), R9
	MOVWLZX node_mask(R8), R10
	MOVQ  node_children(R8), R11
	ANDL  R10, R9
	MOVQ  (R11)(R9*8), R12
	CMPQ  node_zone(R12), AX
	JNE   second
child:
	MOVQ  node_acc(R12), R13
	PREFETCHT0 (R13)       // for Exit, which waits for it longest in a program with other work
	RDTSC
	SHLQ  $32, DX
	ORQ   DX, AX
	MOVQ  AX, node_start(R12)
	MOVQ  node_total(R12), R13
	SUBQ  AX, R13
	BTCQ  $63, R13                  // isOpen
	MOVQ  R13, node_total(R12)
	MOVQ  R12, Lane_at(DI)
	MOVQ  DI, l+8(FP)
	MOVQ  R12, n+16(FP)
	MOVQ  AX, start+24(FP)
	RET

second:
	MOVQ  8(R11)(R9*8), R12
	CMPQ  node_zone(R12), AX
	JEQ   child
	JMP   slow

next:
	ADDQ  $slot__size, SI
	CMPQ  slot_record(SI), CX
	JEQ   found
slow:
	JMP   ·enterSlow(SB)

notFull:
	CMPL  R8, $const_sampled
	JNE   off
	SKIP
off:
	XORL  AX, AX
	MOVQ  AX, l+8(FP)
	MOVQ  AX, n+16(FP)
	MOVQ  AX, start+24(FP)
	RET

// func due(z *Zone) bool
// As in enter_go.go.
TEXT ·due(SB), NOSPLIT, $0-9
	MOVQ z+0(FP), AX
	MOVL Zone_mode(AX), R8
	CMPL R8, $const_sampled
	JNE  off
	SKIP
off:
	MOVB $0, ret+8(FP)
	RET
slow:
	MOVB $1, ret+8(FP)
	RET
