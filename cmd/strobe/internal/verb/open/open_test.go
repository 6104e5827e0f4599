// SPDX-License-Identifier: BSD-3-Clause

package open

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	format "github.com/google/pprof/profile"

	"github.com/strobe-go/strobe/capture"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/trace"
)

func frames(_ *session.Session, file string, in io.Reader, w io.Writer) error {
	text, err := io.ReadAll(in)
	if err == nil && !bytes.HasPrefix(text, []byte("16\n")) {
		err = errors.New("no frame times")
	}
	io.WriteString(w, "<p>frames of "+file)
	return err
}

func verb() cli.Verb { return cli.Verb{Name: "open", Command: &Command{Frames: frames}} }

const hostile = `</script><script>document.title="owned"</script><img src=x>`

func marshal(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// recorded is a timeline of n frames of 100 ns with two spans each, one inside the other.
func recorded(n int) profile.Timeline {
	t := profile.Timeline{Zones: []profile.ZoneInfo{{Name: "outer", Every: 1}, {Name: hostile, Every: 1}},
		Lanes: []profile.TimelineLane{{LaneInfo: profile.LaneInfo{ID: 3, Name: "main"}}}}
	for i := range n {
		base := clock.Instant(1000 + 100*i)
		t.Events = append(t.Events,
			profile.Event{Kind: profile.FrameEvent, Lane: -1, Zone: -1, Path: -1, Start: base, Name: "loop"},
			profile.Event{Kind: profile.SpanEvent, Zone: 1, Path: -1, Depth: 1, Start: base + 20, Took: time.Duration(10 + i%50)},
			profile.Event{Kind: profile.SpanEvent, Zone: 0, Path: -1, Start: base + 10, Took: 80})
	}
	return t
}

// measured is a snapshot of two zones, one inside the other.
func measured() profile.Snapshot {
	return profile.Snapshot{Elapsed: time.Second, Zones: []profile.ZoneInfo{{Name: "request", Root: true, Every: 1}, {Name: hostile, Every: 1}},
		Lanes: []profile.LaneStats{{LaneInfo: profile.LaneInfo{ID: 1, Name: "main"},
			Zones: []profile.ZoneStats{{Zone: 0, Calls: 3, Timed: 3, Total: 60e6, Self: 40e6, Sum: 60e6}, {Zone: 1, Calls: 6, Timed: 6, Total: 20e6, Self: 20e6, Sum: 20e6}},
			Nodes: profile.Tree{{Parent: -1, Zone: 0, Calls: 3, Total: 60e6, Self: 40e6}, {Parent: 0, Zone: 1, Calls: 6, Total: 20e6, Self: 20e6}}}},
		Units: []profile.UnitStats{{Zone: 0, Calls: 3, Rate: 3, Max: 30e6}}, Notes: []string{"a note"}}
}

func captured(t testing.TB) string {
	t.Helper()
	var b bytes.Buffer
	if err := capture.Write(&b, capture.Report{Schema: capture.Schema, Root: "request", Unit: "span", Took: 69e6, Cause: capture.Lock, Where: "main.save (store.go:41)"}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func chrome(t testing.TB) string {
	t.Helper()
	var b strings.Builder
	if err := trace.WriteChrome(&b, recorded(5)); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A writer keeps what is written, and tells the first address in it.
type writer struct {
	mu   sync.Mutex
	text strings.Builder
	url  chan string
}

var address = regexp.MustCompile(`http://127\.0\.0\.1:\d+/`)

func (w *writer) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text.Write(p)
	if url := address.FindString(w.text.String()); url != "" {
		select {
		case w.url <- url:
		default:
		}
	}
	return len(p), nil
}

// opened opens a file and calls look with the address, and returns what was printed when the verb has been interrupted.
func opened(t *testing.T, file string, look func(url string), flags ...string) (out, errout string, code int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var o = writer{url: make(chan string, 1)}
	var e bytes.Buffer
	ended := make(chan int, 1)
	go func() {
		ended <- cli.Run(ctx, []cli.Verb{verb()}, append([]string{"open", file}, flags...), strings.NewReader(""), &o, &e)
	}()
	select {
	case url := <-o.url:
		look(url)
		cancel()
		code = <-ended
	case code = <-ended:
	}
	return o.text.String(), e.String(), code
}

func get(t *testing.T, url string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		}
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(text)
}

func TestHelp(t *testing.T) { clitest.Help(t, verb(), 40) }

// What a file is, its content says: the names here say nothing.
func TestEveryKindOfFileIsShown(t *testing.T) {
	report := `<!doctype html><html><head><meta name="generator" content="strobe v1"></head><p>of another verb`
	for _, c := range []struct{ kind, text, want string }{
		{"capture", captured(t), "main.save (store.go:41)"},
		{"report", report, "of another verb"},
		{"timeline", marshal(t, recorded(5)), "10 spans on 1 lane."},
		{"timeline", "\ufeff" + chrome(t), "10 spans on 1 lane."},
		{"timeline", `[{"ph":"B","name":"f","ts":1},{"ph":"B","name":"g","ts":2},{"ph":"E","ts":3},{"ph":"E","ts":4},{"ph":"B","name":"open","ts":5}]`, "2 spans on 1 lane."},
		{"snapshot", marshal(t, measured()), "&lt;/script&gt;"},
		{"snapshot", `{"version":1,"program":"server","time":"2026-01-02T03:04:05Z","snapshot":` + marshal(t, measured()) + "}", "server: 1 s of measuring"},
		{"profile", profiled(t, sampled()), "30 s"},
		{"profile", packed(t, profiled(t, sampled())), "\\u003c/script\\u003e"},
		{"snapshot", packed(t, marshal(t, measured())), "&lt;/script&gt;"},
		{"frame times", "16\n17\n", "frames of "},
	} {
		file := clitest.Write(t, "file", c.text)
		out, errout, code := opened(t, file, func(url string) {
			resp, page := get(t, url)
			if resp.StatusCode != http.StatusOK || !strings.Contains(page, c.want) {
				t.Errorf("%s: %s, no %q", c.kind, resp.Status, c.want)
			}
			if n := strings.Count(page, `document.title="owned"</script>`); n > 0 {
				t.Errorf("%s: a name runs", c.kind)
			}
			policy := resp.Header.Get("Content-Security-Policy")
			if foreign := strings.HasPrefix(policy, "sandbox"); foreign != (c.kind == "report") || !strings.Contains(policy, "default-src 'none'") {
				t.Errorf("%s: policy %q", c.kind, policy)
			}
		}, "--no-browser")
		if code != session.Interrupted || errout != "" || !strings.HasPrefix(out, file+" is a "+c.kind+"\n") {
			t.Errorf("%s: exit %d, %q, %q", c.kind, code, out, errout)
		}
	}
}

func TestWhatCannotBeShownIsExplained(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "it is empty"},
		{"<html><p>hello", "strobe did not write"},
		{"\x1f\x8b\x08 a profile", "it is compressed, and damaged"},
		{packed(t, strings.Repeat("\x00", 1<<20))[:500], "it is compressed, and damaged"},
		{profiled(t, lacking()), "damaged profile"},
		{profiled(t, &format.Profile{SampleType: sampled().SampleType}), "without samples"},
		{profiled(t, difference()), "difference of profiles"},
		{"go 1.26 trace\x00\x00\x00", "go tool trace"},
		{`[{"ph":"E","ts":3}]`, "nothing is recorded"},
		{"\x0a\x05\x00\x01\x02", "ui.perfetto.dev"},
		{"{", "it is damaged"},
		{`{"lanes":[{"nodes":[{"parent":7,"zone":0}]}]}`, "refers to a zone or a path"},
		{`{"lanes":[],"events":[]}`, "nothing is recorded"},
		{`{"lanes":[],"events":[{"kind":"span","lane":4}]}`, "its event 0"},
		{`{"lanes":[],"events":[{"kind":"dance"}]}`, "it is damaged"},
		{`{"traceEvents":[{"ph":"X","ts":1e300}]}`, "out of range"},
		{strings.Replace(captured(t), `"schema":1`, `"schema":99`, 1), "newer version"},
		{"hello", "no frame times"},
	} {
		file := clitest.Write(t, "file", c.text)
		out, errout, code := opened(t, file, func(string) {}, "--no-browser")
		if code != session.Usage || out != "" || !strings.Contains(errout, "cannot show "+file+": ") || !strings.Contains(errout, c.want) || strings.Count(errout, "\n") != 1 {
			t.Errorf("%.40q: exit %d, %q", c.text, code, errout)
		}
	}
	if _, errout, code := clitest.Run(t, verb(), "", "open", filepath.Join(t.TempDir(), "none")); code != session.Usage || !strings.Contains(errout, "does not exist") {
		t.Errorf("exit %d, %q", code, errout)
	}
}

