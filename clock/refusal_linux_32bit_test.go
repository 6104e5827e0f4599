// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && (386 || arm || mips || mipsle)

package clock

import (
	"testing"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe/internal/child"
)

var getTime, openFile = []uint32{unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETTIME64}, []uint32{unix.SYS_OPENAT, unix.SYS_OPEN}

func TestEitherCallForTheTimeIsEnough(t *testing.T) {
	for name, call := range map[string]uint32{"new": unix.SYS_CLOCK_GETTIME64, "old": unix.SYS_CLOCK_GETTIME} {
		t.Run(name, func(t *testing.T) {
			if !child.Process(t) {
				return
			}
			child.Refuse(t, unix.ENOSYS, call)
			keepsTime(t)
			if ok, reason := referenceTells(); !ok {
				t.Error(reason)
			}
		})
	}
}
