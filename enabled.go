// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

// Enabled is false in programs built with -tags strobe_off, in which this package measures nothing and calls compile to
// nothing. A deferred call does leave some code, unless it is guarded by `if strobe.Enabled`.
const Enabled = true
