// SPDX-License-Identifier: BSD-3-Clause

#include "textflag.h"
#include "go_asm.h"

// COUNT reads the page at R4 into R13, as page.read does, or goes to none. The lock and the index, which says by itself
// whether the counter may be read, come in one load. Each counter has an instruction of its own, MRS PMEVCNTR<n>_EL0, R13,
// which the assembler has no name for; the last is PMCCNTR_EL0. R3 points at this table of them; index 0 is none.
#define COUNT \
again: \
	LDPW  page_lock(R4), (R5, R6); \
	MOVD  page_offset(R4), R8; \
	MOVHU page_width(R4), R9; \
	ADD   R6<<3, R3, R12; \
	JMP   (R12); \
table: \
	B none; B none; \
	WORD $0xD53BE80D; B counted; \
	WORD $0xD53BE82D; B counted; \
	WORD $0xD53BE84D; B counted; \
	WORD $0xD53BE86D; B counted; \
	WORD $0xD53BE88D; B counted; \
	WORD $0xD53BE8AD; B counted; \
	WORD $0xD53BE8CD; B counted; \
	WORD $0xD53BE8ED; B counted; \
	WORD $0xD53BE90D; B counted; \
	WORD $0xD53BE92D; B counted; \
	WORD $0xD53BE94D; B counted; \
	WORD $0xD53BE96D; B counted; \
	WORD $0xD53BE98D; B counted; \
	WORD $0xD53BE9AD; B counted; \
	WORD $0xD53BE9CD; B counted; \
	WORD $0xD53BE9ED; B counted; \
	WORD $0xD53BEA0D; B counted; \
	WORD $0xD53BEA2D; B counted; \
	WORD $0xD53BEA4D; B counted; \
	WORD $0xD53BEA6D; B counted; \
	WORD $0xD53BEA8D; B counted; \
	WORD $0xD53BEAAD; B counted; \
	WORD $0xD53BEACD; B counted; \
	WORD $0xD53BEAED; B counted; \
	WORD $0xD53BEB0D; B counted; \
	WORD $0xD53BEB2D; B counted; \
	WORD $0xD53BEB4D; B counted; \
	WORD $0xD53BEB6D; B counted; \
	WORD $0xD53BEB8D; B counted; \
	WORD $0xD53BEBAD; B counted; \
	WORD $0xD53BEBCD; B counted; \
	WORD $0xD53B9D0D; B counted; \
counted: \
	MOVWU page_lock(R4), R14; \
	CMPW  R5, R14; \
	BNE   again; \
	NEG   R9, R9; /* shifts take it modulo 64 */ \
	LSL   R9, R13; \
	ASR   R9, R13; \
	ADD   R8, R13

// func readPages(q *quick, s *sample) bool
// R0 is the next page's place, R1 how many are left, R2 where its count goes. What can be done before the last counter is
// read is done before: it is not in the measurement then.
TEXT ·readPages(SB), NOSPLIT|NOFRAME, $0-17
	LDP  q+0(FP), (R0, R7)
	LDP  quick_n(R0), (R1, R6) // and the owner
	CMP  g, R6
	BNE  none
	MOVD (R0), R4
	LDP  page_enabled(R4), (R10, R11)
	STP  (R10, R11), sample_times(R7)
	ADD  $sample_n, R7, R2
	ADR  table, R3
	MOVD $1, R10
	ISB  $15
next:
	MOVD.P 8(R0), R4
	COUNT
	MOVD.P R13, 8(R2)
	SUBS   $1, R1
	BNE    next
	MOVB   R10, ret+16(FP)
	RET
none:
	MOVB ZR, ret+16(FP)
	RET

// func sincePages(group *Group, seq uint64) bool
// R0 is behind the next page's place, R1 how many are left, R19 the owner until the first is read, R2 the group, then its
// reading, R7 seq, then the sample
// at the beginning.
TEXT ·sincePages(SB), NOSPLIT|NOFRAME, $0-17
	LDP  group+0(FP), (R2, R7)
	MOVD (Group_counters+counters_quick)(R2), R0
	CBZ  R0, none
	LDP  quick_n(R0), (R1, R19)
	CMP  g, R19
	BNE  none // another thread may not even try: the system may forbid it the counters
	ADD  R1<<3, R0, R0
	ADR  table, R3
	ISB  $15
next:
	MOVD.W -8(R0), R4
	COUNT
	// From here on nothing is counted of the event read last at the beginning. All that can wait till now has.
	CBZ  R19, subtract
	MOVD ZR, R19
	AND  $(const_ringSize-1), R7, R10
	MOVD $sample__size, R11
	MADD R11, R2, R10, R10
	MOVD (Group_ring+sample_fast)(R10), R11
	CMP  R7, R11
	BNE  none
	ADD  $(Group_ring+sample_n), R10, R7
	ADD  R1<<3, R7
	ADD  $(Group_out+Reading_n), R2
	ADD  R1<<3, R2
subtract:
	MOVD.W -8(R7), R10
	SUBS   R10, R13
	BMI    none // it has gone back: the long way says so
	MOVD.W R13, -8(R2)
	SUBS   $1, R1
	BNE    next
	LDP    page_enabled(R4), (R10, R11)
	LDP    (sample_times-sample_n)(R7), (R12, R13)
	SUB    R11, R10
	SUB    R13, R12
	CMP    R10, R12
	CSET   EQ, R11
	MOVD   $1, R10
	STP    (R10, R11), (Reading_times-Reading_n)(R2)
	MOVD   (sample_at-sample_n)(R7), R12
	STP    (R12, ZR), (Reading_Elapsed-Reading_n)(R2) // and the fault
	MOVB   R10, ret+16(FP)
	RET
none:
	MOVB ZR, ret+16(FP)
	RET