func TestOnlyThisMachineMayAsk(t *testing.T) {
	file := clitest.Write(t, "file", marshal(t, recorded(5)))
	opened(t, file, func(url string) {
		for _, c := range []struct {
			path   string
			header []string
			status int
		}{
			{"", []string{"Host", "evil.example"}, http.StatusMisdirectedRequest},
			{"", []string{"Origin", "http://evil.example"}, http.StatusForbidden},
			{"spans?from=0&to=9", []string{"Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
			{"other", nil, http.StatusNotFound},
			{"spans?from=9&to=0", nil, http.StatusBadRequest},
			{"spans?from=x&to=0", nil, http.StatusBadRequest},
			{"spans?from=0&to=9", nil, http.StatusOK},
		} {
			if resp, _ := get(t, url+c.path, c.header...); resp.StatusCode != c.status {
				t.Errorf("%s with %q: %s, want %d", c.path, c.header, resp.Status, c.status)
			}
		}
	}, "--no-browser")
}

func TestJSONSaysWhereThePageIs(t *testing.T) {
	out, _, _ := opened(t, clitest.Write(t, "file", captured(t)), func(string) {}, "--no-browser", "--json")
	var o openObject
	if err := json.Unmarshal([]byte(out), &o); err != nil || o.Schema != 1 || o.Kind != "capture" || address.FindString(o.URL) != o.URL {
		t.Errorf("%v, %s", err, out)
	}
}

func TestTheBrowserIsOpenedWhereThereIsAScreen(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("the browser is not opened by a program that a script could stand for")
	}
	dir := t.TempDir()
	trail := filepath.Join(dir, "opened")
	for _, name := range []string{"xdg-open", "open"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho \"$1\" >"+trail+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	t.Setenv("DISPLAY", ":0")
	file := clitest.Write(t, "file", captured(t))
	_, errout, _ := opened(t, file, func(url string) {
		var text []byte
		for end := time.Now().Add(time.Minute); len(text) == 0 && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			text, _ = os.ReadFile(trail)
		}
		if string(text) != url+"\n" {
			t.Errorf("opened %q, not %q", text, url)
		}
	})
	if errout != "" {
		t.Errorf("%q", errout)
	}
	t.Setenv("PATH", t.TempDir())
	if _, errout, _ := opened(t, file, func(string) {}); !strings.Contains(errout, "cannot open the browser") {
		t.Errorf("%q", errout)
	}
}

// A stretch of time has the longest spans, and counts the others.
func TestZoomShowsMore(t *testing.T) {
	const n = 6000
	x, err := newTimeline(recorded(n))
	if err != nil {
		t.Fatal(err)
	}
	count := func(s stretch) (spans int) {
		for _, l := range s.Lanes {
			for _, row := range l.Rows {
				spans += len(row) / 3
			}
		}
		return spans
	}
	whole := x.within(0, x.took)
	if got := count(whole); got != mostSpans || whole.Left != 2*n-mostSpans+n-mostMarks {
		t.Errorf("%d spans, %d left", got, whole.Left)
	}
	for _, row := range whole.Lanes[0].Rows[:1] {
		for k := 2; k < len(row); k += 3 {
			if row[k] != 80 {
				t.Fatalf("a span of %d ns is among the longest", row[k])
			}
		}
	}
	part := x.within(1000, 1999)
	if got := count(part); got != 20 || part.Left != 0 || len(part.Marks) != 1 || len(part.Marks[0].At) != 10 {
		t.Errorf("%+v", part)
	}
}

func TestSpansOfChromesFormatLieInEachOther(t *testing.T) {
	got, err := readChrome([]byte(`{"traceEvents":[
		{"ph":"M","name":"thread_name","pid":1,"tid":7,"args":{"name":"main"}},
		{"ph":"X","name":"inner","pid":1,"tid":7,"ts":2,"dur":3}, {"ph":"X","name":"outer","pid":1,"tid":7,"ts":1,"dur":9},
		{"ph":"X","name":"after","pid":1,"tid":7,"ts":10,"dur":1}, {"ph":"X","name":"alone","pid":1,"tid":8,"ts":3,"dur":1},
		{"ph":"i","name":"loop","cat":"frame","pid":1,"tid":0,"ts":4}]}`))
	if err != nil {
		t.Fatal(err)
	}
	depths := make(map[string]int)
	for _, e := range got.Events {
		if e.Kind == profile.SpanEvent {
			depths[got.Zones[e.Zone].Name] = e.Depth
		}
	}
	if depths["outer"] != 0 || depths["inner"] != 1 || depths["after"] != 0 || depths["alone"] != 0 || got.Lanes[0].Name != "main" || got.Events[4].Kind != profile.FrameEvent {
		t.Errorf("%v, %+v", depths, got)
	}
}

// Whatever the file is, it is shown or refused.
func FuzzFiles(f *testing.F) {
	f.Add(captured(f))
	f.Add(marshal(f, recorded(2)))
	f.Add(chrome(f))
	f.Add(marshal(f, measured()))
	f.Add(profiled(f, sampled()))
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		file := filepath.Join(dir, "file")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var e bytes.Buffer
		x, err := (&Command{File: file, Frames: frames}).read(&session.Session{Ctx: t.Context(), Err: &e})
		if err == nil && len(x.page) == 0 {
			t.Error("an empty page")
		}
		if err == nil && x.more != nil {
			x.more.within(-5, x.more.took/2)
		}
	})
}
