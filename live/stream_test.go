// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package live

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

var (
	zTurn = strobe.NewZone("turn of a test")
	zStep = strobe.NewZone("step of a test")
)

// turn runs a loop in the background until the end of the test. Each iteration has two steps.
func turn(t testing.TB, name string) {
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		lane := strobe.NewLane("lane of " + name)
		defer lane.Close()
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
			strobe.Frame(name)
			s := lane.Enter(zTurn)
			lane.Enter(zStep).Exit()
			lane.Enter(zStep).Exit()
			s.Exit()
			if i%10 == 0 {
				strobe.Plot("tenths", float64(i)/10)
				strobe.Message("turn " + strconv.Itoa(i))
			}
		}
	}()
	t.Cleanup(func() { close(stop); wg.Wait() })
}

func TestAViewerSeesTheFramesOfALoop(t *testing.T) {
	s := serve(t, Options{Budget: time.Second / 60})
	turn(t, "seen")
	until(watch(t, s, "?loop=seen"), "hello", func(h hello) bool { return slices.Contains(h.Loops, "seen") })
	c := watch(t, s, "?loop=seen")
	h := until(c, "hello", always[hello])
	if h.Version != 1 || h.Run != s.run || h.Loop != "seen" || h.Slice != 0 || h.Budget != time.Second/60 || !h.Enabled || h.Record <= 0 || h.PID == 0 || h.Program == "" {
		t.Errorf("hello: %+v", h)
	}
	paths := map[int64][4]int32{}
	lanes, plots, texts, full, last := map[string]bool{}, 0, 0, 0, int64(0)
	for full < 20 || plots == 0 || texts == 0 {
		f := until(c, "frames", always[framesData])
		for _, l := range f.Lanes {
			lanes[l[1].(string)] = true
		}
		for _, p := range f.Paths {
			paths[int64(p[0])] = p
		}
		plots, texts = plots+len(f.Plots), texts+len(f.Texts)
		if f.Runtime != nil && len(f.Runtime) != 5 {
			t.Fatalf("runtime: %v", f.Runtime)
		}
		for _, x := range f.Frames {
			if len(x)%3 != 0 || x[2] < 0 || x[0] <= last && !f.Backlog {
				t.Fatalf("a frame %v after number %d", x, last)
			}
			last = x[0]
			var turns, steps, inTurn, inSteps int64
			for p := x[3:]; len(p) > 0; p = p[3:] {
				of, found := paths[p[0]]
				if !found {
					t.Fatalf("the frame %v has a path that was not sent", x)
				}
				switch h.Zones[of[3]].Name {
				case "turn of a test":
					turns, inTurn = turns+p[1], inTurn+p[2]
				case "step of a test":
					steps, inSteps = steps+p[1], inSteps+p[2]
					if parent := paths[int64(of[2])]; h.Zones[parent[3]].Name != "turn of a test" || parent[1] != of[1] {
						t.Fatalf("a step lies in %v", parent)
					}
				}
			}
			if turns == 1 && steps == 2 {
				full++
			} else if turns > 1 || steps > 2 {
				t.Errorf("%d turns and %d steps in the frame %v", turns, steps, x)
			}
			if inTurn > x[2] || inSteps > inTurn {
				t.Errorf("%d ns in steps, %d ns in turns, in a frame of %d ns", inSteps, inTurn, x[2])
			}
		}
	}
	if !lanes["lane of seen"] {
		t.Errorf("lanes: %v", lanes)
	}
	st := until(c, "state", func(s stateMessage) bool { return s.Rate != nil && s.P99 > 0 })
	if st.Viewers < 1 || st.Memory <= 0 || len(st.Totals) == 0 || st.Low1 <= 0 {
		t.Errorf("state: %+v", st)
	}
	snap := strobe.TakeSnapshot()
	zone, _ := snap.Zone("turn of a test")
	st = until(c, "state", func(s stateMessage) bool { return s.At > snap.At+clock.Instant(stateEvery) }) // not the first
	i := slices.IndexFunc(st.Totals, func(x [5]*int64) bool { return *x[0] == int64(zone) })
	if before := snap.Totals()[zone]; i < 0 || *st.Totals[i][1] < int64(before.Calls) || *st.Totals[i][2] < int64(before.Total) || *st.Totals[i][3] > *st.Totals[i][2] || *st.Totals[i][4] < int64(before.Sum) {
		t.Errorf("totals %v, after a snapshot with %d calls and %v", st.Totals, before.Calls, before.Total)
	}
}

