// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/goroutine"
	"github.com/strobe-go/strobe/internal/stamp"
	"github.com/strobe-go/strobe/profile"
)

// The runtime gives the record of a goroutine that has ended to a new one, which then has its lane. Readings come while the lanes pass
// on.
func TestEachEventNamesItsGoroutine(t *testing.T) {
	if !stamp.HasGoroutine || !numbered() {
		t.Skip("goroutines have no numbers here")
	}
	amplyBudgeted(t)
	zone, inner, root := NewZone("owned"), NewZone("owned inside"), NewRootZone("owned unit")
	Record(8 << 20)
	defer Record(0)
	type life struct{ from, to clock.Instant }
	const workers, each = 3, 400
	var mu sync.Mutex
	lives := make(map[int64]life)
	work := func(forget bool) {
		number, from := int64(goroutine.Number()), clock.NowOrdered()
		if u := root.Enter(); CurrentTask() != (Task{}) {
			o := zone.Enter()
			inner.Enter().Exit()
			Note("of", "one")
			Frame("owned loop")
			if !forget {
				o.Exit()
				u.Exit()
			}
		}
		mu.Lock()
		defer mu.Unlock()
		lives[number] = life{from, clock.NowOrdered()}
	}
	zones := []int{int(zone.id), int(inner.id), int(root.id)}
	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range each {
				done := make(chan struct{})
				go func() {
					defer close(done)
					work(i%50 == 7)
				}()
				<-done
			}
		}()
	}
	stop := make(chan struct{})
	var reader TimelineReader
	var events []profile.Event
	lanes := make(map[int]bool)
	ours := func() {
		tl := reader.Read()
		for _, e := range tl.Events {
			switch {
			case e.Kind == profile.SpanEvent && slices.Contains(zones, e.Zone),
				e.Name == "owned loop", e.Kind == profile.NoteEvent, e.Kind == profile.TaskEvent:
				if e.Lane >= 0 {
					lanes[tl.Lanes[e.Lane].ID] = true
				}
				events = append(events, e)
			}
		}
	}
	go func() {
		wg.Wait()
		close(stop)
	}()
	for end := false; !end; {
		select {
		case <-stop:
			end = true
		case <-time.After(time.Millisecond):
		}
		ours()
	}
	if len(lanes) > workers*each/4 {
		t.Errorf("%d goroutines had %d lanes: they hardly passed on", workers*each, len(lanes))
	}
	const slack = clock.Instant(50 * time.Microsecond) // instants of a reading are converted from ticks
	kinds := make(map[profile.Kind]int)
	for _, e := range events {
		l, known := lives[e.Goroutine]
		if !known {
			t.Fatalf("%+v is of a goroutine that did not exist", e)
		}
		if e.Start < l.from-slack || !e.Open && e.Start+clock.Instant(e.Took) > l.to+slack {
			t.Errorf("%+v is said to be of a goroutine that lived from %d to %d", e, l.from, l.to)
		}
		kinds[e.Kind]++
	}
	const whole = workers * each
	if n := kinds[profile.SpanEvent]; n < 3*whole-2*whole/40 || kinds[profile.FrameEvent] != whole || kinds[profile.NoteEvent] != whole || kinds[profile.TaskEvent] != whole {
		t.Errorf("%v events of %d goroutines", kinds, whole)
	}
}
