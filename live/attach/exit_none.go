// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_run

package attach

const byCommand = false

// atExit reports false: only programs that strobe run or strobe build made are told of their end.
func atExit(func()) bool { return false }
