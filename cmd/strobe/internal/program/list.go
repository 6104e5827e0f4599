// SPDX-License-Identifier: BSD-3-Clause

package program

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument"
	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument/shape"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/plain"
)

// mostListed is how many functions of each kind are listed unless all are wanted.
const mostListed = 100

// List prints which functions get zones, and which do not: all of them, or the first ones.
func List(s *session.Session, target string, plan *instrument.Plan, all bool) error {
	if s.JSON {
		return session.WriteJSON(s.Out, listOf(target, plan))
	}
	zones, without := plan.Zones, plan.LeftOut
	if !all {
		zones, without = zones[:min(mostListed, len(zones))], without[:min(mostListed, len(without))]
	}
	p := s.Printer()
	t := layout.Table{Columns: []layout.Column{{Title: "function", Left: true}, {Title: "zone", Left: true}, {Title: "because", Left: true, Drop: 2}, {Title: "at", Left: true, Drop: 1}}}
	for _, z := range zones {
		kind := "zone"
		if z.Kind != shape.Plain {
			kind = z.Kind.String()
		}
		t.Rows = append(t.Rows, []string{plain.Name(z.Name, plain.Longest), kind, plain.Text(z.Why), plain.Text(z.Position)})
	}
	for _, z := range without {
		t.Rows = append(t.Rows, []string{plain.Name(z.Name, plain.Longest), "none", plain.Text(z.Reason), plain.Text(z.Position)})
	}
	p.LeftOut(p.Table(t))
	text := fmt.Sprintf("%d of %s and %d of %s without", len(zones), layout.Plural(uint64(len(plan.Zones)), "zone"), len(without), layout.Plural(uint64(len(plan.LeftOut)), "function"))
	if len(zones)+len(without) < len(plan.Zones)+len(plan.LeftOut) {
		text += "; --all lists all"
	}
	p.Printf("\n")
	p.Wrap("", text+"."+reasons(plan))
	return s.Print(p)
}

// reasons says why functions have no zone, by how many, the most first.
func reasons(plan *instrument.Plan) string {
	counts := map[string]int{}
	for _, z := range plan.LeftOut {
		counts[z.Reason]++
	}
	all := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(counts[b]-counts[a], strings.Compare(a, b)) })
	var said []string
	for _, reason := range all[:min(mostNamed, len(all))] {
		said = append(said, fmt.Sprintf("%d: %s", counts[reason], plain.Text(reason)))
	}
	if len(said) == 0 {
		return ""
	}
	return " Without, by reason: " + strings.Join(said, "; ") + more(len(all)-len(said)) + "."
}

// A listObject is the JSON of strobe run --list.
type listObject struct {
	Schema  int             `json:"schema"`       // 1
	Package string          `json:"package"`      // what would be built
	Zones   []zoneObject    `json:"functions"`    // those with a zone
	Without []withoutObject `json:"without_zone"` // those without
}

// A zoneObject is a function with a zone.
type zoneObject struct {
	Name    string `json:"name"`
	Package string `json:"package"` // its import path
	Where   string `json:"where"`   // FILE:LINE
	Kind    string `json:"kind"`    // "plain", "unit" or "wait"
	Why     string `json:"why,omitempty"`
}

// A withoutObject is a function without a zone.
type withoutObject struct {
	Name    string `json:"name"`
	Package string `json:"package"`
	Where   string `json:"where"`
	Reason  string `json:"reason"`
}

func listOf(target string, p *instrument.Plan) listObject {
	o := listObject{Schema: session.Schema, Package: target, Zones: []zoneObject{}, Without: []withoutObject{}}
	for _, z := range p.Zones {
		o.Zones = append(o.Zones, zoneObject{z.Name, z.Package, z.Position, z.Kind.String(), z.Why})
	}
	for _, z := range p.LeftOut {
		o.Without = append(o.Without, withoutObject{z.Name, z.Package, z.Position, z.Reason})
	}
	return o
}
