// SPDX-License-Identifier: BSD-3-Clause

package strobevictoria

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/profile"
)

func lines(t *testing.T, s profile.Snapshot, labels map[string]string) []string {
	t.Helper()
	var text bytes.Buffer
	if err := Write(&text, s, labels); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
}

func TestCallsAreInTheRangesOfTheirDurations(t *testing.T) {
	z := strobe.NewZone(`with "quotes" \`)
	for range 10 {
		z.Add(0)
	}
	for i := range 1000 {
		z.Add(time.Duration(i+1) * time.Millisecond)
	}
	strobe.NewZone("never entered")
	strobe.Frame("main")
	bucket := regexp.MustCompile(`^strobe_zone_duration_seconds_bucket\{zone="with \\"quotes\\" \\\\",vmrange="([^"]*)\.\.\.([^"]*)",run="7"\} (\d+)$`)
	count, calls, frames, last := 0, 0.0, 0.0, 0.0
	for _, line := range lines(t, strobe.TakeSnapshot(), map[string]string{"run": "7"}) {
		if !strings.Contains(line, `run="7"`) {
			t.Errorf("without the label: %s", line)
		}
		_, v, _ := strings.Cut(line, "} ")
		value, err := strconv.ParseFloat(v, 64)
		if err != nil {
			t.Error(err)
		}
		switch m := bucket.FindStringSubmatch(line); {
		case m != nil:
			lo, _ := strconv.ParseFloat(m[1], 64)
			hi, _ := strconv.ParseFloat(m[2], 64)
			n, _ := strconv.Atoi(m[3])
			if lo < last*(1-1e-6) || hi <= lo {
				t.Errorf("%s after %v", line, last)
			}
			last = hi
			count += n
			if lo > 0 && math.Abs(hi/lo-math.Pow(2, 1.0/16)) > 1e-5 {
				t.Errorf("%s is not a 16th of an octave", line)
			}
			// A cell of the profiler is as wide as a range, and overlaps two of them.
			if want := (hi - lo) * 1000; lo > 0.02 && hi < 0.9 && math.Abs(float64(n)-want) > 0.3*want+2 {
				t.Errorf("%s, want about %.0f", line, want)
			}
		case strings.HasPrefix(line, "strobe_zone_duration_seconds_count") && strings.Contains(line, "quotes"):
			calls = value
		case strings.HasPrefix(line, "strobe_frames_total"):
			frames = value
		case strings.Contains(line, "never entered") && value != 0:
			t.Error(line)
		}
	}
	if count != 1010 || calls != 1010 || frames != 1 {
		t.Errorf("%d calls in the ranges, %v in all, %v frames", count, calls, frames)
	}
}

func TestItIsSaidThatMeasuringIsOff(t *testing.T) {
	for line, s := range map[string]profile.Snapshot{`strobe_enabled{run="7"} 1`: {}, `strobe_enabled{run="7"} 0`: {Zones: []profile.ZoneInfo{{Every: -1}}}} {
		if all := lines(t, s, map[string]string{"run": "7"}); all[len(all)-1] != line {
			t.Errorf("%q, want %s at the end", all, line)
		}
	}
	if all := lines(t, profile.Snapshot{}, nil); all[len(all)-1] != "strobe_enabled{} 1" {
		t.Errorf("without labels: %q", all)
	}
}

func TestLabelsThatCannotBeAreRefused(t *testing.T) {
	for name, want := range map[string]string{"zone": "reserved", "vmrange": "reserved", "a b": "invalid name", "1a": "invalid name", "": "invalid name"} {
		err := Write(new(bytes.Buffer), profile.Snapshot{}, map[string]string{name: "x"})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestPushSaysWhatTheServerSaid(t *testing.T) {
	var got string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Method + " " + r.URL.Path
		if r.Header.Get("Content-Type") == "" || r.ContentLength == 0 {
			http.Error(w, "nothing came", http.StatusBadRequest)
			return
		}
		if strings.HasPrefix(r.URL.Path, "/full") {
			http.Error(w, "no room", http.StatusInsufficientStorage)
			return
		}
		w.WriteHeader(http.StatusNoContent)
	}))
	defer s.Close()
	snapshot := profile.Snapshot{Frames: []profile.FrameStats{{Name: "main", Turns: 7}}}
	if err := Push(context.Background(), s.URL, snapshot, nil); err != nil || got != "POST /api/v1/import/prometheus" {
		t.Errorf("%v after %s", err, got)
	}
	if err := Push(context.Background(), s.URL+"/full/", snapshot, nil); err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("a server without room: %v", err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if err := Push(ended, s.URL, snapshot, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
	if err := Push(context.Background(), "://", snapshot, nil); err == nil {
		t.Error("a URL that is none")
	}
}

func ExampleWrite() {
	var text bytes.Buffer
	s := profile.Snapshot{Frames: []profile.FrameStats{{Name: "main", Turns: 7}}}
	if err := Write(&text, s, map[string]string{"job": "bench"}); err != nil {
		panic(err)
	}
	fmt.Print(text.String())
	// Output: strobe_frames_total{loop="main",job="bench"} 7
	// strobe_enabled{job="bench"} 1
}
