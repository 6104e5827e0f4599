// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"strconv"
	"time"

	"github.com/strobe-go/strobe/clock"
)

const (
	stretchOf     = time.Second // the history's resolution
	mostStretches = 1 << 12     // that are kept because they are the latest
	mostOld       = 1 << 10     // that are kept because one of the longest frames lies in them
)

// A stretch is what the runtime did between two instants. The numbers of bytes and goroutines are those of its end.
type stretch struct {
	from, to   clock.Instant
	cycles     int64
	pause      time.Duration
	p99        time.Duration // negative if no goroutine waited
	heap       uint64
	goroutines uint64
}

// between returns what happened between two readings.
func between(before, now *machine) stretch {
	s := stretch{before.at, now.at, now.cycles - before.cycles, now.pause - before.pause, -1, now.heap, now.goroutines}
	if p99, ok := now.latency(before); ok {
		s.p99 = p99
	}
	return s
}

// A history has what the runtime did since the server started: in the latest stretches, and in those of the longest frames.
// So a frame is explained to those who open the page after it. It belongs to one goroutine at a time.
type history struct {
	latest *machine
	all    []stretch // by time
}

// due reports whether a stretch is complete. Readings are not quite even.
func (h *history) due(now clock.Instant) bool {
	return h.latest == nil || now.Sub(h.latest.at) >= stretchOf-stretchOf/10
}

// add adds the stretch that ends now. The stretches of longest frames are kept whatever their age.
func (h *history) add(now *machine, loops []*loop) {
	if h.latest != nil {
		h.all = append(h.all, between(h.latest, now))
	}
	h.latest = now
	if len(h.all) < mostStretches+mostOld+mostStretches/8 { // is trimmed seldom
		return
	}
	young := len(h.all) - mostStretches
	var old []stretch
	for _, s := range h.all[:young] {
		if s.ofLongest(loops) {
			old = append(old, s)
		}
	}
	old = old[max(0, len(old)-mostOld):]
	h.all = append(h.all[:copy(h.all, old)], h.all[young:]...)
}

func (s stretch) ofLongest(loops []*loop) bool {
	for _, l := range loops {
		for _, k := range l.worst {
			if s.overlaps(k) {
				return true
			}
		}
	}
	return false
}

func (s stretch) overlaps(k *kept) bool {
	return s.to > k.end-clock.Instant(k.took) && s.from < k.end
}

// about returns the stretches that frames lie in, up to a reading of the runtime.
func (h *history) about(frames []*kept, now *machine) (in []stretch) {
	take := func(s stretch) {
		for len(frames) > 0 && frames[0].end <= s.from { // frames and stretches are in order
			frames = frames[1:]
		}
		if len(frames) > 0 && s.overlaps(frames[0]) {
			in = append(in, s)
		}
	}
	for _, s := range h.all {
		take(s)
	}
	if h.latest != nil && now != nil && now.at > h.latest.at {
		take(between(h.latest, now))
	}
	return in
}

// appendText appends what happened, as it is sent.
func (s stretch) appendText(b []byte) []byte {
	number := func(x int64) { b = strconv.AppendInt(append(b, ','), x, 10) }
	b = strconv.AppendInt(b, s.cycles, 10)
	number(int64(s.pause))
	if s.p99 < 0 {
		b = append(b, ",null"...)
	} else {
		number(int64(s.p99))
	}
	number(int64(s.heap))
	number(int64(s.goroutines))
	return b
}
