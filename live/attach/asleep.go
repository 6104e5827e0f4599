// SPDX-License-Identifier: BSD-3-Clause

package attach

import (
	"bytes"
	"runtime"
	"time"
)

// The runtime ends a program whose goroutines all wait for each other: "all goroutines are asleep". It does not notice while a goroutine
// waits for the time or for a connection, as those of this package do. So the feed looks whether only its own goroutines keep the
// runtime from noticing, and if so it ends them.

const (
	asleepEvery    = time.Second
	mostGoroutines = 2000 // looking at more would stop the program for milliseconds
)

// asleep reports whether nothing but this package can wake a goroutine of the program, and the runtime would notice without it. The
// caller must have no timer.
func asleep() bool {
	if opened.Load() || runtime.NumGoroutine() > mostGoroutines || !noticed() {
		return false
	}
	text := make([]byte, 64<<10)
	n := runtime.Stack(text, true)
	for n == len(text) { // there is more
		text = make([]byte, 4*len(text))
		n = runtime.Stack(text, true)
	}
	return allWait(text[:n]) && noticed() // a timer that was set in between shows now
}

// allWait reports whether all goroutines of a dump, but the first one, which made it, and those of this package, wait for others.
func allWait(dump []byte) bool {
	const own = "\ncreated by github.com/strobe-go/strobe/live/attach."
	for i, g := range bytes.Split(dump, []byte("\n\n")) {
		if i == 0 || bytes.Contains(g, []byte(own)) {
			continue
		}
		_, state, _ := bytes.Cut(g, []byte("["))
		state, _, _ = bytes.Cut(state, []byte("]:"))
		state, _, _ = bytes.Cut(state, []byte(",")) // for how long
		switch string(state) {
		case "chan receive", "chan receive (nil chan)", "chan send", "chan send (nil chan)", "select", "select (no cases)", "semacquire",
			"sync.Mutex.Lock", "sync.RWMutex.Lock", "sync.RWMutex.RLock", "sync.Cond.Wait", "sync.WaitGroup.Wait":
		default: // it runs, or waits for a system call, a connection or a time
			return false
		}
	}
	return true
}
