// SPDX-License-Identifier: BSD-3-Clause

// Package procstat reads how the processors of the machine have spent their time, which only Linux tells in this form: the first line
// of /proc/stat.
package procstat

import (
	"bytes"
	"os"
	"time"
)

// Tick is the unit of /proc/stat, hundredths of a second whatever the kernel's own clock is.
const Tick = 10 * time.Millisecond

// Times are sums over all processors since the machine was started, in steps of a Tick each. The time of guests is part of User and
// Nice. Steal is when the host of this virtual machine ran something else.
type Times struct {
	User, Nice, System, Idle, IOWait, IRQ, SoftIRQ, Steal time.Duration
}

// Read returns the times so far. ok is false where the system does not tell them.
func Read() (t Times, ok bool) {
	f, err := os.Open("/proc/stat")
	if err != nil {
		return Times{}, false
	}
	defer f.Close()
	var buf [512]byte // the first line is shorter
	n, _ := f.Read(buf[:])
	return Parse(buf[:n])
}

// Parse reads the times from the beginning of /proc/stat. It allocates nothing. ok is false if the first line is not whole or not as
// expected.
func Parse(text []byte) (t Times, ok bool) {
	line, _, whole := bytes.Cut(text, []byte("\n"))
	rest, is := bytes.CutPrefix(line, []byte("cpu "))
	if !whole || !is {
		return Times{}, false
	}
	for _, to := range [...]*time.Duration{&t.User, &t.Nice, &t.System, &t.Idle, &t.IOWait, &t.IRQ, &t.SoftIRQ, &t.Steal} {
		rest = bytes.TrimLeft(rest, " ")
		var word []byte
		word, rest, _ = bytes.Cut(rest, []byte(" "))
		n, ok := number(word)
		if !ok {
			return Times{}, false
		}
		*to = time.Duration(n) * Tick
	}
	return t, true
}

// number parses a decimal number of ticks, of which a Duration can hold the time.
func number(word []byte) (n int64, ok bool) {
	for _, c := range word {
		if c < '0' || c > '9' || n > int64(1<<59/Tick)/10 {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	return n, len(word) > 0
}

// All returns the time of all processors, whatever they did.
func (t Times) All() time.Duration { return t.Busy() + t.Idle + t.IOWait + t.Steal }

// Busy returns the time in which the processors ran something on this machine.
func (t Times) Busy() time.Duration { return t.User + t.Nice + t.System + t.IRQ + t.SoftIRQ }
