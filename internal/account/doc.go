// SPDX-License-Identifier: BSD-3-Clause

// Package account tells where the time of a unit went, such as a frame or a request, and what made it slower than others. It
// reads no clock and no file: data in, data out.
//
// A [Window] holds what the sources know about the latest second or so. [Window.Of] divides the time of one unit into parts, which add
// up to it: each state of the goroutine, as the runtime's trace has it, is refined by the kernel's records of who was on a
// processor, and by the zones that were open. Where the unit waited for a goroutine that worked for it, the account follows that
// goroutine. [Judge] subtracts the median account of ordinary units, and names the cause of what is left if one explains most of it.
package account