func TestAViewerThatReconnectsGoesOnWhereItWas(t *testing.T) {
	s := serve(t, Options{})
	turn(t, "resumed")
	c := watch(t, s, "?loop=resumed")
	until(c, "hello", func(h hello) bool { return h.Loop == "resumed" })
	until(c, "frames", func(f framesData) bool { return len(f.Frames) > 0 && f.Frames[len(f.Frames)-1][0] > 50 })
	m, _ := c.next()
	c.close()
	_, number, _ := strings.Cut(m.id, ":")
	last, err := strconv.ParseInt(number, 10, 64)
	if err != nil || !strings.HasPrefix(m.id, s.run+":") {
		t.Fatalf("id %q", m.id)
	}
	paths := 0
	f := until(watch(t, s, "?loop=resumed", "Last-Event-ID", m.id), "frames", func(f framesData) bool {
		paths += len(f.Paths)
		return len(f.Frames) > 0
	})
	if f.Frames[0][0] != last+1 || paths == 0 {
		t.Errorf("frame %d follows %d; %d paths", f.Frames[0][0], last, paths)
	}
	for _, id := range []string{"another:30", s.run + ":x", s.run + ":99999999999", s.run + ":-1", ":", "x"} {
		f := until(watch(t, s, "?loop=resumed", "Last-Event-ID", id), "frames", func(f framesData) bool { return len(f.Frames) > 0 })
		s.collector.mu.Lock()
		latest := int64(s.collector.model.find("resumed").next)
		s.collector.mu.Unlock()
		if f.Frames[0][0] > max(last, latest-backlogFrames) {
			t.Errorf("%q: begins with frame %d", id, f.Frames[0][0])
		}
	}
}

func TestALoopThatDoesNotExistIsTheDefault(t *testing.T) {
	s := serve(t, Options{})
	turn(t, "only")
	c := watch(t, s, "?loop=none&rate=5")
	if h := until(c, "hello", func(h hello) bool { return len(h.Loops) > 0 }); h.Loop != h.Loops[0] {
		t.Errorf("%+v", h)
	}
}

func TestCommandsAreCarriedOut(t *testing.T) {
	s := serve(t, Options{})
	turn(t, "commanded")
	zone := slices.IndexFunc(strobe.TakeSnapshot().Zones, func(z profile.ZoneInfo) bool { return z.Name == "step of a test" })
	c := watch(t, s, "?loop=commanded")
	do := func(text string) {
		t.Helper()
		if a, why := request(t, s, "POST", "command", text, "Content-Type", "application/json"); a.StatusCode != 204 {
			t.Fatalf("%s: %s: %s", text, a.Status, why)
		}
	}
	defer strobe.SetEnabled(true)
	defer zStep.SetSampling(1)
	do(fmt.Sprintf(`{"zone":%d,"every":64}`, zone))
	until(c, "hello", func(h hello) bool { return len(h.Zones) > zone && h.Zones[zone].Every == 64 })
	do(fmt.Sprintf(`{"zone":%d,"every":1}`, zone))
	until(c, "hello", func(h hello) bool { return h.Zones[zone].Every == 1 })
	do(`{"enabled":false}`)
	until(c, "hello", func(h hello) bool { return !h.Enabled })
	do(`{"enabled":true}`)
	until(c, "hello", func(h hello) bool { return h.Enabled })
	do(`{"record_bytes":0}`)
	until(c, "hello", func(h hello) bool { return h.Record == 0 })
	until(c, "state", func(m stateMessage) bool {
		return slices.ContainsFunc(m.Notes, func(n string) bool { return strings.Contains(n, "nothing is recorded") })
	})
	do(`{"record_bytes":1048576}`)
	until(c, "hello", func(h hello) bool { return h.Record == 1<<20 })
	f := until(c, "frames", func(f framesData) bool { return len(f.Frames) > 0 })
	do(`{"reset":true}`)
	after := until(watch(t, s, "?loop=commanded"), "frames", func(f framesData) bool { return len(f.Frames) > 0 })
	if after.Frames[0][0] <= f.Frames[0][0] {
		t.Errorf("after a reset the first frame is %d; before it came %d", after.Frames[0][0], f.Frames[0][0])
	}
	strobe.Record(0)
}

