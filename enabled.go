// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

// Enabled is false in programs built with -tags strobe_off, in which this package measures nothing and calls compile to
// nothing. Deferred calls leave some code, unless they are guarded by `if strobe.Enabled`.
const Enabled = true
