// SPDX-License-Identifier: BSD-3-Clause

package bench

import "github.com/strobe-go/strobe/internal/neighbour"

// A core keeps the samples of Run during which nothing else used the physical core.
type core struct {
	watch neighbour.Watch
	quiet bool // after the latest sample
	alone []int64
}

func newCore() *core {
	c := &core{alone: make([]int64, 0, 1<<16)}
	c.quiet = c.watch.Look() == neighbour.Alone
	return c
}

// add takes a sample that has just ended, and returns it.
func (c *core) add(took int64) int64 {
	before := c.quiet
	if c.quiet = c.watch.Look() == neighbour.Alone; before && c.quiet {
		c.alone = append(c.alone, took)
	}
	return took
}
