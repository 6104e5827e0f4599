// SPDX-License-Identifier: BSD-3-Clause

package open

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	pprof "github.com/google/pprof/profile"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/markup"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/page"
	"github.com/strobe-go/strobe/internal/units"
)

// Limits of a profile that is shown. Reading one takes many times its size.
const (
	mostProfile = 32 << 20 // bytes, not compressed
	mostPaths   = 1 << 20
	mostBoxes   = 10_000 // the largest are drawn
	mostValues  = 8
)

//go:embed profile.html
var profileBody string

//go:embed profile.js
var profileScript string

// isProfile reports whether a message is a profile of pprof: at its top it has the fields of one, of which the types of values and the
// texts are needed. The packets of Perfetto are all in field 1.
func isProfile(message []byte) bool {
	var seen [16]bool
	for len(message) > 0 {
		tag := message[0]
		field, kind := tag>>3, tag&7
		n, size := uvarint(message[1:])
		switch {
		case field == 0 || field > 15 || kind != 0 && kind != 2 || size == 0:
			return false
		case kind == 0:
			n = 0
		}
		if message = message[1+size:]; n > uint64(len(message)) {
			return false
		}
		seen[field], message = true, message[n:]
	}
	return seen[1] && seen[6]
}

// uvarint decodes a number, and returns how many bytes it has; 0 if they are none.
func uvarint(b []byte) (n uint64, size int) {
	for i, c := range b[:min(len(b), 10)] {
		if n |= uint64(c&0x7f) << (7 * i); c < 0x80 {
			return n, i + 1
		}
	}
	return 0, 0
}

// readProfile reads a profile, of which it checks what the page uses.
func readProfile(text []byte) (*pprof.Profile, error) {
	if len(text) > mostProfile {
		return nil, fmt.Errorf("it is a profile of more than %d MiB: go tool pprof -http=: shows it", mostProfile>>20)
	}
	p, err := pprof.ParseUncompressed(text)
	if err == nil {
		err = p.CheckValid()
	}
	switch {
	case err != nil:
		return nil, fmt.Errorf("it is a damaged profile: %w", err)
	case len(p.SampleType) == 0 || len(p.Sample) == 0:
		return nil, errors.New("it is a profile without samples")
	}
	return p, nil
}

// A function has the sums of a value.
type function struct {
	name       string
	own, whole int64 // in the function itself, and with what it calls; calls of itself count once
	sample     int   // the latest that counts
}

// A call is a function with the functions that called it.
type call struct {
	parent, function int // indices; parent is -1 for the outermost
	total, own       int64
}

// A graph is a value of all samples, added up by function and callers.
type graph struct {
	total     int64
	calls     []call // each after its parent
	functions []function
	paths     map[[2]int]int // indices in calls, by parent and function
	known     map[string]int // indices in functions
}

func newGraph(p *pprof.Profile, value int) (*graph, error) {
	g := &graph{paths: make(map[[2]int]int), known: make(map[string]int)}
	for n, s := range p.Sample {
		v := s.Value[value]
		if v < 0 {
			return nil, errors.New("it is a difference of profiles: go tool pprof -http=: shows it")
		}
		if g.total > math.MaxInt64-v {
			return nil, errors.New("it is a damaged profile: its values are too large")
		}
		if g.total += v; v == 0 {
			continue
		}
		inside := -1
		for i := len(s.Location) - 1; i >= 0; i-- {
			l := s.Location[i]
			if len(l.Line) == 0 {
				inside = g.enter(inside, fmt.Sprintf("%#x", l.Address), v, n)
			}
			for k := len(l.Line) - 1; k >= 0; k-- {
				if f := l.Line[k].Function; f != nil {
					inside = g.enter(inside, f.Name, v, n)
				}
			}
			if len(g.calls) > mostPaths {
				return nil, fmt.Errorf("it is a profile with more than %d call paths: go tool pprof -http=: shows it", mostPaths)
			}
		}
		if inside < 0 {
			inside = g.enter(inside, "(no stack)", v, n)
		}
		g.calls[inside].own += v
		g.functions[g.calls[inside].function].own += v
	}
	return g, nil
}

// enter adds the value of a sample to a function that a call makes, and returns the index of its call.
func (g *graph) enter(parent int, name string, v int64, sample int) int {
	f, ok := g.known[name]
	if !ok {
		f = len(g.functions)
		g.known[name], g.functions = f, append(g.functions, function{name: name, sample: -1})
	}
	if of := &g.functions[f]; of.sample != sample {
		of.whole, of.sample = of.whole+v, sample
	}
	k := [2]int{parent, f}
	at, ok := g.paths[k]
	if !ok {
		at = len(g.calls)
		g.paths[k], g.calls = at, append(g.calls, call{parent: parent, function: f})
	}
	g.calls[at].total += v
	return at
}

