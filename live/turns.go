// SPDX-License-Identifier: BSD-3-Clause

package live

// settled is the number of frames in a row that make a lane that of the loop, after frames on others.
const settled = 32

// turns follows on which lane the frames of a loop are marked. That is its own lane if it is a single one.
type turns struct {
	on    int // lane of the latest mark; -1 is none
	run   int // marks in a row on it
	mixed bool
}

func (t *turns) mark(lane int) {
	if t.run > 0 && lane != t.on {
		t.mixed, t.run = true, 0
	}
	t.on, t.run = lane, t.run+1
	if t.run >= settled {
		t.mixed = false
	}
}

// lane returns the lane of the loop, -1 if that is unknown.
func (t *turns) lane() int {
	if t.run == 0 || t.mixed {
		return -1
	}
	return t.on
}
