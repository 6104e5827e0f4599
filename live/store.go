// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"slices"
	"sort"
	"time"

	"github.com/strobe-go/strobe/clock"
)

// worstKept is how many of the longest frames are kept, whatever their age.
const worstKept = 20

// A store holds the latest frames of a loop and the longest ones, in a limited number of bytes.
type store struct {
	limit  int64
	bytes  int64
	latest []*kept // by number
	worst  []*kept // the longest last
}

// A kept frame does not change.
type kept struct {
	number  uint64
	end     clock.Instant
	took    time.Duration
	text    []byte
	holders int // how many of latest and worst hold it
}

func (k *kept) size() int64 { return int64(cap(k.text)) + 104 } // including the references to it

func (s *store) add(k *kept) {
	s.latest = append(s.latest, k)
	s.hold(k)
	i := sort.Search(len(s.worst), func(i int) bool { return s.worst[i].took >= k.took }) // of equal frames the earlier counts as worse
	s.worst = slices.Insert(s.worst, i, k)
	s.hold(k)
	if len(s.worst) > worstKept {
		s.forgive()
	}
	s.trim()
}

// trim makes room by dropping the oldest of the latest frames; the longest frames may use half of the room.
func (s *store) trim() {
	longest := int64(0)
	for _, k := range s.worst {
		longest += k.size()
	}
	for len(s.worst) > 1 && longest > s.limit/2 {
		longest -= s.worst[0].size()
		s.forgive()
	}
	n := 0
	for s.bytes > s.limit && n+1 < len(s.latest) {
		s.release(s.latest[n])
		s.latest[n] = nil
		n++
	}
	s.latest = s.latest[n:]
}

func (s *store) forgive() {
	s.release(s.worst[0])
	s.worst = slices.Delete(s.worst, 0, 1)
}

func (s *store) hold(k *kept) {
	if k.holders++; k.holders == 1 {
		s.bytes += k.size()
	}
}

func (s *store) release(k *kept) {
	if k.holders--; k.holders == 0 {
		s.bytes -= k.size()
	}
}

func (s *store) clear() { *s = store{limit: s.limit} }

// from returns the latest frames from a number on, at most n of them.
func (s *store) from(number uint64, n int) []*kept {
	i := sort.Search(len(s.latest), func(i int) bool { return s.latest[i].number >= number })
	return s.latest[max(i, len(s.latest)-n):]
}

// first returns the first of the frames, at most n and at most as many as fit into bytes, but at least one.
func first(frames []*kept, n, bytes int) []*kept {
	for i, k := range frames {
		if bytes -= len(k.text); i == n || i > 0 && bytes < 0 {
			return frames[:i]
		}
	}
	return frames
}

// last returns the last of the frames, at most as many as fit into bytes, but at least one.
func last(frames []*kept, bytes int) []*kept {
	for i := len(frames) - 1; i >= 0; i-- {
		if bytes -= len(frames[i].text); bytes < 0 && i < len(frames)-1 {
			return frames[i+1:]
		}
	}
	return frames
}

// backlog returns what a new viewer gets: the longest frames, then the latest n without them.
func (s *store) backlog(n int) (frames []*kept) {
	latest := s.latest[max(0, len(s.latest)-n):]
	for _, k := range s.worst {
		if len(latest) == 0 || k.number < latest[0].number {
			frames = append(frames, k)
		}
	}
	slices.SortFunc(frames, func(a, b *kept) int { return int(int64(a.number - b.number)) })
	return append(frames, latest...)
}

// figures returns the 99th percentile of the latest thousand frame times, and the frame rate that corresponds to the mean of
// those at or above it. ok is false for fewer than a hundred frames.
func (s *store) figures() (p99 time.Duration, low1 float64, ok bool) {
	latest := s.latest[max(0, len(s.latest)-1000):]
	if len(latest) < 100 {
		return 0, 0, false
	}
	took := make([]time.Duration, len(latest))
	for i, k := range latest {
		took[i] = k.took
	}
	slices.Sort(took)
	i := (99*len(took) + 99) / 100 // the rank, from 1
	p99 = took[i-1]
	first, _ := slices.BinarySearch(took, p99)
	sum := time.Duration(0)
	for _, d := range took[first:] {
		sum += d
	}
	if sum <= 0 {
		return 0, 0, false
	}
	return p99, float64(len(took)-first) / sum.Seconds(), true
}
