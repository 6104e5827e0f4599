// SPDX-License-Identifier: BSD-3-Clause

#include "textflag.h"
#include "go_asm.h"

// func readPages(q *quick, s *sample) bool
// R0 is the next page's place, R1 how many are left, R2 where its count goes, R4 the page, R5 its lock, R8 offset, R9 width.
// The index says by itself whether a counter may be read: it is 0 if not.
TEXT ·readPages(SB), NOSPLIT|NOFRAME, $0-17
	LDP  q+0(FP), (R0, R7)
	LDP  quick_n(R0), (R1, R6) // and the owner
	CMP  g, R6
	BNE  none
	ADD  $sample_n, R7, R2
	ADR  table, R3
	ISB  $15
next:
	MOVD.P 8(R0), R4
again:
	MOVWU page_lock(R4), R5
	MOVWU page_index(R4), R6
	CBZ   R6, none
	MOVD  page_offset(R4), R8
	MOVHU page_width(R4), R9
	ADD   R6<<3, R3, R12
	JMP   (R12)

// Each counter has an instruction of its own, MRS PMEVCNTR<n>_EL0, R13, which the assembler has no name for; 31 is
// PMCCNTR_EL0. An entry is two instructions; the index of the first is 1.
table:
	B none; B none
	WORD $0xD53BE80D; B done
	WORD $0xD53BE82D; B done
	WORD $0xD53BE84D; B done
	WORD $0xD53BE86D; B done
	WORD $0xD53BE88D; B done
	WORD $0xD53BE8AD; B done
	WORD $0xD53BE8CD; B done
	WORD $0xD53BE8ED; B done
	WORD $0xD53BE90D; B done
	WORD $0xD53BE92D; B done
	WORD $0xD53BE94D; B done
	WORD $0xD53BE96D; B done
	WORD $0xD53BE98D; B done
	WORD $0xD53BE9AD; B done
	WORD $0xD53BE9CD; B done
	WORD $0xD53BE9ED; B done
	WORD $0xD53BEA0D; B done
	WORD $0xD53BEA2D; B done
	WORD $0xD53BEA4D; B done
	WORD $0xD53BEA6D; B done
	WORD $0xD53BEA8D; B done
	WORD $0xD53BEAAD; B done
	WORD $0xD53BEACD; B done
	WORD $0xD53BEAED; B done
	WORD $0xD53BEB0D; B done
	WORD $0xD53BEB2D; B done
	WORD $0xD53BEB4D; B done
	WORD $0xD53BEB6D; B done
	WORD $0xD53BEB8D; B done
	WORD $0xD53BEBAD; B done
	WORD $0xD53BEBCD; B done
	WORD $0xD53B9D0D
done:
	MOVWU  page_lock(R4), R14
	CMPW   R5, R14
	BNE    again
	NEG    R9, R9 // shifts take it modulo 64
	LSL    R9, R13
	ASR    R9, R13
	ADD    R8, R13
	MOVD.P R13, 8(R2)
	SUBS   $1, R1
	BNE    next
	LDP    page_enabled(R4), (R10, R11)
	STP    (R10, R11), sample_times(R7)
	MOVD   $1, R0
	MOVH   R0, sample_paged(R7)
	MOVB   ZR, sample_torn(R7)
	MOVB   R0, ret+16(FP)
	RET
none:
	MOVB ZR, ret+16(FP)
	RET

// func self() uintptr
TEXT ·self(SB), NOSPLIT|NOFRAME, $0-8
	MOVD g, ret+0(FP)
	RET
