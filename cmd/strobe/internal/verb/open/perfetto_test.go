// SPDX-License-Identifier: BSD-3-Clause

package open

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/trace"
)

// everything is a timeline with each kind of event, on two lanes.
func everything() profile.Timeline {
	t := profile.Timeline{At: 5000, Lost: 7, Notes: []string{hostile},
		Zones: []profile.ZoneInfo{{Name: "request", Root: true, Where: "main.go:3", Every: 1}, {Name: hostile, Every: 1}, {Name: "lock", Wait: true, Every: 1}},
		Lanes: []profile.TimelineLane{{LaneInfo: profile.LaneInfo{ID: 3, Name: "main"}}, {LaneInfo: profile.LaneInfo{ID: 4, Name: "idle"}}, {LaneInfo: profile.LaneInfo{ID: 9, Name: "g21"}}}}
	span := func(lane, zone, depth int, start clock.Instant, took time.Duration) {
		t.Events = append(t.Events, profile.Event{Kind: profile.SpanEvent, Lane: lane, Zone: zone, Path: -1, Depth: depth, Start: start, Took: took})
	}
	mark := func(kind profile.Kind, lane int, at clock.Instant, name string) *profile.Event {
		t.Events = append(t.Events, profile.Event{Kind: kind, Lane: lane, Zone: -1, Path: -1, Start: at, Name: name})
		return &t.Events[len(t.Events)-1]
	}
	span(0, 2, 2, 1300, 100)
	span(0, 1, 1, 1200, 300)
	span(0, 2, 1, 1600, 50)
	span(0, 0, 0, 1100, 700)
	span(2, 1, 0, 1250, 900)
	mark(profile.FrameEvent, 0, 1150, "loop")
	mark(profile.FrameEvent, 0, 1850, "loop")
	mark(profile.MessageEvent, -1, 1700, "level loaded")
	mark(profile.NoteEvent, 0, 1120, "route").Text = "/index"
	mark(profile.PlotEvent, -1, 1000, "heap").Value = 1.5
	mark(profile.TaskEvent, 0, 1130, "").Task = 5
	mark(profile.LinkEvent, 2, 1250, "").Task = 5
	return t
}

