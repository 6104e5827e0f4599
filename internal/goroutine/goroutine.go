// SPDX-License-Identifier: BSD-3-Clause

// Package goroutine reads a goroutine's number and thread from its own traceback.
package goroutine

import (
	"bytes"
	"runtime"
	"strconv"
)

// headerBytes is enough for the header of a traceback up to the labels, with all its numbers at their longest.
const headerBytes = 160

// Number returns the runtime's number of the calling goroutine, as tracebacks show it. It takes about 1 us. 0 means unknown.
func Number() uint64 {
	var buf [headerBytes]byte
	n, _ := parse(buf[:runtime.Stack(buf[:], false)])
	return n
}

// Describe returns the number of the calling goroutine and the system's number of the thread that it is locked to. 0 means
// unknown, or not locked.
func Describe() (number uint64, thread int) {
	var buf [headerBytes]byte
	number, locked := parse(buf[:runtime.Stack(buf[:], false)])
	if locked {
		thread = threadID()
	}
	return number, thread
}

// parse reads the header of a traceback, its first line. With labels, Go 1.27 and Go 1.26 write
//
//	goroutine 7 [running, locked to thread] {key: value, "another key": "value"}:
//	goroutine 7 [running, locked to thread labels:{"key": "value"}]:
//
// A program may write anything into labels, so parse reads up to the first bracket, brace or quotation mark behind the state.
func parse(stack []byte) (number uint64, locked bool) {
	header, _, _ := bytes.Cut(stack, []byte("\n"))
	rest, ok := bytes.CutPrefix(header, []byte("goroutine "))
	if !ok {
		return 0, false
	}
	digits, rest, _ := bytes.Cut(rest, []byte(" "))
	number, err := strconv.ParseUint(string(digits), 10, 64)
	if err != nil {
		return 0, false
	}
	_, state, _ := bytes.Cut(rest, []byte("["))
	if end := bytes.IndexAny(state, `]{"`); end >= 0 {
		state = state[:end]
	}
	return number, bytes.Contains(state, []byte(", locked to thread"))
}
