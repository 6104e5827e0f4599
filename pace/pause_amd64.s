// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

#include "textflag.h"

// func pause()
// Tells the processor that this is a spin: it saves power and leaves more to a sibling thread.
TEXT ·pause(SB), NOSPLIT, $0-0
	PAUSE
	RET
