// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"cmp"
	"slices"
	"sort"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// worstKept is how many of the longest frames are kept, whatever their age.
const worstKept = 20

// A store holds the latest frames of a loop and the longest ones, in a limited number of bytes. When they are used up, it drops
// the spans of the oldest frames first, as long as spans take more than half, then the oldest frames.
type store struct {
	limit  int64
	bytes  int64
	within int64   // of bytes: spans
	latest []*kept // by number
	worst  []*kept // the longest last
	bare   int     // this many of latest come before the first that may have spans, unless they are among the longest
}

// A kept frame does not change, except that it loses its spans.
type kept struct {
	number  uint64
	end     clock.Instant
	took    time.Duration
	text    []byte
	spans   []byte // its contents; nil if they are no longer kept
	notes   []profile.Note
	split   *profile.Split // what its goroutine did; nil if that is not known
	holders int            // how many of latest and worst hold it
}

// size returns the bytes of a frame, including the references to it.
func (k *kept) size() int64 {
	size := int64(cap(k.text)+cap(k.spans)) + 128
	for i := range k.notes {
		size += int64(len(k.notes[i].Key)+len(k.notes[i].Value)) + 32
	}
	return size
}

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

// trim makes room. The longest frames may use half of it without their spans, and these a quarter.
func (s *store) trim() {
	for ; s.bytes > s.limit && s.within > s.limit/2 && s.bare < len(s.latest); s.bare++ {
		if k := s.latest[s.bare]; k.holders == 1 {
			s.strip(k)
		}
	}
	longest, within := int64(0), int64(0)
	for i := len(s.worst) - 1; i >= 0; i-- {
		k := s.worst[i]
		if within+int64(cap(k.spans)) > s.limit/4 && s.old(k) {
			s.strip(k)
		}
		within += int64(cap(k.spans))
		longest += k.size() - int64(cap(k.spans))
	}
	for len(s.worst) > 1 && longest > s.limit/2 {
		longest -= s.worst[0].size() - int64(cap(s.worst[0].spans))
		s.forgive()
	}
	n := 0
	for s.bytes > s.limit && n+1 < len(s.latest) {
		s.release(s.latest[n])
		s.latest[n] = nil
		n++
	}
	s.latest, s.bare = s.latest[n:], max(0, s.bare-n)
}

// old reports whether a frame is older than the latest ones that have spans.
func (s *store) old(k *kept) bool {
	return s.bare == len(s.latest) || k.number < s.latest[s.bare].number
}

// strip drops the spans of a frame.
func (s *store) strip(k *kept) {
	s.bytes -= int64(cap(k.spans))
	s.within -= int64(cap(k.spans))
	k.spans = nil
}

// forgive drops the shortest of the longest frames, and its spans, if they would have been dropped otherwise.
func (s *store) forgive() {
	k := s.worst[0]
	s.release(k)
	s.worst = slices.Delete(s.worst, 0, 1)
	if s.old(k) && k.holders > 0 {
		s.strip(k)
	}
}

func (s *store) hold(k *kept) {
	if k.holders++; k.holders == 1 {
		s.bytes += k.size()
		s.within += int64(cap(k.spans))
	}
}

func (s *store) release(k *kept) {
	if k.holders--; k.holders == 0 {
		s.bytes -= k.size()
		s.within -= int64(cap(k.spans))
	}
}

func (s *store) clear() { *s = store{limit: s.limit} }

// place returns where among the latest frames one with this number, or the next, is.
func (s *store) place(number uint64) (i int, found bool) {
	return slices.BinarySearchFunc(s.latest, number, func(k *kept, number uint64) int { return cmp.Compare(k.number, number) })
}

// from returns the latest frames from a number on, at most n of them.
func (s *store) from(number uint64, n int) []*kept {
	i, _ := s.place(number)
	return s.latest[max(i, len(s.latest)-n):]
}

// frame returns the frame with a number; nil if it is not kept.
func (s *store) frame(number uint64) *kept {
	if i, found := s.place(number); found {
		return s.latest[i]
	}
	if i := slices.IndexFunc(s.worst, func(k *kept) bool { return k.number == number }); i >= 0 {
		return s.worst[i]
	}
	return nil
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
