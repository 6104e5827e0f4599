// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"fmt"
	"strings"
)

// An answer is what a function of macOS's frameworks kperf and kperfdata returned, and the errno it left. The two count
// errors in their own ways: kperf's functions, called kpc_, return an errno, or -1 and leave it; those of kperfdata, called
// kpep_, return their own error numbers.
type answer struct {
	function string
	code     int32
	errno    int32
}

// kpepErrors are the numbers of kperfdata, which no header of Apple's names.
var kpepErrors = [...]string{
	1: "invalid argument", "out of memory", "input or output", "buffer too small", "unknown system", "invalid path of the database",
	"no database of this processor", "the database is for another architecture", "the database has an unknown version",
	"the database is damaged", "no such event", "events that exclude each other", "not all counters were claimed", "the event is not available",
}

const (
	kpepErrno = 15 // of kperfdata: see errno

	// The errnos of macOS, which a test on another system can use.
	macEPERM, macEACCES, macEBUSY = 1, 13, 16
)

// system returns the errno, if the answer tells one.
func (a answer) system() (errno int32, ok bool) {
	kpep := strings.HasPrefix(a.function, "kpep_")
	switch {
	case kpep && a.code == kpepErrno, !kpep && a.code == -1:
		return a.errno, true
	case kpep:
		return 0, false
	}
	return a.code, true
}

// refusal makes a reason of a failure.
func (a answer) refusal() refusal {
	errno, ok := a.system()
	switch {
	case ok && errno == macEBUSY:
		return refusal{Denied, "another program is using the counters, such as Instruments", "end it and try again"}
	case ok && (errno == macEPERM || errno == macEACCES):
		return refusal{Denied, "macOS lets only root count branches and misses", "run the program with sudo"}
	case ok:
		return refusal{state: Unsupported, reason: fmt.Sprintf("%s failed with errno %d", a.function, errno)}
	case a.code > 0 && int(a.code) < len(kpepErrors):
		return refusal{state: Unsupported, reason: fmt.Sprintf("%s failed: %s (%d)", a.function, kpepErrors[a.code], a.code)}
	}
	return refusal{state: Unsupported, reason: fmt.Sprintf("%s failed (%d)", a.function, a.code)}
}

// A step is a call that may change the state of the system, and how to take that back; undo is nil if there is nothing to.
type step struct {
	function string
	do       func() (code, errno int32)
	undo     func()
}

// inOrder takes the steps until one fails. Those before it are then taken back, the latest first, and nothing else is: what a
// step has not obtained may belong to another program. If none fails, undo takes all of them back.
func inOrder(steps []step) (undo func(), failed answer) {
	var undos []func()
	undo = func() {
		for i := len(undos) - 1; i >= 0; i-- {
			undos[i]()
		}
	}
	for _, s := range steps {
		if code, errno := s.do(); code != 0 {
			undo()
			return nil, answer{s.function, code, errno}
		}
		if s.undo != nil {
			undos = append(undos, s.undo)
		}
	}
	return undo, answer{}
}
