// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
)

const second = clock.Instant(time.Second)

// gone returns the history of a number of seconds, with a garbage collection in each, and of loops.
func gone(seconds int, loops ...*loop) *history {
	h := &history{}
	for i := range seconds + 1 {
		h.add(&machine{at: clock.Instant(i) * second, cycles: int64(i), pause: time.Duration(i), heap: uint64(i), goroutines: 7}, loops)
	}
	return h
}

// from returns the beginnings of stretches, in seconds.
func from(all []stretch) (begin []int) {
	for _, s := range all {
		begin = append(begin, int(s.from/second))
	}
	return begin
}

func TestTheHistoryOfFramesIsThatOfTheirStretches(t *testing.T) {
	h := gone(20)
	frame := func(from, to clock.Instant) *kept { return &kept{end: to, took: to.Sub(from)} }
	now := &machine{at: 20*second + second/2, cycles: 23, pause: 21}
	for _, c := range []struct {
		frames []*kept
		want   []int
	}{
		{nil, nil},
		{[]*kept{frame(3*second, 4*second)}, []int{3}},
		{[]*kept{frame(3*second-1, 4*second+1)}, []int{2, 3, 4}},
		{[]*kept{frame(5*second+1, 5*second+2), frame(5*second+2, 5*second+3), frame(9*second+1, 11*second)}, []int{5, 9, 10}},
		{[]*kept{frame(2*second, 3*second), frame(3*second, 3*second+1)}, []int{2, 3}},
		{[]*kept{frame(2*second, 2*second+1), frame(20*second+1, 20*second+2)}, []int{2, 20}},
		{[]*kept{frame(21*second, 22*second)}, nil},
	} {
		if got := h.about(c.frames, now); !slices.Equal(from(got), c.want) {
			t.Errorf("of %d frames from %v: %v, want %v", len(c.frames), c.frames, from(got), c.want)
		}
	}
	last := h.about([]*kept{frame(20*second+1, 20*second+2)}, now)[0]
	if last.cycles != 3 || last.pause != 1 || last.to != now.at || last.p99 >= 0 {
		t.Errorf("the stretch that has not ended: %+v", last)
	}
	if got := h.about([]*kept{frame(19*second, 21*second)}, &machine{at: 20 * second}); !slices.Equal(from(got), []int{19}) {
		t.Errorf("when the latest stretch has just ended: %v", from(got))
	}
	if got := h.about([]*kept{frame(20*second+1, 20*second+2)}, nil); got != nil {
		t.Errorf("without a later reading: %+v", got)
	}
}

func TestTheHistoryIsBoundedAndKeepsTheStretchesOfTheLongestFrames(t *testing.T) {
	l := &loop{}
	for _, at := range []clock.Instant{10, 500, 501} {
		l.worst = append(l.worst, &kept{end: at*second + second/2, took: time.Millisecond})
	}
	l.worst = append(l.worst, &kept{end: 700 * second, took: time.Millisecond})
	huge := &loop{}
	huge.worst = []*kept{{end: 4000 * second, took: time.Duration(3000 * second)}}
	for _, c := range []struct {
		loops []*loop
		old   []int // as far as they are known
		most  int
	}{
		{nil, nil, mostStretches},
		{[]*loop{l}, []int{10, 500, 501, 699}, mostStretches + 4},
		{[]*loop{l, huge}, nil, mostStretches + mostOld},
	} {
		h := gone(20_000, c.loops...)
		all := from(h.all)
		if n := len(all); n < mostStretches || n > c.most+mostOld+mostStretches/8 || cap(h.all) > 2*(mostStretches+mostOld) || all[n-1] != 19_999 {
			t.Errorf("%d stretches in room for %d, the last at %d", n, cap(h.all), all[n-1])
		}
		if !slices.IsSorted(all) || !slices.Equal(all[:len(c.old)], c.old) || c.old != nil && all[len(c.old)] < 10_000 {
			t.Errorf("the oldest are at %v, want %v", all[:len(c.old)+1], c.old)
		}
		latest := all[len(all)-mostStretches:]
		if latest[len(latest)-1]-latest[0] != len(latest)-1 {
			t.Errorf("there are gaps in the latest, from %d to %d", latest[0], latest[len(latest)-1])
		}
	}
}

func TestOneWhoComesLaterLearnsWhatTheRuntimeDid(t *testing.T) {
	m := newModel(1 << 20)
	m.history = *gone(3)
	m.play(at(0).frame("l", second+1, second+2, 2*second+1), at(4*second), at(4*second+1))
	v := &viewer{c: &collector{model: m, machine: &machine{at: 4 * second}}, news: make(chan struct{}, 1)}
	b, _ := v.messages(nil)
	past := framesIn(t, b)[0].History
	if len(past) != 2 || *past[0][0] != int64(second) || *past[0][1] != int64(2*second) || *past[0][2] != 1 || *past[0][3] != 1 || past[0][4] != nil ||
		*past[0][5] != 2 || *past[0][6] != 7 || *past[1][0] != int64(2*second) {
		t.Fatalf("history: %s", b)
	}
	m.play(at(5*second).frame("l", 3*second), at(6*second))
	b, _ = v.messages(nil)
	if f := framesIn(t, b); len(f) != 1 || f[0].History != nil {
		t.Errorf("the second message: %s", b)
	}
}

func TestTheHistoryBeginsWithTheServerAndHasAStretchASecond(t *testing.T) {
	c := &collector{model: newModel(1 << 20)}
	h := &c.model.history
	c.read()
	if h.latest == nil || len(h.all) != 0 {
		t.Fatalf("after the first reading: %+v", h)
	}
	c.read()
	if len(h.all) != 0 {
		t.Error("a stretch that is much shorter than a second")
	}
	before := *h.latest
	before.at, before.cycles = before.at-second, before.cycles-2
	h.latest = &before
	c.read()
	if len(h.all) != 1 || h.all[0].cycles < 2 || h.all[0].goroutines < 1 || h.all[0].heap == 0 || h.all[0].to-h.all[0].from < second {
		t.Errorf("after a second: %+v", h.all)
	}
}
