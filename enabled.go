// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

// Enabled is false in programs built with -tags strobe_off, in which nothing of this package measures and calls leave no
// code behind. A deferred call does leave some; guarded by `if strobe.Enabled` it leaves none either.
const Enabled = true
