// SPDX-License-Identifier: BSD-3-Clause

package unit

import (
	"slices"
	"time"
	"unsafe"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/cells"
)

// Durations is the layout of the cells of durations: 16 in an octave, as in a profile.Histogram whose ticks are nanoseconds.
const Durations = cells.Layout(4)

// A Column says how many units that ended in a stretch of time took how long.
type Column struct {
	From    clock.Instant // a multiple of the width
	Cells   []Cell        // ascending
	changed uint64
}

// A Cell is a number of units whose duration lies in a cell of Durations.
type Cell struct {
	Index uint16
	N     uint32
}

// A Heat is the durations of units over time, in bounded memory.
type Heat struct {
	Width   time.Duration // of a column
	most    int           // columns that are kept
	columns []Column      // by time; those without units are left out
}

// add counts a unit. changed is its number.
func (h *Heat) add(end clock.Instant, took time.Duration, changed uint64) {
	from := end - end%clock.Instant(h.Width)
	i := len(h.columns)
	for i > 0 && h.columns[i-1].From > from { // lanes are not read in the order of time
		i--
	}
	if i == 0 || h.columns[i-1].From < from {
		if i == 0 && len(h.columns) == h.most {
			return
		}
		h.columns = slices.Insert(h.columns, i, Column{From: from})
		if i++; len(h.columns) > h.most {
			h.columns = slices.Delete(h.columns, 0, 1)
			i--
		}
	}
	c := &h.columns[i-1]
	c.changed = changed
	index := uint16(Durations.Index(uint64(max(took, 0))))
	k, found := slices.BinarySearchFunc(c.Cells, index, func(c Cell, index uint16) int { return int(c.Index) - int(index) })
	if !found {
		c.Cells = slices.Insert(c.Cells, k, Cell{Index: index})
	}
	c.Cells[k].N++
}

// Changed returns the columns in which units were counted after the one with a number, by time. Those that could have changed are
// the latest ones. It is valid until the next unit is added.
func (h *Heat) Changed(number uint64) (columns []Column) {
	for _, c := range h.columns {
		if c.changed > number {
			columns = append(columns, c)
		}
	}
	return columns
}

// before returns the columns that end by an instant.
func (h *Heat) before(at clock.Instant) []Column {
	n := 0
	for n < len(h.columns) && h.columns[n].From+clock.Instant(h.Width) <= at {
		n++
	}
	return h.columns[:n]
}

func (h *Heat) bytes() int64 {
	bytes := int64(cap(h.columns)) * int64(unsafe.Sizeof(Column{}))
	for i := range h.columns {
		bytes += int64(cap(h.columns[i].Cells)) * int64(unsafe.Sizeof(Cell{}))
	}
	return bytes
}
