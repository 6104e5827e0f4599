// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/profile"
)

type chromeFile struct {
	TraceEvents []chromeEvent `json:"traceEvents"`
}

type chromeEvent struct {
	Ph, Name, Cat, S string
	Pid, Tid, ID     int
	Ts, Dur          json.Number
	Args             map[string]any
}

func readChrome(t testing.TB, timeline profile.Timeline) []chromeEvent {
	t.Helper()
	var b bytes.Buffer
	if err := WriteChrome(&b, timeline); err != nil {
		t.Fatal(err)
	}
	var f chromeFile
	d := json.NewDecoder(&b)
	d.UseNumber()
	if err := d.Decode(&f); err != nil {
		t.Fatalf("%v in %s", err, b.Bytes())
	}
	return f.TraceEvents
}

func TestChromeHoldsEveryEventExactly(t *testing.T) {
	in := game()
	got := map[string]int{}
	for _, e := range readChrome(t, in) {
		got[e.Ph]++
		switch {
		case e.Ph == "X" && e.Name == "collide" && e.Dur == "300.005":
			got["to the ns"]++
		case e.Ph == "X" && e.Cat == "wait" && e.Tid == 2:
			got["waits"]++
		case e.Name == "heap":
			got[string(e.Args["value"].(json.Number))]++
		case e.Ph == "M" && e.Args["name"] == "idle":
			t.Error("a lane without events has a thread")
		case e.Ph == "i":
			got[e.Name+" "+e.S]++
		}
	}
	want := map[string]int{"X": 14, "C": 3, "i": 6, "M": 6, "to the ns": 3, "waits": 2, "1.5": 1, "3": 1, "4.5": 1,
		"main loop t": 3, "level loaded t": 1, "autosave p": 1, "timeline taken g": 1}
	for k, n := range want {
		if got[k] != n {
			t.Errorf("%d of %q, want %d", got[k], k, n)
		}
	}
}

func TestLossAndNotesAreInTheFile(t *testing.T) {
	events := readChrome(t, game())
	last := events[len(events)-1]
	if last.Args["lost"] != json.Number("7") || last.Args["notes"].([]any)[0] != "an example" {
		t.Errorf("the last event carries %v", last.Args)
	}
}

func TestValuesThatAreNotNumbersAreLeftOut(t *testing.T) {
	zero := 0.0
	for _, v := range []float64{1 / zero, -1 / zero, zero / zero} {
		for _, e := range readChrome(t, profile.Timeline{Events: []profile.Event{{Lane: -1, Kind: profile.PlotEvent, Name: "p", Value: v}}}) {
			if e.Ph == "C" {
				t.Errorf("%v is written as %v", v, e.Args)
			}
		}
	}
}

func TestStringsSurviveAnyBytes(t *testing.T) {
	for _, s := range []string{"", "plain", `"\/`, "\x00\x1f\x7f\n\t", "</script><!--", "\u2028\u2029", "日本語 🎮", "\xff\xfe", "a\xe6\x97", "\xed\xa0\x80", "\u0085"} {
		b := appendString(nil, s)
		var back string
		if err := json.Unmarshal(b, &back); err != nil {
			t.Errorf("%q: %v in %s", s, err, b)
		}
		if !sameRunes(back, s) {
			t.Errorf("%q came back as %q", s, back)
		}
		if bytes.ContainsAny(b, "<>&\u2028\u2029\n\x00") {
			t.Errorf("%q is not safe within HTML: %s", s, b)
		}
	}
}

// sameRunes compares rune by rune: each byte that is no UTF-8 counts as U+FFFD.
func sameRunes(a, b string) bool { return string([]rune(a)) == string([]rune(b)) }

func TestMicrosecondsAreExact(t *testing.T) {
	for ns, want := range map[int64]string{0: "0.000", 1: "0.001", -1: "-0.001", 1234567: "1234.567", -1000: "-1.000",
		1<<63 - 1: "9223372036854775.807", -1 << 63: "-9223372036854775.808"} {
		if got := string(appendMicros(nil, ns)); got != want {
			t.Errorf("%d ns are %s us, want %s", ns, got, want)
		}
	}
}

func FuzzChrome(f *testing.F) {
	f.Add(uint64(1), "plain", "\"\\\x00")
	f.Add(uint64(2), "</script>", "\xff\u2028")
	f.Fuzz(func(t *testing.T, seed uint64, a, b string) {
		in := noise(seed, a, b)
		spans, marks := 0, 0
		for _, e := range in.Events {
			switch {
			case e.Kind == profile.SpanEvent:
				spans++
			case e.Kind == profile.TaskEvent || e.Kind == profile.LinkEvent:
			case e.Kind != profile.PlotEvent || finite(e.Value):
				marks++
			}
		}
		for _, e := range readChrome(t, in) {
			switch e.Ph {
			case "X":
				spans--
				if e.Dur[0] == '-' {
					t.Errorf("a span takes %s us", e.Dur)
				}
			case "i", "C":
				marks--
				named := func(name string) bool { return sameRunes(e.Name, name) || e.Name == plain.Name(name, plain.Longest) }
				if e.Cat != producer && !named(a) && !named(b) {
					t.Errorf("a mark is named %q", e.Name)
				}
			}
		}
		if spans != 0 || marks != -1 { // one more says when it was taken
			t.Errorf("%d spans and %d marks are missing", spans, marks+1)
		}
	})
}
