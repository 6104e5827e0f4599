// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
)

// A cursor reads the events of a thread.
type cursor struct {
	event   event
	thread  *thread
	batches []batch
	batch   batch // being read
	at      int   // in it
}

// next reads the next event.
func (c *cursor) next(max byte) (ok bool, err error) {
	for c.at == len(c.batch.data) {
		if len(c.batches) == 0 {
			return false, nil
		}
		c.batch, c.batches, c.at = c.batches[0], c.batches[1:], 0
		c.event.stamp = c.batch.stamp
	}
	e, data := &c.event, c.batch.data
	e.at, e.kind = c.batch.at+c.at, data[c.at]
	n := arguments[e.kind]
	if n == untimed || e.kind > max && (e.kind < firstExperimental || e.kind > lastExperimental) {
		return false, fmt.Errorf("byte %d: %d is no event", e.at, e.kind)
	}
	apart, at := uvarint(data, c.at+1)
	if at >= 0 && n > 0 {
		at = uvarints(data, at, e.args[:n])
	}
	if at < 0 || apart > lastStamp || e.stamp+apart > lastStamp {
		return false, fmt.Errorf("byte %d: event %d is broken", e.at, e.kind)
	}
	e.stamp += apart
	c.at = at
	return true, nil
}

// merge hands the events of all threads of a generation to the scheduler in the order in which they happened. That is the order of
// their times, except where it is impossible: clocks of processors may differ, and a thread may be interrupted between what it does
// and the reading of its clock.
func merge(s *scheduler, g *generation) error {
	s.begin(g)
	front := make([]*cursor, 0, len(g.streams)) // a heap by the time of the next event
	for _, stream := range g.streams {
		c := &cursor{thread: s.thread(stream.thread), batches: stream.batches}
		if ok, err := c.next(g.max); err != nil {
			return err
		} else if ok {
			front = append(front, c)
		}
	}
	slices.SortStableFunc(front, byStamp) // a sorted slice is a heap
	for len(front) > 0 && s.last <= s.to {
		i := 0
		ok, err := s.advance(&front[0].event, front[0].thread)
		if err == nil && !ok { // rarely: it follows from an event with a later time
			slices.SortStableFunc(front, byStamp)
			for i = 1; i < len(front) && err == nil && !ok; i++ {
				ok, err = s.advance(&front[i].event, front[i].thread)
			}
			i--
		}
		if err == nil && !ok {
			err = errors.New("no order of the events of its generation is possible from here on")
			i = 0
		}
		if err != nil {
			return fmt.Errorf("byte %d: event %d: %w", front[i].event.at, front[i].event.kind, err)
		}
		if ok, err = front[i].next(g.max); err != nil {
			return err
		} else if !ok {
			front[i] = front[len(front)-1]
			front = front[:len(front)-1]
		}
		sink(front, i) // it need not rise: of a sorted slice, neither a later event nor the last cursor is before a parent of i
	}
	var err error
	s.trace.Samples, err = g.readSamples(s.trace.Samples, s.from, s.to)
	return err
}

func byStamp(a, b *cursor) int { return cmp.Compare(a.event.stamp, b.event.stamp) }

// sink restores the heap below i.
func sink(front []*cursor, i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(front); child++ {
			if front[child].event.stamp < front[least].event.stamp {
				least = child
			}
		}
		if least == i {
			return
		}
		front[i], front[least] = front[least], front[i]
		i = least
	}
}
