// SPDX-License-Identifier: BSD-3-Clause

package neighbour

import (
	"bytes"
	"os"
	"syscall"
	"time"

	"github.com/strobe-go/strobe/internal/procstat"
	"github.com/strobe-go/strobe/stat"
)

const tick = procstat.Tick

// A load is the processor time of the machine so far.
type load struct {
	busy, all time.Duration // of all processors
	own       time.Duration // of this process
	ok        bool
}

func readLoad() load {
	t, ok := procstat.Read()
	if !ok {
		return load{}
	}
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return load{}
	}
	// What was stolen is no program of this machine.
	return load{busy: t.Busy(), all: t.All() - t.Steal, own: time.Duration(u.Utime.Nano() + u.Stime.Nano()), ok: true}
}

// since returns the share of the time of all processors that other programs used.
func (from load) since(to load) stat.Interval {
	all := to.all - from.all
	if !from.ok || !to.ok {
		return stat.Unknown("the system does not tell how busy its processors are")
	}
	if all < 20*tick {
		return stat.Unknown("watched for less than the system's count can tell")
	}
	at := func(others time.Duration) float64 { return max(0, min(1, float64(others)/float64(all))) }
	others := to.busy - from.busy - (to.own - from.own)
	return stat.Interval{Center: at(others), Lo: at(others - 2*tick), Hi: at(others + 2*tick), Level: 1, Method: "count", N: uint64(all / tick)}
}

// virtual reports whether the processor says that a hypervisor runs it. Only x86 has that flag.
func virtual() bool {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte("flags")) {
			return bytes.Contains(line, []byte(" hypervisor "))
		}
	}
	return false
}
