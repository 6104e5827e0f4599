// SPDX-License-Identifier: BSD-3-Clause

package bench

import "github.com/strobe-go/strobe/internal/neighbour"

// A core keeps the samples of Run, and those during which nothing else used the physical core.
type core struct {
	watch      neighbour.Watch
	quiet      bool    // after the latest sample
	all, alone []int64 // less the batches of an empty function beside them, if there are any
}

func newCore() *core {
	c := &core{all: make([]int64, 0, 1<<16), alone: make([]int64, 0, 1<<16)}
	c.quiet = c.watch.Look() == neighbour.Alone
	return c
}

// add takes a sample that has just ended and the time of a batch of an empty function just before it, 0 if there is none. It returns
// the sample.
func (c *core) add(took, loop int64) int64 {
	before := c.quiet
	c.all = append(c.all, took-loop)
	if c.quiet = c.watch.Look() == neighbour.Alone; before && c.quiet {
		c.alone = append(c.alone, took-loop)
	}
	return took
}