func TestATraceHoldsTheSpansOfItsTime(t *testing.T) {
	s := serve(t, Options{})
	turn(t, "traced")
	until(watch(t, s, "?loop=traced"), "frames", func(f framesData) bool { return len(f.Frames) > 10 })
	before := clock.Now()
	var tl strobe.Timeline
	for n := 0; len(tl.Events) == 0; n++ { // on a busy machine nothing may happen in that time
		_, text := request(t, s, "GET", "trace?seconds=0.1&format=json", "")
		if err := json.Unmarshal([]byte(text), &tl); err != nil || n == 100 {
			t.Fatalf("%v: %.200q", err, text)
		}
	}
	for _, e := range tl.Events {
		if e.Start+clock.Instant(e.Took) < before {
			t.Fatalf("%+v ended before the request, at %d", e, before)
		}
	}
	first, last := tl.Events[0].Start, tl.Events[0].Start
	for _, e := range tl.Events {
		first, last = min(first, e.Start), max(last, e.Start)
	}
	mid := first + (last-first)/2 + 1
	_, text := request(t, s, "GET", fmt.Sprintf("trace?format=json&from=%d&to=%d", first, mid), "")
	part := strobe.Timeline{}
	if err := json.Unmarshal([]byte(text), &part); err != nil || len(part.Events) == 0 {
		t.Errorf("of a range: %v: %.200q", err, text)
	}
	for _, e := range part.Events {
		if e.Start >= mid || e.Start+clock.Instant(e.Took) < first {
			t.Errorf("%+v is not in the range from %d to %d", e, first, mid)
		}
	}
	lasted, began := clock.Now(), time.Now()
	for n := 0; ; n++ { // the latest spans, without all those before
		_, text := request(t, s, "GET", fmt.Sprintf("trace?format=json&last=%g", time.Since(began).Seconds()), "")
		late := strobe.Timeline{}
		if err := json.Unmarshal([]byte(text), &late); err != nil || n == 1000 {
			t.Fatalf("the last seconds: %v: %.200q", err, text)
		}
		for _, e := range late.Events {
			if e.Start+clock.Instant(e.Took) < lasted-1e6 { // two clocks
				t.Fatalf("%+v ended before %d", e, lasted)
			}
		}
		if len(late.Events) > 0 {
			break
		}
	}
	for _, path := range []string{"trace", "trace?seconds=0.2&format=chrome", "trace?seconds=0.2&format=perfetto", "trace?format=json", "trace?seconds=0.2&format=json"} {
		before := time.Now()
		a, text := request(t, s, "GET", path, "")
		for n := 0; n < 100 && !strings.Contains(text, "turn of a test"); n++ {
			before = time.Now()
			a, text = request(t, s, "GET", path, "")
		}
		if a.StatusCode != 200 || !strings.Contains(text, "turn of a test") {
			t.Errorf("%s: %s: %.200q", path, a.Status, text)
		}
		if strings.Contains(path, "0.2") && time.Since(before) < 200*time.Millisecond {
			t.Errorf("%s came after %v", path, time.Since(before))
		}
		if !strings.HasSuffix(path, "json") {
			continue
		}
		var tl strobe.Timeline
		if err := json.Unmarshal([]byte(text), &tl); err != nil || len(tl.Events) == 0 {
			t.Errorf("%s: %v, %d events", path, err, len(tl.Events))
		}
	}
	strobe.Record(0)
	if a, text := request(t, s, "GET", "trace", ""); a.StatusCode != 400 || !strings.Contains(text, "nothing is recorded") {
		t.Errorf("without a recording: %s: %s", a.Status, text)
	}
}

