// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

#include "textflag.h"

// func pause()
TEXT ·pause(SB), NOSPLIT, $0-0
	YIELD
	RET
