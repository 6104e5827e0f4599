// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/trace"
)

// fields has the fields of a message by number. The decoder shares no code with the writer.
type fields map[protowire.Number][]value

type value struct {
	n     uint64
	bytes []byte
}

func decode(b []byte) (fields, error) {
	out := fields{}
	for len(b) > 0 {
		num, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return nil, protowire.ParseError(n)
		}
		b = b[n:]
		var v value
		switch kind {
		case protowire.VarintType:
			v.n, n = protowire.ConsumeVarint(b)
		case protowire.Fixed64Type:
			v.n, n = protowire.ConsumeFixed64(b)
		case protowire.BytesType:
			v.bytes, n = protowire.ConsumeBytes(b)
		default:
			return nil, fmt.Errorf("field %d has the wire type %d", num, kind)
		}
		if n < 0 {
			return nil, protowire.ParseError(n)
		}
		b = b[n:]
		out[num] = append(out[num], v)
	}
	return out, nil
}

func (f fields) has(num protowire.Number) bool { return len(f[num]) > 0 }

func (f fields) uint(num protowire.Number) uint64 {
	if !f.has(num) {
		return 0
	}
	return f[num][0].n
}

func (f fields) all(num protowire.Number) (out []uint64) {
	for _, v := range f[num] {
		out = append(out, v.n)
	}
	return out
}

func (f fields) text(num protowire.Number) string {
	if !f.has(num) {
		return ""
	}
	return string(f[num][0].bytes)
}

// A perfetto is a trace as a reader of the format understands it.
type perfetto struct {
	names, categories map[uint64]string
	places            map[uint64]string
	tracks            map[uint64]track
	slices            []slice
	instants          []instant
	values            []counted
}

type track struct {
	name    string
	parent  uint64
	counter bool
}

type slice struct {
	track                 string
	name, category, place string
	depth                 int
	start, end            uint64
	from, to              []uint64 // flows that begin and end here
}

type instant struct {
	track, name, category string
	at                    uint64
	args                  map[string]string
}

type counted struct {
	track string
	at    uint64
	v     float64
}

type timed struct {
	at    uint64
	event fields
}

