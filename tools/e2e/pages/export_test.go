// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	download "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"
	pprof "github.com/google/pprof/profile"
)

// exported is the content of a file of frames.
type exported struct {
	Program string
	Frames  []exportedFrame
}

type exportedFrame struct {
	Number   int
	Duration int `json:"duration_ns"`
	Paths    []struct {
		Lane  string
		Path  []string
		Calls int
		Total int `json:"total_ns"`
	}
}

// downloads lets the page save files, and returns a function that clicks a button of the menu and reads the resulting file.
func (p *page) downloads(t *testing.T) (file func(button, name string) []byte) {
	t.Helper()
	dir := t.TempDir()
	command(t, p, download.SetDownloadBehavior, download.SetDownloadBehaviorParams{Behavior: "allow", DownloadPath: dir, BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID})
	return func(button, name string) []byte {
		t.Helper()
		if !eval[bool](t, p, `document.getElementById("export").open`) {
			p.click(t, "#export summary")
		}
		p.do(t, chromedp.Click(chromedp.CSS(button)))
		path := filepath.Join(dir, name)
		var data []byte
		if !eventually(func() bool {
			data, _ = os.ReadFile(path)
			return len(data) > 0
		}) {
			t.Fatalf("no %s", name)
		}
		os.Remove(path) // the next may have the same name
		return data
	}
}

func readFrames(t *testing.T, data []byte) (list exported) {
	t.Helper()
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

func TestTheFramesInViewAreExported(t *testing.T) {
	_, p := stutter(t, fresh(t), 1280, 900, "light")
	file := p.downloads(t)
	p.press(t, " ")
	var n int
	fmt.Sscanf(p.text(t, "#scope"), "%d", &n)
	list := readFrames(t, file("#json", "flight-frames.json"))
	slow := slices.IndexFunc(list.Frames, func(f exportedFrame) bool { return f.Number == 401 })
	if list.Program != "flight" || len(list.Frames) != n || n < 500 || slow < 0 {
		t.Fatalf("%s: %d frames of %d, 401 is %d", list.Program, len(list.Frames), n, slow)
	}
	if f := list.Frames[slow].Paths[3]; f.Lane != "main" || strings.Join(f.Path, "/") != "update/ai/path" || f.Total != 41_200_000 {
		t.Errorf("frame 401: %+v", f)
	}
	if got := p.text(t, "#subject"); got != fmt.Sprintf("%d frames in view", n) {
		t.Errorf("the files are of %q", got)
	}
	if got := eval[string](t, p, `document.getElementById("chrome").href + document.getElementById("spans").textContent`); !regexp.MustCompile(`trace\?seconds=0&format=chrome&from=\d+&to=\d+Spans in this time$`).MatchString(got) {
		t.Errorf("the spans of the window are not offered: %q", got)
	}
	rows, err := csv.NewReader(strings.NewReader(string(file("#csv", "flight-frames.csv")))).ReadAll()
	if err != nil || len(rows) != n+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	at := slices.Index(rows[0], "update/ai/path ns")
	if at < 0 || rows[slow+1][0] != "401" || rows[slow+1][at] != "41200000" {
		t.Errorf("%q: %q", rows[0], rows[slow+1])
	}
	p.quiet(t)
}

// pathsOf returns calls and time by "lane: outer/inner", as in the frames.
func (e exported) pathsOf() (calls, total map[string]int) {
	calls, total = map[string]int{}, map[string]int{}
	for _, f := range e.Frames {
		for _, c := range f.Paths {
			key := c.Lane + ": " + strings.Join(c.Path, "/")
			calls[key] += c.Calls
			total[key] += c.Total
		}
	}
	return calls, total
}

// profiled returns the same for a profile, in which the time of a path is the sum of all samples at it and below.
func profiled(t *testing.T, data []byte) (p *pprof.Profile, calls, total map[string]int) {
	t.Helper()
	p, err := pprof.ParseData(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	calls, total = map[string]int{}, map[string]int{}
	for _, s := range p.Sample {
		key := s.Label["lane"][0] + ": "
		for k := len(s.Location) - 1; k >= 0; k-- {
			key += s.Location[k].Line[0].Function.Name
			total[key] += int(s.Value[1])
			if k == 0 {
				calls[key] += int(s.Value[0])
			}
			key += "/"
		}
	}
	return p, calls, total
}

func TestTheProfileOfARangeHasWhatItsFramesHave(t *testing.T) {
	_, p := stutter(t, fresh(t), 1280, 900, "light")
	file := p.downloads(t)
	agree := func(what string, frames int) *pprof.Profile {
		t.Helper()
		list := readFrames(t, file("#json", "flight-frames.json"))
		calls, total := list.pathsOf()
		profile, gotCalls, gotTotal := profiled(t, file("#profile", "flight-frames.pb.gz"))
		if len(total) != 7 || !maps.Equal(gotCalls, calls) || !maps.Equal(gotTotal, total) {
			t.Errorf("%s: the profile has %v and %v, the frames %v and %v", what, gotCalls, gotTotal, calls, total)
		}
		duration := 0
		for _, f := range list.Frames {
			duration += f.Duration
		}
		if len(list.Frames) < frames || profile.DurationNanos != int64(duration) {
			t.Errorf("%s: %d frames, %d ns of %d", what, len(list.Frames), profile.DurationNanos, duration)
		}
		return profile
	}
	agree("all in view", 550)
	p.drag(t, "#strip", 0.2, 0.9)
	profile := agree("a range", 400)
	if got := p.text(t, "#subject"); !regexp.MustCompile(`^4\d\d frames in the range$`).MatchString(got) {
		t.Errorf("the files are of %q", got)
	}
	if profile.DefaultSampleType != "self" || len(profile.Comments) != 2 || profile.Comments[1] != "the zone render is sampled: one in 8 calls is in this profile" {
		t.Errorf("%q, %q", profile.DefaultSampleType, profile.Comments)
	}
	for _, f := range profile.Function {
		if f.Name == "update" && (f.Filename != "world.go" || f.StartLine != 44) {
			t.Errorf("update is at %s:%d", f.Filename, f.StartLine)
		}
	}
	for _, s := range profile.Sample {
		if wait := s.Location[0].Line[0].Function.Name == "wait"; wait != (len(s.Label["kind"]) == 1) {
			t.Errorf("%v has the labels %v", s.Location[0].Line[0].Function.Name, s.Label)
		}
	}
	p.press(t, "w")
	profile, _, total := profiled(t, file("#profile", "flight-frames.pb.gz"))
	if got := p.text(t, "#subject"); got != "Frame 401" || total["main: update/ai/path"] != 41_200_000 || profile.Comments[0] != "1 frame of the loop frame, from number 401 to 401" {
		t.Errorf("of %s: %v, %q", got, total, profile.Comments)
	}
	p.quiet(t)
}
