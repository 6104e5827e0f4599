// SPDX-License-Identifier: BSD-3-Clause

package neighbour

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/strobe-go/strobe/stat"
)

// tick is the unit of /proc/stat, which the kernel reports in hundredths of a second whatever its own clock is.
const tick = 10 * time.Millisecond

// A load is the processor time of the machine so far.
type load struct {
	busy, all time.Duration // of all processors
	own       time.Duration // of this process
	ok        bool
}

func readLoad() (l load) {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return load{}
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	if l, err = parseLoad(line); err != nil {
		return load{}
	}
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return load{}
	}
	l.own, l.ok = time.Duration(u.Utime.Nano()+u.Stime.Nano()), true
	return l
}

// parseLoad parses the first line of /proc/stat: cpu user nice system idle iowait irq softirq steal guest guest_nice, of which the
// last two are included in the first two, and what was stolen is no program of this machine.
func parseLoad(line []byte) (l load, err error) {
	fields := bytes.Fields(line)
	if len(fields) < 8 || string(fields[0]) != "cpu" {
		return load{}, strconv.ErrSyntax
	}
	for i, f := range fields[1:8] {
		n, err := strconv.ParseInt(string(f), 10, 64)
		if err != nil {
			return load{}, err
		}
		l.all += time.Duration(n) * tick
		if i != 3 && i != 4 {
			l.busy += time.Duration(n) * tick
		}
	}
	return l, nil
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
