// SPDX-License-Identifier: BSD-3-Clause

package feed

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/profile"
)

// Whatever a program sends, what is kept is bounded, and its texts are safe to show.
func FuzzMessages(f *testing.F) {
	f.Add("hello", `{"version":1,"program":"p","loops":["a"],"root":1,"zones":[{"name":"z","root":true}]}`)
	f.Add("frames", `{"at_ns":5,"paths":[[1,0,-1,2]],"frames":[[6,10,20,1,2,5]],"units":[[7,10,20,3,35,1,0,["route","/cart\u001b"],0,1,20]],"gone":[1],"reset":true,"reports":[{"number":1,"text":"why\u001b"}]}`)
	f.Add("state", `{"at_ns":5,"totals":[[0,4,500,null,700]],"open":[[0,10,20,3,35,0,0,[]]],"notes":["n"]}`)
	f.Fuzz(func(t *testing.T, kind, data string) {
		m, err := read(event{name: kind, data: []byte(data)})
		if err != nil {
			if m != (Message{}) {
				t.Errorf("%v, and %+v", err, m)
			}
			return
		}
		safe := func(text string) {
			if strings.ContainsAny(text, "\x1b\n\x7f\u202e") || len([]rune(text)) > maxText {
				t.Errorf("%q may be shown", text)
			}
		}
		units := func(all []Unit) {
			for _, u := range all {
				if len(u.Notes) > maxNotes || len(u.Parts) > maxParts || len(u.Parts)%3 != 0 {
					t.Errorf("%d notes, %d parts", len(u.Notes), len(u.Parts))
				}
				for _, n := range u.Notes {
					safe(n.Key)
					safe(n.Value)
				}
			}
		}
		switch {
		case m.Hello != nil:
			safe(m.Hello.Program)
			for _, z := range m.Hello.Zones {
				safe(z.Name)
			}
		case m.Frames != nil:
			units(m.Frames.Units)
			for _, r := range m.Frames.Reports {
				if strings.ContainsAny(r.Text, "\x1b\n\x7f\u202e") || len([]rune(r.Text)) > maxSentence {
					t.Errorf("%q may be shown", r.Text)
				}
			}
		case m.State != nil:
			units(m.State.Open)
		}
	})
}

// Whatever a snapshot says, its differences are computed.
func FuzzFigures(f *testing.F) {
	f.Add(`{"at_ns":7,"zones":[{"root":true}],"lanes":[{"id":-1,"zones":[{"zone":0,"calls":5,"timed":5,"histogram":{"first":271,"counts":[5],"ns_per_tick":1}}]}]}`,
		`{"at_ns":9,"zones":[{"root":true}],"lanes":[{"id":-1,"zones":[{"zone":0,"calls":50000,"timed":50000,"histogram":{"first":-9,"counts":[18446744073709551615,7],"ns_per_tick":1e300}}]}]}`)
	f.Fuzz(func(t *testing.T, first, second string) {
		var before, after profile.Snapshot
		if json.Unmarshal([]byte(first), &before) != nil || json.Unmarshal([]byte(second), &after) != nil || keepRoots(&before) != nil || keepRoots(&after) != nil {
			return
		}
		for _, u := range after.Sub(before).Units {
			if u.Zone < 0 || u.Zone >= len(after.Zones) {
				t.Errorf("zone %d of %d", u.Zone, len(after.Zones))
			}
		}
	})
}
