// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

// requestTimeline requests the timeline of a frame.
func requestTimeline(t *testing.T, s *Server, query string) timelineMessage {
	t.Helper()
	m := timelineMessage{timelineOf: new(timelineOf)}
	a, text := request(t, s, "GET", "spans?"+query, "")
	if err := json.Unmarshal([]byte(text), &m); err != nil || a.StatusCode != 200 || a.Header.Get("Content-Type") != "application/json" {
		t.Fatalf("%s: %s, %v: %v: %.200s", query, a.Status, a.Header, err, text)
	}
	return m
}

// feed gives a server readings.
func (s *Server) feed(readings ...*script) {
	s.collector.mu.Lock()
	defer s.collector.mu.Unlock()
	s.collector.model.play(readings...)
}

func TestTheTimelineOfAFrameIsServed(t *testing.T) {
	s := serve(t, Options{RecordBytes: -1})
	r := at(100*ms).frame("l", 10*ms, 30*ms).span(7, 5*ms, 12*ms).span(7, 13*ms, 14*ms).span(3, 20*ms, 50*ms).open(5, 1*ms)
	for i := range 2 {
		r.t.Events[i].Lane = r.lane(5) // the lane that calls strobe.Frame
	}
	s.feed(r, at(200*ms).open(5, 1*ms), at(300*ms))
	m := requestTimeline(t, s, "frame=1&loop=l")
	if m.Version != 1 || m.Run != s.run || m.Loop != "l" || m.Frame != 1 || m.Start != 10*ms || m.Took != (20*ms).Sub(0) || m.More+m.Still != 0 || m.Left+m.Lost != 0 {
		t.Errorf("%+v", m)
	}
	var got []string
	for _, l := range m.Lanes {
		got = append(got, fmt.Sprintf("%d %s %v %s", l.ID, l.Name, l.Own, l.Spans))
	}
	want(t, got,
		"5 lane 5 true [2,-9000000,null]",                       // the loop's own lane comes first; its span has not ended
		"3 lane 3 false [1,10000000,30000000]",                  // works longer than lane 7
		"7 lane 7 false [0,-5000000,7000000,0,3000000,1000000]") // a span that began before the frame
	if m := requestTimeline(t, s, "frame=1&loop=l&lane=7"); m.Lanes[1].ID != 7 {
		t.Errorf("lane 7 is asked for, lane %d is shown", m.Lanes[1].ID)
	}
}

func TestATimelineIsBounded(t *testing.T) {
	s := serve(t, Options{RecordBytes: -1})
	r := at(1000*ms).frame("l", 0, 900*ms)
	for lane := range 300 {
		for i := range clock.Instant(100) {
			r.span(lane, i*ms, i*ms+1000+clock.Instant(lane))
		}
	}
	s.feed(r, at(2000*ms), at(3000*ms))
	_, text := request(t, s, "GET", "spans?frame=1&lane=150", "")
	m := requestTimeline(t, s, "frame=1&lane=150")
	n := 0
	for _, l := range m.Lanes {
		n += strings.Count(string(l.Spans), ",")/3 + 1
	}
	if len(m.Lanes) != mostShown || m.More < 50 || m.Left != 30_000-mostSpans || m.Longest != 1000+300-mostSpans/100-1 {
		t.Errorf("%d lanes and %d more; %d spans left out that took up to %d ns", len(m.Lanes), m.More, m.Left, m.Longest)
	}
	if m.Lanes[0].ID != 150 || m.Lanes[1].ID != 299 || n != mostShown*100 {
		t.Errorf("%d spans, the first lanes are %d and %d", n, m.Lanes[0].ID, m.Lanes[1].ID)
	}
	if most := 40 * mostSpans; len(text) > most {
		t.Errorf("%d bytes, at most %d are allowed", len(text), most)
	}
}

func TestATimelineThatIsNotKeptHasAReason(t *testing.T) {
	s := serve(t, Options{RecordBytes: -1, StoreBytes: 100_000})
	for i := range clock.Instant(300) {
		r := at((i+1)*10*ms).frame("l", i*10*ms)
		for j := range clock.Instant(100) {
			r.span(0, i*10*ms+j*10_000, i*10*ms+j*10_000+5000)
		}
		s.feed(r)
	}
	head := `200 {"version":1,"run":"` + s.run + `","loop":"l",`
	for query, want := range map[string]string{
		"frame=270":        head + `"frame":270,"start_ns":2690000000,"duration_ns":10000000,"lanes":[{"id":0,"name":"lane 0","spans":[0,0,5000,0,10000,`,
		"frame=100":        head + `"frame":100,"reason":"the spans of this frame are no longer kept: live.Options.StoreBytes has room for those of the latest `,
		"frame=9999":       head + `"frame":9999,"reason":"this frame is not kept: only the latest frames and the 20 longest are"}`,
		"":                 "400 frame must be the number of a frame",
		"frame=x":          "400 frame must be the number of a frame",
		"frame=-1":         "400 frame must be the number of a frame",
		"frame=270&lane=y": "400 lane must be the number of a lane",
	} {
		a, text := request(t, s, "GET", "spans?"+query, "")
		if got := fmt.Sprintf("%d %s", a.StatusCode, text); !strings.HasPrefix(got, want) || strings.Count(got, "\n") != 1 {
			t.Errorf("%s: %.200s, want %s", query, got, want)
		}
	}
}

func TestTimelinesAreGuardedLikeEverything(t *testing.T) {
	s := serve(t, Options{RecordBytes: -1})
	s.feed(at(5).frame("l", 0, 3), at(10), at(20))
	for _, headers := range [][]string{{"Host", "evil.example"}, {"Origin", "http://evil.example"}, {"Sec-Fetch-Site", "cross-site"}} {
		if a, _ := request(t, s, "GET", "spans?frame=1", "", headers...); a.StatusCode != 421 && a.StatusCode != 403 {
			t.Errorf("%q: %s", headers, a.Status)
		}
	}
}

// A lane works in its outermost zones, except while it waits inside them.
func TestTheTimeThatALaneWorks(t *testing.T) {
	zones := []profile.ZoneInfo{{Name: "work"}, {Name: "wait", Wait: true}}
	paths := []pathNode{{0, -1, 0}, {0, 0, 1}, {0, 1, 0}, {0, 2, 1}, {0, -1, 1}, {0, -1, profile.Other}}
	var got []int
	for p := range paths {
		got = append(got, workOf(int32(p), paths, zones))
	}
	if !slices.Equal(got, []int{1, -1, 0, 0, 0, 1}) {
		t.Errorf("%v", got)
	}
}