// read follows Perfetto's published rules: interned ids are valid for the following packets, events of a track are in order of
// time, or of the file at equal times, and begins and ends form pairs.
func read(b []byte) (*perfetto, error) {
	p := &perfetto{names: map[uint64]string{}, categories: map[uint64]string{}, places: map[uint64]string{}, tracks: map[uint64]track{}}
	file, err := decode(b)
	if err != nil {
		return nil, err
	}
	events := map[uint64][]timed{}
	var order []uint64
	for i, raw := range file[1] { // Trace.packet
		packet, err := decode(raw.bytes)
		if err != nil {
			return nil, fmt.Errorf("packet %d: %v", i, err)
		}
		if packet.uint(10) == 0 { // trusted_packet_sequence_id
			return nil, fmt.Errorf("packet %d is of no sequence", i)
		}
		if flags := packet.uint(13); (i == 0) != (flags&1 != 0) || i > 0 && flags&2 == 0 { // cleared at first, needed after
			return nil, fmt.Errorf("packet %d has the sequence flags %d", i, flags)
		}
		if err := p.intern(packet); err != nil {
			return nil, fmt.Errorf("packet %d: %v", i, err)
		}
		switch {
		case packet.has(60): // track_descriptor
			d, err := decode(packet[60][0].bytes)
			if err != nil {
				return nil, err
			}
			if _, twice := p.tracks[d.uint(1)]; twice || d.uint(1) == 0 {
				return nil, fmt.Errorf("packet %d: track %d is there already", i, d.uint(1))
			}
			if _, ok := p.tracks[d.uint(5)]; d.uint(5) != 0 && !ok {
				return nil, fmt.Errorf("packet %d: no parent %d", i, d.uint(5))
			}
			p.tracks[d.uint(1)] = track{d.text(2), d.uint(5), d.has(8)}
		case packet.has(11): // track_event
			e, err := decode(packet[11][0].bytes)
			if err != nil {
				return nil, err
			}
			uuid := e.uint(11)
			if _, ok := p.tracks[uuid]; !ok {
				return nil, fmt.Errorf("packet %d: no track %d", i, uuid)
			}
			if !packet.has(8) { // timestamp
				return nil, fmt.Errorf("packet %d has no time", i)
			}
			if events[uuid] == nil {
				order = append(order, uuid)
			}
			events[uuid] = append(events[uuid], timed{packet.uint(8), e})
		}
	}
	for _, uuid := range order {
		if err := p.pair(p.tracks[uuid], events[uuid]); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *perfetto) intern(packet fields) error {
	if !packet.has(12) { // interned_data
		return nil
	}
	data, err := decode(packet[12][0].bytes)
	if err != nil {
		return err
	}
	for num, table := range map[protowire.Number]map[uint64]string{1: p.categories, 2: p.names, 4: p.places} {
		for _, raw := range data[num] {
			e, err := decode(raw.bytes)
			if err != nil {
				return err
			}
			s := e.text(2) // EventCategory.name, EventName.name, SourceLocation.file_name
			if num == 4 && e.has(4) {
				s += fmt.Sprint(":", e.uint(4)) // line_number
			}
			if old, ok := table[e.uint(1)]; e.uint(1) == 0 || ok && old != s {
				return fmt.Errorf("id %d stands for %q and %q", e.uint(1), old, s)
			}
			table[e.uint(1)] = s
		}
	}
	return nil
}

func (p *perfetto) pair(tr track, events []timed) error {
	slices.SortStableFunc(events, func(a, b timed) int {
		switch {
		case a.at < b.at:
			return -1
		case a.at > b.at:
			return 1
		}
		return 0
	})
	var open []int
	for _, t := range events {
		e := t.event
		name, category := e.text(23), ""
		if e.has(10) {
			s, ok := p.names[e.uint(10)]
			if !ok {
				return fmt.Errorf("no name %d", e.uint(10))
			}
			name = s
		}
		if e.has(3) {
			s, ok := p.categories[e.uint(3)]
			if !ok {
				return fmt.Errorf("no category %d", e.uint(3))
			}
			category = s
		}
		if !utf8.ValidString(name) {
			return fmt.Errorf("the name %q is no UTF-8", name)
		}
		if tr.counter != (e.uint(9) == 4) {
			return fmt.Errorf("an event of type %d on the track %q", e.uint(9), tr.name)
		}
		switch e.uint(9) { // type
		case 1:
			open = append(open, len(p.slices))
			p.slices = append(p.slices, slice{tr.name, name, category, p.places[e.uint(34)], len(open) - 1, t.at, 0, e.all(47), e.all(48)})
		case 2:
			if len(open) == 0 {
				return fmt.Errorf("an end without a begin on the track %q", tr.name)
			}
			p.slices[open[len(open)-1]].end = t.at
			open = open[:len(open)-1]
		case 3:
			p.instants = append(p.instants, instant{tr.name, name, category, t.at, args(e)})
		case 4:
			if !e.has(44) { // double_counter_value
				return fmt.Errorf("a counter without a value")
			}
			p.values = append(p.values, counted{tr.name, t.at, math.Float64frombits(e.uint(44))})
		default:
			return fmt.Errorf("an event of type %d", e.uint(9))
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("%d slices have no end on the track %q", len(open), tr.name)
	}
	return nil
}

// args reads debug_annotations.
func args(e fields) map[string]string {
	out := map[string]string{}
	for _, raw := range e[4] {
		if a, err := decode(raw.bytes); err == nil {
			if a.has(3) {
				out[a.text(10)] = fmt.Sprint(a.uint(3))
			} else {
				out[a.text(10)] = a.text(6)
			}
		}
	}
	return out
}

func written(t testing.TB, timeline profile.Timeline) *perfetto {
	t.Helper()
	var b bytes.Buffer
	if err := trace.WritePerfetto(&b, timeline); err != nil {
		t.Fatal(err)
	}
	p, err := read(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestPerfettoHoldsTheProgram(t *testing.T) {
	timeline, _ := run()
	p := written(t, timeline)
	got := map[string]int{}
	for _, s := range p.slices {
		got[s.name]++
		if want := map[string]string{"wait": "wait"}[s.name]; s.category != "zone" && s.category != want {
			t.Errorf("%s is a %q", s.name, s.category)
		}
		if want := map[string]string{"wait": shown, "turn": "main"}[s.name]; want != "" && s.track != want {
			t.Errorf("%s is on the track %q", s.name, s.track)
		}
		if s.name == "step" && s.depth != 1 || s.name == "turn" && s.depth != 0 {
			t.Errorf("%s is at depth %d", s.name, s.depth)
		}
		if !bytes.Contains([]byte(s.place), []byte("program_test.go:")) {
			t.Errorf("%s is in %q", s.name, s.place)
		}
	}
	for name, n := range calls {
		if got[name] != n {
			t.Errorf("%d slices of %q, want %d", got[name], name, n)
		}
	}
	// The slices are the spans, exact except for rounding to ns.
	for _, e := range timeline.Events {
		if e.Kind == profile.SpanEvent && !slices.ContainsFunc(p.slices, func(s slice) bool {
			return s.depth == e.Depth && near1(s.start, e.Start) && near1(s.end, e.Start.Add(e.Took))
		}) {
			t.Errorf("no slice for %+v", e)
		}
	}
	marks := map[string]int{}
	for _, i := range p.instants {
		marks[i.category+" "+i.name]++
	}
	if marks["frame loop"] != turns || marks["message "+shown] != 1 || marks["strobe timeline taken"] != 1 {
		t.Errorf("instants: %v", marks)
	}
	if len(p.values) != turns || p.values[turns-1].v != float64(turns-1)/4 || p.values[0].track != "height" {
		t.Errorf("values: %v", p.values)
	}
}

// A program serves requests, and works for them on other goroutines.
func TestPerfettoHasArrowsFromUnitsToTheirWork(t *testing.T) {
	request, work := strobe.NewRootZone("request"), strobe.NewZone("work")
	reader := strobe.NewTimelineReader()
	release := strobe.KeepRecording(8 << 20)
	defer release()
	const requests, workers = 5, 3
	for range requests {
		func() {
			defer request.Enter().Exit()
			strobe.Note("route", "/\x1b")
			task := strobe.CurrentTask()
			var all sync.WaitGroup
			for range workers {
				all.Go(func() { task.Enter(work).Exit() })
			}
			all.Wait()
		}()
	}
	p := written(t, reader.Read())
	from := map[uint64]bool{}
	for _, s := range p.slices {
		if s.name == "request" {
			if len(s.from) != workers || len(s.to) != 0 || s.category != "unit" {
				t.Errorf("%+v", s)
			}
			for _, id := range s.from {
				from[id] = true
			}
		}
	}
	for _, s := range p.slices {
		if s.name == "work" && (len(s.to) != 1 || len(s.from) != 0 || !from[s.to[0]]) {
			t.Errorf("%+v is not in %v", s, from)
		}
	}
	notes := 0
	for _, i := range p.instants {
		if i.category == "note" && i.name == "route" && i.args["value"] == "/\x1b" {
			notes++
		}
	}
	if len(from) != requests*workers || notes != requests {
		t.Errorf("%d arrows, %d notes", len(from), notes)
	}
}

func near1(a uint64, b clock.Instant) bool { return a <= uint64(b)+1 && a+1 >= uint64(b) }

func TestPerfettoOfAnEmptyTimelineIsATraceThatSaysSo(t *testing.T) {
	p := written(t, profile.Timeline{Notes: []string{"nothing"}})
	if len(p.instants) != 1 || p.instants[0].args["lost"] != "0" || p.instants[0].args["note"] != "nothing" {
		t.Errorf("%+v", p)
	}
}

func TestPerfettoMovesWhatIsBeforeZero(t *testing.T) {
	p := written(t, profile.Timeline{At: 5, Zones: make([]profile.ZoneInfo, 1), Lanes: make([]profile.TimelineLane, 1),
		Events: []profile.Event{{Kind: profile.SpanEvent, Start: -7, Took: 4}}})
	if s := p.slices[0]; s.start != 0 || s.end != 4 || p.instants[0].at != 12 {
		t.Errorf("%+v", p)
	}
}

func FuzzPerfetto(f *testing.F) {
	f.Add(uint64(1), awkward, "plain")
	f.Fuzz(func(t *testing.T, seed uint64, a, b string) {
		r := rand.New(rand.NewPCG(seed, 0))
		wide := func() int64 { return int64(r.Uint64()) >> (2 + r.IntN(62)) }
		in := profile.Timeline{At: clock.Instant(wide()), Lost: r.Uint64(), Notes: []string{a},
			Zones: []profile.ZoneInfo{{Name: a, Where: b}, {Name: b, Where: a + ":7", Wait: true}},
			Lanes: []profile.TimelineLane{{LaneInfo: profile.LaneInfo{Name: a}}, {LaneInfo: profile.LaneInfo{Name: b}}}}
		spans, marks := 0, 1
		for lane := -1; lane < 3; lane++ {
			if lane == 2 { // no lane either
				continue
			}
			for range r.IntN(20) {
				in.Events = append(in.Events, profile.Event{Kind: profile.SpanEvent, Lane: lane, Zone: r.IntN(5) - 1, Depth: r.IntN(5), Start: clock.Instant(wide()), Took: time.Duration(wide())})
				spans++
			}
		}
		for range r.IntN(20) {
			e := profile.Event{Lane: r.IntN(5) - 2, Zone: -1, Start: clock.Instant(wide()), Kind: profile.Kind(2 + r.IntN(4)), Name: b}
			if e.Kind == profile.PlotEvent && r.IntN(2) == 0 {
				e.Value = math.Inf(1)
				marks--
			}
			marks++
			in.Events = append(in.Events, e)
		}
		p := written(t, in)
		if len(p.slices) != spans || len(p.instants)+len(p.values) != marks {
			t.Errorf("%d slices, %d instants, %d values of %d spans and %d marks", len(p.slices), len(p.instants), len(p.values), spans, marks)
		}
	})
}
