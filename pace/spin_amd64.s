// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

#include "textflag.h"

// func pause()
// Tells the processor that this is a spin: it saves power and leaves more to a sibling thread.
TEXT ·pause(SB), NOSPLIT, $0-0
	PAUSE
	RET

// func warm()
// Brings into the cache what runs after the spin: during a sleep of some ms it has been evicted. BP is the frame of the
// caller, which spins. It and the frame above hold the addresses that the next two returns go to. The line before the first of
// them is where Sleep begins, which the next sleep runs through before it reads the clock.
TEXT ·warm(SB), NOSPLIT, $0-0
	MOVQ 0(SP), AX
	PREFETCHT0 (AX)
	PREFETCHT0 64(AX)
	MOVQ 8(BP), AX
	PREFETCHT0 -64(AX)
	PREFETCHT0 (AX)
	PREFETCHT0 64(AX)
	PREFETCHT0 64(BP)
	MOVQ 0(BP), CX
	TESTQ CX, CX // the end of the stack
	JEQ  done
	MOVQ 8(CX), AX
	PREFETCHT0 (AX)
	PREFETCHT0 64(AX)
	PREFETCHT0 128(AX)
	PREFETCHT0 64(CX)
	PREFETCHT0 128(CX)
	MOVQ 0(CX), AX
	PREFETCHT0 (AX)
	PREFETCHT0 -64(AX)
done:
	RET
