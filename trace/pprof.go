// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"compress/gzip"
	pprof "github.com/google/pprof/profile"
	"io"

	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/profile"
)

// A builder builds a pprof profile of calls and self times.
type builder struct {
	*pprof.Profile
	zones     []profile.ZoneInfo
	locations map[int]*pprof.Location
	lanes     map[string]labels
}

type labels struct{ plain, wait map[string][]string }

func newBuilder(zones []profile.ZoneInfo) *builder {
	return &builder{
		Profile: &pprof.Profile{DefaultSampleType: "self", SampleType: []*pprof.ValueType{
			{Type: "calls", Unit: "count"}, {Type: "self", Unit: "nanoseconds"}}},
		zones: zones, locations: make(map[int]*pprof.Location), lanes: make(map[string]labels),
	}
}

// sample adds a stack, innermost zone first. It does not keep stack.
func (b *builder) sample(lane string, stack []int, calls, self int64) {
	s := &pprof.Sample{Value: []int64{calls, self}, Location: make([]*pprof.Location, len(stack))}
	for i, zone := range stack {
		s.Location[i] = b.location(zone)
	}
	l, ok := b.lanes[lane]
	if !ok {
		name := []string{plain.Name(lane, plain.Longest)}
		l = labels{plain: map[string][]string{"lane": name}, wait: map[string][]string{"lane": name, "kind": {"wait"}}}
		b.lanes[lane] = l
	}
	s.Label = l.plain
	if zoneAt(b.zones, stack[0]).Wait {
		s.Label = l.wait
	}
	b.Sample = append(b.Sample, s)
}

func (b *builder) location(zone int) *pprof.Location {
	if l := b.locations[zone]; l != nil {
		return l
	}
	z := zoneAt(b.zones, zone)
	file, line := where(z)
	id := uint64(len(b.Location)) + 1
	name := plain.Name(z.Name, plain.Longest)
	f := &pprof.Function{ID: id, Name: name, SystemName: name, Filename: plain.Text(file), StartLine: int64(line)}
	l := &pprof.Location{ID: id, Line: []pprof.Line{{Function: f, Line: int64(line)}}}
	b.Function, b.Location = append(b.Function, f), append(b.Location, l)
	b.locations[zone] = l
	return l
}

func texts(in []string) (out []string) {
	for _, s := range in {
		out = append(out, plain.Text(s))
	}
	return out
}

// write writes the profile compressed. Profile.Write loses the error of the last write in some versions.
func (b *builder) write(w io.Writer) error {
	zip := gzip.NewWriter(w)
	if err := b.WriteUncompressed(zip); err != nil {
		return err
	}
	return zip.Close()
}
