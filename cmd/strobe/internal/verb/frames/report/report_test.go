// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/frames"
	"github.com/strobe-go/strobe/internal/page"
	"github.com/strobe-go/strobe/stat"
)

func pageOf(t *testing.T, captures ...frames.Capture) Page {
	t.Helper()
	p := Page{Version: "v1"}
	o := frames.Options{Resamples: 100}
	for _, c := range captures {
		r, err := frames.Analyze(c, o)
		if err != nil {
			t.Fatal(err)
		}
		p.Captures = append(p.Captures, Capture{c, r})
	}
	if len(captures) > 1 {
		cmp, err := frames.Compare(captures[0], []frames.Capture{captures[1]}, o)
		if err != nil {
			t.Fatal(err)
		}
		p.Comparisons = []Comparison{{0, 1, cmp[0]}}
	}
	return p
}

func render(t *testing.T, p Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func noise(n int, mean float64) []float64 {
	r := rand.New(rand.NewPCG(uint64(n), uint64(mean)))
	x := make([]float64, n)
	for i := range x {
		x[i] = math.Max(0.5, mean+r.NormFloat64())
	}
	return x
}

// The elements of the page do not depend on the names in a capture.
func TestNamesAreTextAndNothingElse(t *testing.T) {
	const evil = `</script><script>alert(1)</script><img src=x onerror=alert(1)>"'&{{.}}` + "\u2028`${1}"
	count := func(p Page) []int {
		text := render(t, p)
		if strings.Contains(text, "<img") || strings.Contains(text, "alert(1)</script>") {
			t.Error("a name is part of the page")
		}
		return []int{strings.Count(text, "<script"), strings.Count(text, "</script>"), strings.Count(text, "<td"), strings.Count(text, "<svg")}
	}
	tame := frames.Capture{File: "f", Process: "p", Format: frames.FormatCSV, Column: "c", Frames: noise(50, 16), Info: map[string]string{"k": "v"}, Notes: []string{"n"}}
	wild := frames.Capture{File: evil, Process: evil, Format: frames.FormatCSV, Column: evil, Frames: noise(50, 16), Info: map[string]string{evil: evil}, Notes: []string{evil}}
	other := frames.Capture{File: "o", Process: "o", Frames: noise(60, 12)}
	want, got := count(pageOf(t, tame, other)), count(pageOf(t, wild, other))
	for i := range want {
		if got[i] < want[i] || got[i] > want[i]+strings.Count(evil, "zzz") {
			t.Errorf("elements %v with a hostile name, %v otherwise", got, want)
		}
	}
}

func TestTheBodyHasNoStyleOrHandlerOfItsOwn(t *testing.T) {
	text := render(t, pageOf(t, frames.Capture{File: "f", Frames: noise(50, 16)}))
	if m := regexp.MustCompile(` (style|src|href|on[a-z]+)="`).FindAllString(text, -1); len(m) > 0 {
		t.Errorf("%q, which the page's policy forbids", m)
	}
}

func TestDataOfThePageIsWhatWasCaptured(t *testing.T) {
	c := frames.Capture{File: "f", Frames: []float64{10, 20, 30.5}}
	text := render(t, pageOf(t, c))
	raw := regexp.MustCompile(`<script type="application/json" id="data">(.*)</script>`).FindStringSubmatch(text)
	if raw == nil {
		t.Fatal("no data")
	}
	var d data
	if err := json.Unmarshal([]byte(raw[1]), &d); err != nil {
		t.Fatal(err)
	}
	if got := decoded(t, d.Captures[0].Channels[0].Values); len(got) != 3 || got[2] != 30.5 {
		t.Errorf("frames %v", got)
	}
	if got := decoded(t, d.Captures[0].Channels[0].Times); len(got) != 3 || got[1] != float32(0.01) || got[2] != float32(0.03) {
		t.Errorf("times %v", got)
	}
}

func decoded(t *testing.T, text string) []float32 {
	t.Helper()
	raw, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float32, len(raw)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return out
}

// Stamps are interpreted as the beginnings or the ends of frames, whichever agrees with the frame times.
func TestTimesAreBeginnings(t *testing.T) {
	x := []float64{10, 30, 20, 40}
	for name, starts := range map[string][]float64{"beginnings": {0, 10, 40, 60}, "ends": {0, 30, 50, 90}, "none": nil, "back in time": {0, 10, 5, 60}} {
		got := slices.Collect(times(Capture{Capture: frames.Capture{Frames: x, Starts: starts}}))
		for i, want := range []float64{0, 0.01, 0.04, 0.06} {
			if len(got) != len(x) || math.Abs(got[i]-want) > 1e-12 {
				t.Errorf("%s: %v", name, got)
				break
			}
		}
	}
}

func TestThinningKeepsExtremesAndOrder(t *testing.T) {
	x := noise(1000, 16)
	x[501], x[777] = 99, 0.25
	tt := make([]float64, len(x))
	for i := range tt {
		tt[i] = float64(i)
	}
	a, b := thin(slices.Values(tt), x, len(x), 100)
	if len(a) > 110 || len(a) < 90 || len(a) != len(b) {
		t.Fatalf("%d points", len(a))
	}
	high, low := false, false
	for i := range a {
		high, low = high || a[i] == 501 && b[i] == 99, low || a[i] == 777 && b[i] == 0.25
		if i > 0 && a[i] < a[i-1] {
			t.Errorf("out of order at %d", i)
		}
	}
	if !high || !low {
		t.Error("an extreme is lost")
	}
	if at, same := thin(slices.Values(tt), x, len(x), 1000); !slices.Equal(at, tt) || !slices.Equal(same, x) {
		t.Error("thinned without need")
	}
}

// Thinning keeps the least and the greatest of each group of known points, in their order, and leaves out frames without a value.
func TestThinningLooksAtKnownPoints(t *testing.T) {
	times := func(yield func(float64) bool) {
		for i := 0; yield(float64(i)); i++ {
		}
	}
	x := []float32{5, -1, 7, 6, -1, 9, 9, 8, 3, 3, 3, -1, 4}
	// The ten points are in groups of ceil(2*10/7) = 3: 5 7 6, 9 9 8, 3 3 3, 4.
	at, values := thin(times, x, 10, 7)
	if want := []float64{0, 2, 5, 7, 8, 8, 12, 12}; !slices.Equal(at, want) {
		t.Errorf("times %v, want %v", at, want)
	}
	if want := []float64{5, 7, 9, 8, 3, 3, 4, 4}; !slices.Equal(values, want) {
		t.Errorf("values %v, want %v", values, want)
	}
	at, values = thin(times, x, 10, 10)
	if len(at) != 10 || at[1] != 2 || values[9] != 4 {
		t.Errorf("all points: %v, %v", at, values)
	}
	if got := begin(times, []int{0, 3, 12}); !slices.Equal(got, []float64{0, 3, 12}) {
		t.Errorf("frames begin at %v", got)
	}
}

func TestHistogramAndQuantilesHoldAllFrames(t *testing.T) {
	sorted := [][]float64{{5}, {1, 1, 1, 1}, {2, 3, 4, 500}, sortedNoise(5000)}
	for i := range sorted {
		for _, some := range [][][]float64{sorted[i : i+1], sorted[:i+1]} {
			h, q := histogramOf(some), quantilesOf(some)
			if len(h.Edges) < 2 || len(h.Edges) > 2*bins {
				t.Errorf("%d edges", len(h.Edges))
			}
			for k, shares := range h.Shares {
				sum := 0.0
				for _, s := range shares {
					sum += s
				}
				if math.Abs(sum-100) > 1e-4 {
					t.Errorf("%v: shares add up to %v", some[k], sum)
				}
				if n, last := len(some[k]), q.X[k][len(q.X[k])-1]; last != page.Rounded(some[k][n-1]) {
					t.Errorf("the curve ends at %v, the longest frame is %v", last, some[k][n-1])
				}
				for j := 1; j < len(q.X[k]); j++ {
					if q.X[k][j] < q.X[k][j-1] {
						t.Errorf("the curve falls")
					}
				}
			}
		}
	}
}

// A few very long frames do not compress the rest of the histogram, but are mentioned; a second peak is visible.
func TestHistogramsEndWhereNearlyAllFramesAre(t *testing.T) {
	hitches, doubled := make([]float64, 2000), make([]float64, 2000)
	for i := range hitches {
		hitches[i] = 7 + 2*float64(i)/2000
		doubled[i] = 16.7
		if i >= 1990 {
			hitches[i] = 70
		}
		if i >= 1940 {
			doubled[i] = 33.3
		}
	}
	h := histogramOf([][]float64{hitches})
	full := 0
	for _, s := range h.Shares[0][:len(h.Edges)-1] {
		if s > 0.2 {
			full++
		}
	}
	if end := h.Edges[len(h.Edges)-1]; end > 20 || full < len(h.Edges)/4 || h.Longer[0] != 0.5 {
		t.Errorf("to %v ms, %d of %d bins are used, %v %% are longer", end, full, len(h.Edges), h.Longer)
	}
	h = histogramOf([][]float64{doubled, hitches})
	if end := h.Edges[len(h.Edges)-1]; end < 33.3 || h.Longer[0] != 0 || h.Longer[1] != 0.5 {
		t.Errorf("to %v ms, %v %% are longer", end, h.Longer)
	}
}

func sortedNoise(n int) []float64 {
	x := noise(n, 16)
	for i := 1; i < n; i++ {
		for j := i; j > 0 && x[j] < x[j-1]; j-- {
			x[j], x[j-1] = x[j-1], x[j]
		}
	}
	return x
}

func TestBoundsNeverShowTheFigureOutside(t *testing.T) {
	for _, c := range []struct {
		unit           frames.Unit
		center, lo, hi float64
		want           string
	}{
		{frames.FPS, 286.324, 285.812, 286.841, "[285.8, 286.8]"},
		{frames.FPS, 63.38, 0, 64.4, "[0, 64]"},
		{frames.FPS, 98.56, 84.2, 119.4, "[84, 119]"},
		{frames.Milliseconds, 10.1465, 8.4, 11.9, "[8.4, 11.9]"},
		{frames.Share, 0.0003, 0.00024, 0.00047, "[0.024, 0.047] %"},
		{frames.NoUnit, 0.26, 0.26, 0.26, "[0.2600, 0.2600]"},
	} {
		got := Bounds(c.unit, stat.Interval{Center: c.center, Lo: c.lo, Hi: c.hi, Level: 0.95})
		if got != c.want {
			t.Errorf("%v: %s, want %s", c, got, c.want)
		}
	}
	effective := frames.Difference{Value: -3430.0681, Interval: stat.Point(-3430.0681, 9, "", "it is itself a measure of uncertainty")}
	above := stat.Interval{Center: 1.1641, Lo: 0.02, Hi: 2.31, Level: 0.95}
	for got, want := range map[string]string{
		Change(effective): "-3430",
		Change(frames.Difference{Unit: frames.Milliseconds, Value: 1.1641, Interval: above}):                                                  "+1.2 ms",
		DifferenceBounds(frames.Difference{Unit: frames.Milliseconds, Value: 1.1641, Interval: above}):                                        "[+0.02, +2.3]",
		Value(frames.Metric{Unit: frames.FPS, Value: 98.5604, Text: "98.6", Interval: stat.Interval{Lo: 84, Hi: 119, Level: 0.95}}):           "99 fps",
		Value(frames.Metric{Unit: frames.FPS, Value: 98.5604, Text: "98.6"}):                                                                  "98.6 fps",
		Value(frames.Metric{Unit: frames.FPS, Value: 98.5604, Text: "98.6", Interval: stat.Interval{Lo: 98.1, Hi: math.Inf(1), Level: 0.95}}): "98.6 fps",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := Bounds(frames.FPS, stat.Interval{}); got != "" {
		t.Errorf("no interval reads %q", got)
	}
}

// The page does not show the folders of files, unless requested.
func TestFilesAreNamedWithoutTheirFolders(t *testing.T) {
	a := frames.Capture{File: "/home/somebody/old/1.csv", Process: "p", Frames: noise(50, 16)}
	b := frames.Capture{File: "/home/somebody/new/1.csv", Process: "p", Frames: noise(60, 12)}
	p := pageOf(t, a, b)
	if text := render(t, p); strings.Contains(text, "somebody") || !strings.Contains(text, "old/1.csv") || !strings.Contains(text, "new/1.csv less old/1.csv") {
		t.Error("folders are shown, or the files cannot be told apart")
	}
	p.Paths = true
	if text := render(t, p); !strings.Contains(text, "/home/somebody/new/1.csv") {
		t.Error("no folders")
	}
}

// grouped returns a page with two groups of two runs each.
func grouped(t *testing.T) Page {
	t.Helper()
	p := Page{Version: "v1"}
	for k, name := range []string{"old", "<b>new"} {
		g := frames.Group{Name: name}
		for i := range 2 {
			g.Runs = append(g.Runs, frames.Capture{File: "f", Frames: noise(400, float64(16-4*k+i))})
		}
		r, err := frames.AnalyzeGroup(g, frames.Options{Resamples: 20})
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Runs {
			p.Captures = append(p.Captures, Capture{g.Runs[i], r.Runs[i]})
		}
		p.Groups = append(p.Groups, Group{r, []int{2 * k, 2*k + 1}})
	}
	p.GroupComparisons = []GroupComparison{{0, 1, p.Groups[0].Compare(p.Groups[1].GroupReport)}}
	return p
}

func TestGroupsHaveBarsAColourAndDifferences(t *testing.T) {
	p := grouped(t)
	d := dataOf(p, p.named())
	if len(d.Bars.Rows) != 2 || len(d.Bars.Figures) != 3 || d.Bars.Rows[1].Name != "<b>new" || len(d.Changes) != 1 || len(d.Groups) != 2 {
		t.Fatalf("%+v", d.Bars)
	}
	for k, r := range d.Bars.Rows {
		if b := r.Bars[0]; b.Value != page.Rounded(p.Groups[k].Figures[0].Value) || !(b.Lo < b.Value && b.Value < b.Hi) || !strings.HasPrefix(b.Text, "6") && !strings.HasPrefix(b.Text, "8") {
			t.Errorf("%+v", b)
		}
	}
	for i, c := range d.Captures {
		if c.Colour != i/2 {
			t.Errorf("run %d has the colour %d", i, c.Colour)
		}
	}
	text := render(t, p)
	if !strings.Contains(text, "&lt;b&gt;new less old") || !strings.Contains(text, "&lt;b&gt;new, run 2") || strings.Contains(text, "<b>new") {
		t.Error("groups are not named")
	}
}

func TestColumnsBesideFrameTimesArePlotted(t *testing.T) {
	c := frames.Capture{File: "f", Frames: []float64{10, 20, 30}, GPUBusy: []float32{9, -1, 28}, Latency: []float32{40, 41, 42}, LatencyColumn: "MsUntilDisplayed"}
	p := pageOf(t, c, frames.Capture{File: "g", Frames: noise(40, 16)})
	d := dataOf(p, p.named())
	if len(d.Channels) != 3 || len(d.Captures[1].Channels) != 3 || d.Captures[1].Channels[1].Values != "" {
		t.Fatalf("%+v", d.Channels)
	}
	gpu := d.Captures[0].Channels[1]
	if x, at := decoded(t, gpu.Values), decoded(t, gpu.Times); len(x) != 2 || x[1] != 28 || at[1] != float32(0.03) || gpu.Whole || gpu.Longest != 28 {
		t.Errorf("GPU busy %v at %v", x, at)
	}
	if text := render(t, p); !strings.Contains(text, "GPU busy") || !strings.Contains(text, "mean of MsUntilDisplayed") {
		t.Error("no figures of the columns")
	}
}

func TestPointsAreSharedAmongCaptures(t *testing.T) {
	for _, c := range []struct {
		lengths []int
		most    int
	}{{[]int{10, 20}, math.MaxInt}, {[]int{1000, 0, 1000}, 500}, {[]int{100, 5000, 5000}, 450}, {make([]int, 3), math.MaxInt}} {
		if got := share(c.lengths, 1000); got != c.most {
			t.Errorf("%v: %d points each, want %d", c.lengths, got, c.most)
		}
	}
}

// The page of a million frames, and of many captures, has at most 3 MB.
func TestAPageIsNeverLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("analyzes a million frames")
	}
	column := func(n int) []float32 { return make([]float32, n) }
	long := Page{Version: "v1"}
	many := Page{Version: "v1"}
	add := func(p *Page, c frames.Capture) {
		r, err := frames.Analyze(c, frames.Options{Resamples: -1})
		if err != nil {
			t.Fatal(err)
		}
		p.Captures = append(p.Captures, Capture{c, r})
	}
	add(&long, frames.Capture{File: "f", Frames: noise(1_000_000, 8), GPUBusy: column(1_000_000), Latency: column(1_000_000)})
	for range 20 {
		add(&many, frames.Capture{File: "f", Frames: noise(40_000, 8), GPUBusy: column(40_000)})
	}
	for name, p := range map[string]Page{"a million frames": long, "twenty captures": many} {
		if n := len(render(t, p)); n > 3<<20 || n < 1<<20 {
			t.Errorf("%s: %d bytes", name, n)
		}
	}
}

func TestScenesAreMarked(t *testing.T) {
	p := pageOf(t, frames.Capture{Frames: slices.Concat(noise(1000, 10), noise(1000, 20))}, frames.Capture{Frames: noise(2000, 10)})
	d := dataOf(p, p.named())
	if at := d.Captures[0].Scenes; len(at) != 1 || at[0] < 9.8 || at[0] > 10.2 {
		t.Errorf("scenes begin at %v s, want about 10", at)
	}
	if at := d.Captures[1].Scenes; len(at) != 0 {
		t.Errorf("one scene begins at %v s", at)
	}
}

func TestBarsShowBoundsOnEitherSide(t *testing.T) {
	above := barOf(50, stat.Interval{Lo: math.Inf(-1), Hi: 60, Level: 0.95})
	if above.Lo != 0 || above.Hi != 60 || !strings.HasSuffix(above.Text, "at most 60") {
		t.Errorf("%+v", above)
	}
	below := barOf(50, stat.Interval{Lo: 40, Hi: math.Inf(1), Level: 0.95})
	if below.Lo != 40 || below.Hi != 50 || !strings.HasSuffix(below.Text, "at least 40") {
		t.Errorf("%+v", below)
	}
}