// written is a timeline in a format of package trace.
func written(t testing.TB, write func(io.Writer, profile.Timeline) error, of profile.Timeline) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b, of); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// seen is what the page shows of a timeline, with names in place of indices.
func seen(t testing.TB, text string) string {
	t.Helper()
	x, err := readTimeline([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%v, %d lost, %q\n", x.took, x.Lost, x.Notes)
	s := x.within(0, x.took)
	for _, l := range s.Lanes {
		for depth, row := range l.Rows {
			fmt.Fprintf(&b, "%s, depth %d:", l.Name, depth)
			for ; len(row) > 0; row = row[3:] {
				z := x.Zones[row[0]]
				fmt.Fprintf(&b, " %q wait=%v %d+%d", z.Name, z.Wait, row[1], row[2])
			}
			b.WriteByte('\n')
		}
	}
	for _, m := range s.Marks {
		fmt.Fprintf(&b, "%s: %v %q\n", m.Name, m.At, m.Texts)
	}
	for i := range x.Events {
		if e := &x.Events[i]; e.Kind == profile.NoteEvent || e.Kind == profile.PlotEvent {
			fmt.Fprintf(&b, "%v %s = %q %v\n", e.Kind, e.Name, e.Text, e.Value)
		}
	}
	return b.String()
}

func TestATimelineIsTheSameInAllFormats(t *testing.T) {
	want := seen(t, marshal(t, everything()))
	if !strings.Contains(want, `main, depth 2: "lock" wait=true 300+100`) || !strings.Contains(want, "frames of loop: [150 850]") {
		t.Fatal(want)
	}
	for name, write := range map[string]func(io.Writer, profile.Timeline) error{"Chrome": trace.WriteChrome, "Perfetto": trace.WritePerfetto} {
		if got := seen(t, written(t, write, everything())); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", name, got, want)
		}
	}
}

// Wherever a trace for Perfetto is cut off, it is shown as far as it goes, with a note, or refused in one line.
func TestATraceThatIsCutOffIsShownAsFarAsItGoes(t *testing.T) {
	whole := written(t, trace.WritePerfetto, everything())
	ends := make(map[int]bool) // of packets
	for rest := whole; rest != ""; {
		f, after := nextField([]byte(rest))
		if f.bytes == nil {
			t.Fatal("no packet")
		}
		rest = string(after)
		ends[len(whole)-len(rest)] = true
	}
	shown := 0
	for part := 1; part < len(whole); part++ {
		x, err := readTimeline([]byte(whole[:part]))
		switch {
		case err == nil && !ends[part]:
			t.Errorf("%d bytes: half a packet is shown", part)
		case err == nil:
			shown++
			if len(x.Notes) != 1 || !strings.Contains(x.Notes[0], "cut off") {
				t.Errorf("%d bytes: notes %q", part, x.Notes)
			}
		case ends[part] && !strings.Contains(err.Error(), "nothing is recorded"), !ends[part] && part > 100 && !strings.Contains(err.Error(), "damaged"),
			strings.Contains(err.Error(), "\n"):
			t.Errorf("%d bytes: %v", part, err)
		}
	}
	if shown < 10 {
		t.Errorf("shown %d times", shown)
	}
	begun := 0
	for end := range ends {
		x, err := readTimeline([]byte(whole[:end]))
		if err != nil {
			continue
		}
		for _, e := range x.Events {
			if e.Open {
				begun++
				if e.Start.Add(e.Took).Sub(x.start) > x.took {
					t.Errorf("a span that was cut off lasts until %v of %v", e.Start.Add(e.Took).Sub(x.start), x.took)
				}
			}
		}
	}
	if begun == 0 {
		t.Error("no span was cut off")
	}
}

// A packet is a packet of a trace, of fields as bytes.
func packetOf(fields ...string) string {
	text := strings.Join(fields, "")
	return string(binary.AppendUvarint([]byte{0x0a}, uint64(len(text)))) + text
}

func TestTracesThatStrobeDidNotWriteAreForOthers(t *testing.T) {
	ours := written(t, trace.WritePerfetto, everything())
	for name, text := range map[string]string{
		"clocks first":           packetOf("\x50\x01", "\x32\x06\x0a\x04\x08\x06\x10\x01") + ours,
		"another root":           packetOf("\x50\x01\x68\x01", "\xe2\x03\x08\x08\x01\x12\x04game"),
		"another sequence":       ours + packetOf("\x50\x02\x40\x05", "\x5a\x02\x48\x03"),
		"two traces in one file": ours + ours,
	} {
		file := clitest.Write(t, "file", text)
		out, errout, code := opened(t, file, func(string) {}, "--no-browser")
		if code != session.Usage || out != "" || errout != "strobe open: cannot show "+file+": "+errForeign.Error()+"\n" {
			t.Errorf("%s: exit %d, %q, %q", name, code, out, errout)
		}
	}
}

func TestDamagedTracesGetOneLine(t *testing.T) {
	ours := written(t, trace.WritePerfetto, recorded(1))
	for name, c := range map[string]struct{ text, want string }{
		"an end without a beginning": {ours + packetOf("\x50\x01\x40\x05", "\x5a\x04\x48\x02\x58\x02"), "has not begun"},
		"a lane that is not there":   {ours + packetOf("\x50\x01\x40\x05", "\x5a\x04\x48\x02\x58\x63"), "has not begun"},
		"an end before":              {ours + packetOf("\x50\x01\x40\x05", "\x5a\x04\x48\x01\x58\x02") + packetOf("\x50\x01\x40\x04", "\x5a\x04\x48\x02\x58\x02"), "before its beginning"},
		"a time out of range":        {ours + packetOf("\x50\x01\x40\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "\x5a\x02\x48\x03"), "out of range"},
		"a field that is none":       {ours + packetOf("\x50\x01\x40"), "as protobuf has it"},
		"no packet":                  {ours + "\x12\x00", "it is no packet"},
	} {
		_, err := readTimeline([]byte(c.text))
		if err == nil || !strings.HasPrefix(err.Error(), "it is damaged: packet ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Frame times begin with an empty line at times.
func TestTextIsNoTrace(t *testing.T) {
	for _, text := range []string{"\n16\n17\n", "\n\n16.7\n16.6\n", "\n\t16\n", "\n", "\n " + strings.Repeat("16\r\n", 40)} {
		if isPerfetto([]byte(text)) {
			t.Errorf("%q", text)
		}
	}
}

// Whatever a trace has, what is read of it can be shown, and is not much larger.
func TestAnEventBeyondTheLimitIsNotRead(t *testing.T) {
	text := []byte(written(t, trace.WritePerfetto, everything()))
	whole, err := readPerfetto(text)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := readPerfettoEvents(text, len(whole.Events)); err != nil {
		t.Error(err)
	}
	if _, err := readPerfettoEvents(text, len(whole.Events)-1); err == nil || !strings.Contains(err.Error(), "which is the limit; record a shorter time") {
		t.Error(err)
	}
}

func FuzzPerfetto(f *testing.F) {
	whole := written(f, trace.WritePerfetto, everything())
	first := len(packetOf(string(fieldsOf(whole)[0].bytes)))
	f.Add([]byte(whole[first:]))
	f.Add([]byte(written(f, trace.WritePerfetto, recorded(3))[first:]))
	f.Fuzz(func(t *testing.T, rest []byte) {
		text := append([]byte(whole[:first]), rest...)
		got, err := readPerfetto(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			return
		}
		if len(got.Events) > len(text)/2 || len(got.Zones) > len(text)/2 || len(got.Lanes) > len(text)/2 {
			t.Errorf("%d events, %d zones and %d lanes of %d bytes", len(got.Events), len(got.Zones), len(got.Lanes), len(text))
		}
		x, err := newTimeline(got)
		if err != nil {
			if len(got.Events) > 0 {
				t.Error(err)
			}
			return
		}
		x.within(0, x.took)
		var page bytes.Buffer
		if err := x.write(&page, "file"); err != nil {
			t.Error(err)
		}
	})
}

func fieldsOf(text string) (all []field) {
	for f := range fields([]byte(text)) {
		all = append(all, f)
	}
	return all
}
