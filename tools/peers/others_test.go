// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux

package peers

import "testing"

const hasFloor = false // bareSleeper exists only for Linux

func bareSleeper(bool) startSleeper { panic("no floor") }
func bareWakeUps() startSleeper     { panic("no floor") }

func benchmarkSyscall(b *testing.B) { b.Skip("Linux only") }

func countersRows() []row {
	var rows []row
	for _, name := range []string{"perf.Group", "go-perfevent-Start-Stop-ReadGroup", "perf-utils.GroupProfiler"} {
		rows = append(rows, row{name, func(b *testing.B) { b.Skip("the peers count on Linux alone") }})
	}
	return rows
}