// largest returns the calls with the largest totals, a call after its parent, and how many are left out.
func largest(all []call, most int) (kept []call, left int) {
	if len(all) <= most {
		return all, 0
	}
	totals := make([]int64, len(all))
	for i, c := range all {
		totals[i] = c.total
	}
	slices.Sort(totals)
	least := totals[len(totals)-most] // no parent has less than its children, and of those that have as much it comes first
	place := make([]int, len(all))
	for i, c := range all {
		if place[i] = -1; c.total < least || len(kept) == most || c.parent >= 0 && place[c.parent] < 0 {
			left++
			continue
		}
		place[i] = len(kept)
		if c.parent >= 0 {
			c.parent = place[c.parent]
		}
		kept = append(kept, c)
	}
	return kept, left
}

// table has the functions with most of their own first.
func (g *graph) table(unit string) table {
	sorted := slices.Clone(g.functions)
	slices.SortStableFunc(sorted, func(a, b function) int { return cmp.Or(cmp.Compare(b.own, a.own), cmp.Compare(b.whole, a.whole)) })
	t := table{Title: "Functions", Titles: []string{"Function", "Itself", "Share", "With what it calls", "Share"}}
	share := func(v int64) string { return fmt.Sprintf("%.1f %%", 100*float64(v)/float64(max(1, g.total))) }
	for _, f := range sorted {
		t.add(f.name, amount(f.own, unit), share(f.own), amount(f.whole, unit), share(f.whole))
	}
	return t
}

// amount writes a value with its unit.
func amount(v int64, unit string) string {
	switch unit {
	case "nanoseconds":
		return units.Duration(float64(v))
	case "bytes":
		return layout.Bytes(v)
	}
	return units.Count(uint64(v))
}

// writeProfile writes a page for each kind of value. The page of "" is that of the profile's usual one.
func writeProfile(p *pprof.Profile, file string) (map[string][]byte, error) {
	pages := make(map[string][]byte)
	usual := slices.IndexFunc(p.SampleType, func(t *pprof.ValueType) bool { return t.Type == p.DefaultSampleType })
	if usual < 0 {
		usual = len(p.SampleType) - 1
	}
	for i := range p.SampleType[:min(len(p.SampleType), mostValues)] {
		var b bytes.Buffer
		if err := writeValue(&b, p, i, file); err != nil {
			return nil, err
		}
		pages[p.SampleType[i].Type] = b.Bytes()
	}
	if pages[""] = pages[p.SampleType[usual].Type]; pages[""] == nil {
		pages[""] = pages[p.SampleType[0].Type]
	}
	return pages, nil
}

func writeValue(w io.Writer, p *pprof.Profile, value int, file string) error {
	g, err := newGraph(p, value)
	if err != nil {
		return err
	}
	of := p.SampleType[value]
	kept, left := largest(g.calls, mostBoxes)
	view := struct {
		File, Time, Took, Value, Total, Left string
		Others                               []string
		Table                                table
	}{File: file, Value: of.Type, Total: amount(g.total, of.Unit), Table: g.table(of.Unit)}
	if p.TimeNanos > 0 {
		view.Time = time.Unix(0, p.TimeNanos).UTC().Format("2006-01-02 15:04:05 UTC")
	}
	if p.DurationNanos > 0 {
		view.Took = duration(time.Duration(p.DurationNanos))
	}
	if left > 0 {
		view.Left = layout.Plural(uint64(left), "call path")
	}
	for i, t := range p.SampleType[:min(len(p.SampleType), mostValues)] {
		if i != value {
			view.Others = append(view.Others, t.Type)
		}
	}
	body, err := markup.Of(profileBody, view)
	if err != nil {
		return err
	}
	data := struct {
		Unit  string     `json:"unit"`
		Total int64      `json:"total"`
		Names []string   `json:"names"`
		Nodes [][4]int64 `json:"nodes"` // parent, name, total, own
	}{of.Unit, g.total, nil, make([][4]int64, 0, len(kept))}
	place := make(map[int]int) // of functions that are drawn
	for _, c := range kept {
		name, ok := place[c.function]
		if !ok {
			name = len(data.Names)
			place[c.function], data.Names = name, append(data.Names, g.functions[c.function].name)
		}
		data.Nodes = append(data.Nodes, [4]int64{int64(c.parent), int64(name), c.total, c.own})
	}
	return page.Write(w, page.Page{Title: "Profile", Version: session.Version(), Body: body, Data: data, Style: style, Script: page.Lanes() + profileScript})
}
