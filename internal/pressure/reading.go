// SPDX-License-Identifier: BSD-3-Clause

package pressure

// A Reading has the counters at one instant.
type Reading struct {
	values [counters]int64
	known  uint32 // bit set of the counters that have a value
	thread int    // that read it; 0 if the system does not tell
}

// Value returns a counter. ok is false if the system does not have it.
func (r *Reading) Value(c Counter) (v int64, ok bool) {
	if c < 0 || int(c) >= counters || r.known&(1<<c) == 0 {
		return 0, false
	}
	return r.values[c], true
}

func (r *Reading) set(c Counter, v int64) {
	r.values[c] = v
	r.known |= 1 << c
}

// A Delta is how much the counters grew between two readings. HeapGoal is that of the later one.
type Delta struct{ r Reading }

// Since returns the difference of two readings of one Reader. The counters of the thread are unknown if the two were read on
// different threads, as a goroutine that is not locked to its thread may do.
func (r *Reading) Since(earlier *Reading) (d Delta) {
	for c := range Counter(counters) {
		later, ok := r.Value(c)
		before, was := earlier.Value(c)
		switch {
		case !ok || !was, c.thread() && (r.thread == 0 || r.thread != earlier.thread):
		case c == HeapGoal:
			d.r.set(c, later)
		default:
			d.r.set(c, max(0, later-before))
		}
	}
	return d
}

// Value returns how much a counter grew. ok is false if that is unknown.
func (d Delta) Value(c Counter) (v int64, ok bool) { return d.r.Value(c) }
