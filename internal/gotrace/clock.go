// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import "fmt"

// lastStamp is beyond any time of a trace, and so small that sums of stamps and products with a unit do not overflow.
const lastStamp = 1 << 56

// A Clock tells the times of traces whose stamps are those of a counter, as on Windows. Such a trace itself tells them to some
// milliseconds at best: by a clock that steps, and by a rate that it measured with that clock.
type Clock struct {
	Stamp uint64  // of some moment
	Time  Time    // of the same moment
	Unit  float64 // nanoseconds from one stamp to the next
}

// A clock turns the stamps of a generation into times.
type clock struct {
	frequency uint64 // stamps in a second
	snapshot  bool
	stamp     uint64 // at the snapshot
	mono      Time   // then
	unit      Time   // stamps are this many nanoseconds of the monotonic clock, exactly; 0 if they are of another clock
	scale     float64
}

// read reads the batch that describes the clock.
func (c *clock) read(b batch) error {
	at, stamp := 0, b.stamp
	if b.data[0] == evSync {
		at++
	}
	for at < len(b.data) {
		kind, from := b.data[at], at
		var v [4]uint64
		switch at++; kind {
		case evFrequency:
			if at = uvarints(b.data, at, v[:1]); at >= 0 {
				c.frequency = v[0]
			}
		case evClockSnapshot:
			if at = uvarints(b.data, at, v[:]); at >= 0 {
				c.snapshot, c.stamp, c.mono = true, stamp+v[0], Time(v[1])
			}
		default:
			at = -1
		}
		if at < 0 || c.stamp > lastStamp || c.mono < 0 || c.frequency > 1e12 {
			return fmt.Errorf("byte %d: what the clock was is broken", b.at+from)
		}
	}
	if c.frequency == 0 {
		return nil
	}
	// On most systems stamps are the monotonic clock, divided. Then the snapshot is not needed, whose two readings may be far apart.
	const second = 1_000_000_000
	c.scale = second / float64(c.frequency)
	if unit := Time(second / c.frequency); unit > 0 && unit <= 64 && second%c.frequency == 0 {
		apart := c.mono/unit - Time(c.stamp)
		if !c.snapshot || -second < apart && apart < second {
			c.unit = unit
		}
	}
	return nil
}

// follow uses another clock, unless its unit is so far from the one that the trace has measured that it is not the clock of these stamps.
func (c *clock) follow(by *Clock) error {
	if ratio := by.Unit / c.scale; !(ratio > 2./3 && ratio < 3./2) {
		return fmt.Errorf("its clock is unknown: a stamp is %.3g ns, not %.3g", c.scale, by.Unit)
	}
	c.stamp, c.mono, c.scale, c.unit = by.Stamp, by.Time, by.Unit, 0
	return nil
}

// known reports whether the batch has been read.
func (c *clock) known(version int) bool { return c.frequency != 0 && (c.snapshot || version < 25) }

func (c *clock) time(stamp uint64) Time {
	if c.unit != 0 {
		return Time(stamp) * c.unit
	}
	return c.mono + Time(float64(int64(stamp)-int64(c.stamp))*c.scale)
}