func TestAProfileOfSecondsHoldsOnlyThose(t *testing.T) {
	s := serve(t, Options{})
	lane := strobe.NewLane("early")
	defer lane.Close()
	lane.Enter(strobe.NewZone("long before")).Exit()
	turn(t, "profiled")
	until(watch(t, s, "?loop=profiled"), "frames", func(f framesData) bool { return len(f.Frames) > 0 })
	for path, want := range map[string]bool{"profile": true, "profile?seconds=0.05": false} {
		_, packed := request(t, s, "GET", path, "")
		z, err := gzip.NewReader(strings.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(z)
		if err != nil || strings.Contains(string(text), "long before") != want || want && !strings.Contains(string(text), "turn of a test") {
			t.Errorf("%s: %v, %q", path, err, text)
		}
	}
}

func TestTheBacklogIsTheLongestFramesThenTheLatest(t *testing.T) {
	m := newModel(1 << 30)
	v := &viewer{c: &collector{model: m}, news: make(chan struct{}, 1)}
	r, now := at(0), clock.Instant(1)
	for i := range backlogFrames + 500 {
		r.frame("l", now)
		now += 10
		if i == 7 || i == 9 {
			now += 1000
		}
	}
	r.t.At = now
	m.play(r, at(now+1), at(now+2))
	var got []int64
	for more, messages := true, 0; more; messages++ {
		var b []byte
		b, more = v.messages(nil)
		for _, f := range framesIn(t, b) {
			if !f.Backlog || len(f.Frames) > batch {
				t.Errorf("backlog %v, %d frames", f.Backlog, len(f.Frames))
			}
			for _, x := range f.Frames {
				got = append(got, x[0])
			}
		}
		if messages > 2*backlogFrames/batch {
			t.Fatal("it does not end")
		}
	}
	last := int64(m.loops[0].next) - 1
	if !slices.Contains(got[:worstKept], 8) || !slices.Contains(got[:worstKept], 10) || got[0] > got[1] {
		t.Errorf("the longest are not first: %d", got[:worstKept])
	}
	for i, n := range got[len(got)-backlogFrames:] {
		if want := last - backlogFrames + 1 + int64(i); n != want {
			t.Fatalf("frame %d in place of %d", n, want)
		}
	}
	m.play(at(now+20).frame("l", now+15), at(now+30))
	b, more := v.messages(nil)
	if f := framesIn(t, b); more || len(f) != 1 || f[0].Backlog || len(f[0].Frames) != 1 || f[0].Frames[0][0] != last+1 {
		t.Errorf("then %+v", f)
	}
	if b, _ := v.messages(nil); len(b) != 0 {
		t.Errorf("when there is nothing new: %q", b)
	}
}

// A viewer that was too slow gets the latest frames, and a gap.
func TestASlowViewerGetsTheLatestFrames(t *testing.T) {
	m := newModel(1 << 30)
	v := &viewer{c: &collector{model: m}, news: make(chan struct{}, 1)}
	m.play(at(0).frame("l", 0), at(1))
	b, _ := v.messages(nil)
	if !strings.HasPrefix(string(b), "event: hello\n") {
		t.Fatalf("%.100q", b)
	}
	r := at(100_000)
	for i := range 5000 {
		r.frame("l", clock.Instant(10+i))
	}
	m.play(r, at(200_000))
	b, more := v.messages(nil)
	f := framesIn(t, b)[0]
	if n := len(f.Frames); more || n != mostFrames || uint64(f.Frames[n-1][0]) != m.loops[0].next-1 {
		t.Errorf("%d frames, the latest %d", n, f.Frames[n-1][0])
	}
}

func TestCloseEndsStreamsAndLeavesNoGoroutine(t *testing.T) {
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	before := runtime.NumGoroutine()
	s := New(Options{})
	if err := s.Listen("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	c := watch(t, s, "")
	until(c, "hello", always[hello])
	closed := make(chan error)
	go func() { closed <- s.Close() }()
	until(c, "bye", func(struct{}) bool { return true })
	if _, ok := c.next(); ok {
		t.Error("a message after bye")
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	c.close()
	if strobe.Recording() != 0 {
		t.Error("it still records")
	}
	for range 10_000 { // the goroutines of the client may end a moment later
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	stacks := make([]byte, 1<<16)
	t.Errorf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), stacks[:runtime.Stack(stacks, true)])
}

func TestARecordingThatWasOnStaysOn(t *testing.T) {
	strobe.Record(1 << 20)
	defer strobe.Record(0)
	s := New(Options{})
	if strobe.Recording() != 1<<20 {
		t.Errorf("%d bytes", strobe.Recording())
	}
	s.Close()
	if strobe.Recording() != 1<<20 {
		t.Errorf("%d bytes after Close", strobe.Recording())
	}
	strobe.Record(0)
	s = New(Options{RecordBytes: -1})
	defer s.Close()
	if strobe.Recording() != 0 {
		t.Errorf("%d bytes though it was told to leave it", strobe.Recording())
	}
}

func TestAServerThatClosesLeavesTheRecordingOfOthers(t *testing.T) {
	strobe.Record(0)
	defer strobe.Record(0)
	first := New(Options{RecordBytes: 1 << 20})
	second := serve(t, Options{RecordBytes: 1 << 20})
	turn(t, "still recorded")
	first.Close()
	c := watch(t, second, "?loop=still+recorded")
	f := until(c, "frames", func(f framesData) bool { return !f.Backlog && len(f.Frames) > 0 })
	until(c, "frames", func(later framesData) bool { return len(later.Frames) > 0 && later.Frames[0][0] > f.Frames[0][0] })
	strobe.Record(1 << 20) // a recording of the program's own, of the same size
	second.Close()
	if strobe.Recording() != 1<<20 {
		t.Errorf("after the last Close %d bytes are left of the program's recording", strobe.Recording())
	}
}

func TestTheLongestFramesAreKeptWhileNobodyIsWatching(t *testing.T) {
	s := serve(t, Options{})
	strobe.Frame("unwatched")
	time.Sleep(30 * time.Millisecond) // longer than any other
	turn(t, "unwatched")
	for n := 0; n < 200; time.Sleep(time.Millisecond) { // readings are a second apart
		s.collector.mu.Lock()
		n = len(s.collector.model.find("unwatched").latest)
		s.collector.mu.Unlock()
	}
	f := until(watch(t, s, "?loop=unwatched"), "frames", func(f framesData) bool { return len(f.Frames) > 0 })
	if !f.Backlog || !slices.ContainsFunc(f.Frames, func(x []int64) bool { return x[2] >= int64(30*time.Millisecond) }) {
		t.Errorf("backlog %v, %d frames, none of them long", f.Backlog, len(f.Frames))
	}
}

func TestReadingsAreNotTakenMoreOftenThanForViewers(t *testing.T) {
	s := serve(t, Options{})
	start := time.Now()
	var first, last int64
	for i := range 300 {
		a, err := http.Get(s.URL() + "events")
		if err != nil {
			t.Fatal(err)
		}
		io.ReadFull(a.Body, make([]byte, 10))
		a.Body.Close()
		s.collector.mu.Lock()
		if last = int64(s.collector.readings); i == 0 {
			first = last
		}
		s.collector.mu.Unlock()
	}
	if most := int64(time.Since(start)/(time.Second/fastest)) + 2; last-first > most {
		t.Errorf("%d readings in %v", last-first, time.Since(start))
	}
}
