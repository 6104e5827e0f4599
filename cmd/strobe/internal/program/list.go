// SPDX-License-Identifier: BSD-3-Clause

package program

import (
	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument"
	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument/shape"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/plain"
)

// List prints which functions get zones, and which do not.
func List(s *session.Session, target string, plan *instrument.Plan) error {
	if s.JSON {
		return session.WriteJSON(s.Out, listOf(target, plan))
	}
	p := s.Printer()
	t := layout.Table{Columns: []layout.Column{{Title: "function", Left: true}, {Title: "zone", Left: true}, {Title: "because", Left: true, Drop: 2}, {Title: "at", Left: true, Drop: 1}}}
	for _, z := range plan.Zones {
		kind := "zone"
		if z.Kind != shape.Plain {
			kind = z.Kind.String()
		}
		t.Rows = append(t.Rows, []string{plain.Text(z.Name), kind, plain.Text(z.Why), plain.Text(z.Position)})
	}
	for _, z := range plan.LeftOut {
		t.Rows = append(t.Rows, []string{plain.Text(z.Name), "none", plain.Text(z.Reason), plain.Text(z.Position)})
	}
	p.LeftOut(p.Table(t))
	return s.Print(p)
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
