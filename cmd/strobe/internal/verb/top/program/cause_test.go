// SPDX-License-Identifier: BSD-3-Clause

package program

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
)

// The tests of the live page use the same cases.
func TestTheCauseIsThatOfTheLivePage(t *testing.T) {
	text, err := os.ReadFile("../../../../../../live/testdata/causes.json")
	if err != nil {
		t.Fatal(err)
	}
	type frame struct {
		Took  int64
		Parts []int64
	}
	var all struct {
		Zones []feed.Zone
		Paths []feed.Path
		Cases []struct {
			Name         string
			Lane         *int64
			Frame, Usual frame
			Cause        *struct {
				Path, More int64
				Waited     *int64
			}
		}
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	if len(all.Cases) < 10 {
		t.Errorf("%d cases", len(all.Cases))
	}
	for _, c := range all.Cases {
		t.Run(c.Name, func(t *testing.T) {
			h := feed.Hello{Lane: c.Lane, Zones: all.Zones}
			var w causes
			w.name(all.Paths)
			got, ok := w.blame(h, w.spent(h, c.Frame.Took, c.Frame.Parts), w.spent(h, c.Usual.Took, c.Usual.Parts))
			var want blamed
			if c.Cause != nil {
				want = blamed{c.Cause.Path, c.Cause.More, outside}
				if c.Cause.Waited != nil {
					want.waited = *c.Cause.Waited
				}
			}
			if got != want || ok != (c.Cause != nil) {
				t.Errorf("%+v, %v, want %+v", got, ok, want)
			}
		})
	}
}

// There may be more lanes that wait all the time than paths that are kept of a frame.
func TestTheZoneThatTheLoopWaitedForIsKeptAmongManyThatWait(t *testing.T) {
	var p Program
	m := hello("r", "x")
	lane := int64(0)
	m.Hello.Lane = &lane
	m.Hello.Zones = []feed.Zone{{Name: "join", Wait: true}, {Name: "idle", Wait: true}, {Name: "work"}}
	p.Add(m)
	m = frames(1)
	m.Frames.Paths = []feed.Path{{Number: 0, Lane: 0, Parent: -1, Zone: 0}, {Number: 1, Lane: 1, Parent: -1, Zone: 2}}
	usual, slow := []int64{0, 1, 5, 1, 1, 5}, []int64{0, 1, 2000, 1, 1, 850}
	for lane := range int64(3 * keptParts) {
		m.Frames.Paths = append(m.Frames.Paths, feed.Path{Number: 2 + lane, Lane: 2 + lane, Parent: -1, Zone: 1})
		usual, slow = append(usual, 2+lane, 1, 10), append(slow, 2+lane, 1, 1000)
	}

	for i := range int64(99) {
		m.Frames.Frames = append(m.Frames.Frames, feed.Frame{Number: i, Took: 10, Parts: usual})
	}
	m.Frames.Frames = append(m.Frames.Frames, feed.Frame{Number: 99, Took: 1000, Parts: slow})
	p.Add(m)
	if c, ok := p.Cause(feed.Frame{Number: 99, Took: 1000}); !ok || c.Zone != "work" || c.Waited != "join" {
		t.Errorf("%+v, %v", c, ok)
	}
	if n := len(p.why.frames[99].self); n > 2*keptParts {
		t.Errorf("the times of %d paths are kept", n)
	}
	for _, h := range []*int64{nil, new(int64)} {
		m := hello("r", "x")
		m.Hello.Lane = h
		if h != nil {
			*h = 7
		}
		p.Add(m)
		if c, ok := p.Cause(feed.Frame{Number: 99}); ok {
			t.Errorf("of the time outside zones of another lane: %s", fmt.Sprint(c))
		}
	}
}
