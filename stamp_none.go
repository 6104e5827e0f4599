// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off && (purego || (!amd64 && !arm64))

package strobe

import "github.com/strobe-go/strobe/clock"

// Without the goroutine's address all goroutines share one lane, which keeps counts and totals exact but no nesting.
// Explicit lanes are whole.
const hasG = false

var counting uint32

func stamp() (gp, t uint64) { return 0, clock.Ticks() }
func getg() uint64          { return 0 }

func skip(*Zone) bool { return false }

func tick() uint64 { return clock.Ticks() }
