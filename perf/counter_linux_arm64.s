// SPDX-License-Identifier: BSD-3-Clause

#include "textflag.h"

// Each counter has an instruction of its own, MRS PMEVCNTR<n>_EL0, R1, which the assembler has no name for; 31 is
// PMCCNTR_EL0. The table has two instructions an entry.

// func readCounter(index uint32) (n uint64, who uintptr)
TEXT ·readCounter(SB), NOSPLIT|NOFRAME, $0-24
	MOVWU index+0(FP), R0
	AND   $31, R0
	ISB   $15
	ADR   table, R2
	ADD   R0<<3, R2
	JMP   (R2)
table:
	WORD $0xD53BE801; B done
	WORD $0xD53BE821; B done
	WORD $0xD53BE841; B done
	WORD $0xD53BE861; B done
	WORD $0xD53BE881; B done
	WORD $0xD53BE8A1; B done
	WORD $0xD53BE8C1; B done
	WORD $0xD53BE8E1; B done
	WORD $0xD53BE901; B done
	WORD $0xD53BE921; B done
	WORD $0xD53BE941; B done
	WORD $0xD53BE961; B done
	WORD $0xD53BE981; B done
	WORD $0xD53BE9A1; B done
	WORD $0xD53BE9C1; B done
	WORD $0xD53BE9E1; B done
	WORD $0xD53BEA01; B done
	WORD $0xD53BEA21; B done
	WORD $0xD53BEA41; B done
	WORD $0xD53BEA61; B done
	WORD $0xD53BEA81; B done
	WORD $0xD53BEAA1; B done
	WORD $0xD53BEAC1; B done
	WORD $0xD53BEAE1; B done
	WORD $0xD53BEB01; B done
	WORD $0xD53BEB21; B done
	WORD $0xD53BEB41; B done
	WORD $0xD53BEB61; B done
	WORD $0xD53BEB81; B done
	WORD $0xD53BEBA1; B done
	WORD $0xD53BEBC1; B done
	WORD $0xD53B9D01; B done
done:
	MOVD R1, n+8(FP)
	MOVD g, who+16(FP)
	RET
