// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/profile"
)

func written(t testing.TB, r Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func parsed(t testing.TB, file string) Report {
	t.Helper()
	r, err := Parse([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The test of the page in a browser, in tools/e2e/pages, reads it from the file that this variable names.
func TestAFileHoldsItsReport(t *testing.T) {
	file := written(t, made())
	if name := os.Getenv("STROBE_CAPTURE"); name != "" {
		if err := os.WriteFile(name, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := parsed(t, file); !reflect.DeepEqual(got, made()) {
		t.Errorf("%+v\nbecame\n%+v", made(), got)
	}
	bare := Report{Schema: Schema, Root: "loop", Unit: "frame", At: made().At, Took: ms}
	if got := parsed(t, written(t, bare)); !reflect.DeepEqual(got, bare) {
		t.Errorf("%+v\nbecame\n%+v", bare, got)
	}
}

// What is not in a script is shown without one.
func TestTheSentenceAndTheAccountNeedNoScript(t *testing.T) {
	page, _, _ := strings.Cut(written(t, made()), "<script")
	for _, want := range []string{"<h1>" + made().String() + "</h1>", "move fsync out", ">lock<", "58 ms", "store.go:41", "/cart", "switch records are refused", "main.render (render.go:12)</th><td>2<", "8 of 12 slow ones of request were explained", "events of the flight recorder have taken some 3 %"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q without a script", want)
		}
	}
}

func TestSmallPartsAreOneRow(t *testing.T) {
	r := made()
	r.Account = append(r.Account, Part{Cause: Preempted, Took: 5000, Zone: "tiny"}, Part{Cause: Own, Took: 2000})
	if page := written(t, r); !strings.Contains(page, "2 smaller parts</th><td></td><td data-title=\"This time\">7 µs") || strings.Contains(page, "<td class=\"where\" data-title=\"Where\">zone tiny") {
		t.Error("no row for both")
	}
	r.Account = r.Account[:5]
	if page := written(t, r); strings.Contains(page, "smaller part") || !strings.Contains(page, "<td class=\"where\" data-title=\"Where\">zone tiny") {
		t.Error("a single one has no row of its own")
	}
	r.Account[4].Usual = ms // and this time it was quick
	r.Account = append(r.Account, Part{Cause: Own, Took: 2000}, Part{Cause: GC, Took: 1})
	if page := written(t, r); !strings.Contains(page, "<td class=\"where\" data-title=\"Where\">zone tiny") || !strings.Contains(page, "2 smaller parts") {
		t.Error("a part that usually takes long has no row")
	}
}

func TestAFileOfATrustedProgramCannotBeMadeToRunCode(t *testing.T) {
	const evil = "</script><script>alert(1)</script><img src=x onerror=alert(1)><!--\u2028`${1}{{data}}"
	r := made()
	fill(reflect.ValueOf(&r).Elem(), evil)
	r.Evidence.Unit.Tree = made().Evidence.Unit.Tree
	file, plain := written(t, r), written(t, made())
	for _, tag := range []string{"<script", "</script", "<img", "<!--"} {
		if n, want := strings.Count(file, tag), strings.Count(plain, tag); n != want {
			t.Errorf("%d of %s, without hostile texts %d", n, tag, want)
		}
	}
	if got := parsed(t, file); !reflect.DeepEqual(got, r) {
		t.Errorf("%+v\nbecame\n%+v", r, got)
	}
}

// fill sets all strings in a value.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Pointer:
		fill(v.Elem(), text)
	case reflect.Slice:
		for i := range v.Len() {
			fill(v.Index(i), text)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type() != reflect.TypeFor[time.Time]() {
				fill(v.Field(i), text)
			}
		}
	}
}

// large is a report with n entries in each list of its evidence.
func large(n int) Report {
	r := made()
	e := r.Evidence
	name := strings.Repeat("a long name ", 10)
	for i := range n {
		from := time.Duration(i) * ms
		took := time.Duration(1+i*7919%n) * 1000
		e.Unit.Spans = append(e.Unit.Spans, profile.UnitSpan{Lane: i % 9, Zone: i % 3, Depth: 1 + i%7, Start: e.Unit.Start, Took: took})
		e.Unit.Tree = append(e.Unit.Tree, profile.Node{Parent: i, Zone: i % 3, Calls: 1, Total: took, Self: took})
		e.Zones = append(e.Zones, profile.ZoneInfo{Name: fmt.Sprint("zone", i), Every: 1})
		e.Tracks[0].States = append(e.Tracks[0].States, State{From: from, To: from + took, State: "waiting", Reason: "sync", Where: name, ByWhere: name, By: 35})
		e.Ranges = append(e.Ranges, Range{From: from, To: from + took, Name: name})
		e.Off = append(e.Off, Off{From: from, To: from + took, Thread: int64(i)})
		e.Samples = append(e.Samples, Sample{At: from, Stack: []string{name, name, name}})
	}
	return r
}

func TestTheLargestFileHas300kB(t *testing.T) {
	const n = 2000
	r := large(n)
	before, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	file := written(t, r)
	got := parsed(t, file)
	e := got.Evidence
	if len(file) > mostBytes || e == nil {
		t.Fatalf("%d bytes, evidence %v", len(file), e != nil)
	}
	t.Logf("%d bytes of JSON became a file of %d", len(before), len(file))
	if left := len(e.Unit.Spans) + int(e.Unit.Left); left != len(r.Evidence.Unit.Spans) {
		t.Errorf("%d spans are shown or counted, of %d", left, len(r.Evidence.Unit.Spans))
	}
	rest, all := e.Left, 0
	for i, k := range []*Evidence{e, r.Evidence} {
		n := len(k.Tracks[0].States) + len(k.Tracks[1].States) + len(k.Ranges) + len(k.Off) + len(k.Samples)
		if i == 0 {
			rest += n
		} else {
			all = n
		}
	}
	if rest != all {
		t.Errorf("%d entries are shown or counted, of %d", rest, all)
	}
	if len(e.Unit.Spans) == 0 || len(e.Tracks[0].States) == 0 || len(e.Ranges) == 0 {
		t.Error("a list is empty")
	}
	if !strings.Contains(file, "shorter spans are left out") {
		t.Error("the page does not say that something is missing")
	}
	if after, _ := json.Marshal(r); !bytes.Equal(before, after) {
		t.Error("writing changed the report")
	}
}

func TestAFileKeepsTheLongestEntries(t *testing.T) {
	e := large(100).Evidence
	shortest := shorter(e)
	for n := 0; n < 100 && shortest != nil && len(shortest.Ranges) > 2; n++ {
		shortest = shorter(shortest)
	}
	if shortest == nil || len(shortest.Ranges) == 0 {
		t.Fatal("nothing is left")
	}
	longest := time.Duration(0)
	for _, r := range e.Ranges {
		longest = max(longest, r.To-r.From)
	}
	found := false
	for _, r := range shortest.Ranges {
		found = found || r.To-r.From == longest
	}
	if !found {
		t.Errorf("the longest, %v, is not among %v", longest, shortest.Ranges)
	}
	for i, n := range shortest.Unit.Tree {
		if n.Parent >= i {
			t.Errorf("node %d is in %d", i, n.Parent)
		}
	}
}

func TestAReportThatIsTooLongIsAnError(t *testing.T) {
	r := made()
	r.Next = strings.Repeat("x", mostBytes)
	var b bytes.Buffer
	if err := Write(&b, r); err == nil || b.Len() > 0 {
		t.Errorf("%v, %d bytes", err, b.Len())
	}
}

func TestParseRefusesWhatIsNoCaptureInOneLine(t *testing.T) {
	file := written(t, made())
	for _, c := range []struct{ name, file, why string }{
		{"nothing", "", "it has no report"},
		{"another page", "<!doctype html><p>hello", "it has no report"},
		{"cut off", file[:strings.Index(file, begins)+200], "its end is missing"},
		{"damaged", strings.Replace(file, `"schema":1,`, `"schema":1,,`, 1), "damaged"},
		{"of another type", begins + `[1]` + ends, "damaged"},
		{"newer", strings.Replace(file, `"schema":1,`, `"schema":2,`, 1), "newer version"},
		{"without a schema", begins + `{}` + ends, "no schema"},
		{"with an unknown cause", strings.Replace(file, `"cause":"lock"`, `"cause":"lo\ncks"`, 1), "damaged"},
		{"too long", strings.Repeat("x", mostParsed+1), "bytes"},
	} {
		_, err := Parse([]byte(c.file))
		if err == nil || !strings.Contains(err.Error(), c.why) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// Whatever Parse accepts can be shown and kept.
func FuzzParse(f *testing.F) {
	text, err := json.Marshal(made())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Add(`{"schema":1,"evidence":{"unit":{"tree":[{"parent":5,"zone":9}],"zone":-7},"tracks":[{}]}}`)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := Parse([]byte(begins + text + ends))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Write(&b, r); err != nil {
			return // too long, or a time that JSON does not have
		}
		if _, err := Parse(b.Bytes()); err != nil {
			t.Errorf("%v in what was written of %q", err, text)
		}
	})
}

func BenchmarkWrite(b *testing.B) {
	for _, c := range []struct {
		name string
		r    Report
	}{{"usual", made()}, {"large", large(400)}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if err := Write(io.Discard, c.r); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestWhatIsUsualIsNoZeroWhereItIsUnknown(t *testing.T) {
	r := Report{Took: 69 * time.Millisecond, Usual: 9 * time.Millisecond, Account: []Part{{Cause: Lock, Took: 58 * time.Millisecond}, {Cause: Own, Took: 11 * time.Millisecond}}}
	if text := r.usual(0); text != "" {
		t.Errorf("no ordinary unit was accounted for, and %q is usual", text)
	}
	r.Account[1].Usual = 9 * time.Millisecond
	if text := r.usual(0); text == "" {
		t.Error("nothing is shown for a part that ordinary units do not have")
	}
}
