// SPDX-License-Identifier: BSD-3-Clause

package oracle

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	pprof "github.com/google/pprof/profile"
	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/trace"
)

// snapshot returns call trees of every shape, with repeated names, wait zones and times of any size, and the expected samples.
func snapshot(r *rand.Rand) (s profile.Snapshot, want map[string]int) {
	s = profile.Snapshot{Elapsed: time.Duration(r.Int64()), Notes: []string{"a note", "ünï ☃", "a note"}[:r.IntN(4)]}
	want = map[string]int{}
	for i := range 1 + r.IntN(5) {
		s.Zones = append(s.Zones, profile.ZoneInfo{Name: fmt.Sprint("zone ", i/2), Where: fmt.Sprint("file", i, ".go:", 1+r.IntN(1e6)), Wait: r.IntN(3) == 0})
	}
	for l := range r.IntN(4) {
		lane := profile.LaneStats{LaneInfo: profile.LaneInfo{ID: l, Name: fmt.Sprint("lane ", l/2)}}
		var paths []string
		for i := range r.IntN(300) {
			n := profile.Node{Parent: r.IntN(i+1) - 1, Zone: r.IntN(len(s.Zones)),
				Calls: r.Uint64() >> (1 + r.IntN(63)), Self: time.Duration(r.Int64() >> r.IntN(63))}
			z, path := s.Zones[n.Zone], ""
			if n.Parent >= 0 {
				path = paths[n.Parent]
			}
			path += "/" + z.Name + "@" + z.Where
			paths = append(paths, path)
			lane.Nodes = append(lane.Nodes, n)
			if n.Calls > 0 || n.Self > 0 {
				want[fmt.Sprint(lane.Name, path, z.Wait, n.Calls, int64(n.Self))]++
			}
		}
		s.Lanes = append(s.Lanes, lane)
	}
	return s, want
}

func TestPprofReadsWhatWeWrite(t *testing.T) {
	for seed := range uint64(200) {
		in, want := snapshot(rand.New(rand.NewPCG(seed, 3)))
		var file bytes.Buffer
		if err := trace.WriteProfile(&file, in); err != nil {
			t.Fatal(err)
		}
		p, err := pprof.Parse(&file)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := p.CheckValid(); err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got := map[string]int{}
		for _, s := range p.Sample {
			path := ""
			for _, l := range slices.Backward(s.Location) {
				f := l.Line[0].Function
				if l.Line[0].Line != f.StartLine || f.SystemName != f.Name || len(l.Line) != 1 {
					t.Fatalf("seed %d: location %+v of function %+v", seed, l, f)
				}
				path += fmt.Sprint("/", f.Name, "@", f.Filename, ":", f.StartLine)
			}
			got[fmt.Sprint(s.Label["lane"][0], path, slices.Equal(s.Label["kind"], []string{"wait"}), s.Value[0], s.Value[1])]++
		}
		if !maps.Equal(got, want) {
			t.Fatalf("seed %d: samples %v, want %v", seed, got, want)
		}
		if p.DurationNanos != int64(in.Elapsed) || !slices.Equal(p.Comments, in.Notes) || p.DefaultSampleType != "self" ||
			len(p.SampleType) != 2 || *p.SampleType[0] != (pprof.ValueType{Type: "calls", Unit: "count"}) || *p.SampleType[1] != (pprof.ValueType{Type: "self", Unit: "nanoseconds"}) {
			t.Fatalf("seed %d: %v of notes %q", seed, p, in.Notes)
		}
	}
}
