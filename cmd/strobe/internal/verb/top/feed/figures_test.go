// SPDX-License-Identifier: BSD-3-Clause

package feed

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/profile"
)

const rooted = `event: hello
data: {"version":1,"program":"p","run":"r","zones":[{"name":"z"},{"name":"request","root":true}]}

event: state
data: {"at_ns":60,"totals":[]}

event: bye
data: {}

`

// figuresOf returns what Next returns for a program that answers requests for its snapshot with text.
func figuresOf(t *testing.T, hello, text string, status int) (figures []*Figures, others int) {
	t.Helper()
	source := program(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.String() {
		case "/events?rate=5&root=any":
			io.WriteString(w, hello)
		case "/snapshot.json?lanes=sum":
			w.WriteHeader(status)
			io.WriteString(w, text)
		default:
			t.Errorf("asked for %s", r.URL)
		}
	})
	stream, err := Open(t.Context(), source, "")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	for {
		m, err := stream.Next()
		if err != nil {
			t.Fatal(err)
		}
		if m.Bye {
			return figures, others
		}
		if m.Figures != nil {
			figures = append(figures, m.Figures)
		} else {
			others++
		}
	}
}

func TestFiguresOfRootZonesAreAskedForOnceAfterAState(t *testing.T) {
	const snapshot = `{"version":1,"snapshot":{"at_ns":7,"elapsed_ns":9,"ns_per_tick":2,"zones":[{"name":"z","every":1},{"name":"request","where":"x.go:1","root":true,"every":1}],
"lanes":[{"id":-1,"name":"all","zones":[{"zone":0,"calls":8},{"zone":1,"calls":5},{"zone":99,"calls":5}],"nodes":[{"parent":-1,"zone":1,"calls":5}]}],"notes":["n"]}}`
	figures, others := figuresOf(t, rooted, snapshot, http.StatusOK)
	if len(figures) != 1 || others != 2 || figures[0].Err != nil {
		t.Fatalf("%+v, %d others", figures, others)
	}
	want := profile.Snapshot{At: 7, NsPerTick: 2, Zones: []profile.ZoneInfo{{}, {Root: true}}, Lanes: []profile.LaneStats{{LaneInfo: profile.LaneInfo{ID: -1},
		Zones: []profile.ZoneStats{{Zone: 1, Calls: 5}}, Nodes: profile.Tree{{Parent: -1, Zone: 1, Calls: 5}}}}}
	if got := figures[0].Snapshot; fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if figures, others := figuresOf(t, strings.ReplaceAll(rooted, `,"root":true`, ""), "", http.StatusOK); len(figures) != 0 || others != 2 {
		t.Errorf("without root zones: %+v, %d others", figures, others)
	}
}

func TestWhyFiguresAreNotKnownIsSaid(t *testing.T) {
	for name, c := range map[string]struct {
		text   string
		status int
		want   string
	}{
		"refused":   {"no", http.StatusServiceUnavailable, "snapshot.json is refused with HTTP status 503"},
		"no JSON":   {"<html>", http.StatusOK, "snapshot.json cannot be read: "},
		"too long":  {`{"snapshot":{"notes":["` + strings.Repeat("x", figuresBytes) + `"]}}`, http.StatusOK, "snapshot.json is longer than 2 MiB"},
		"too wide":  {`{"snapshot":{"zones":[{}` + strings.Repeat(",{}", maxZones) + `]}}`, http.StatusOK, "more than 20000 zones or paths"},
		"too deep":  {`{"snapshot":{"lanes":[{"nodes":[{}` + strings.Repeat(",{}", maxZones) + `]}]}}`, http.StatusOK, "more than 20000 zones or paths"},
		"too many":  {`{"snapshot":{"lanes":[{}` + strings.Repeat(",{}", maxNames) + `]}}`, http.StatusOK, "more than 20000 zones or paths"},
		"elsewhere": {"", http.StatusFound, "HTTP status 302"},
	} {
		figures, others := figuresOf(t, rooted, c.text, c.status)
		if len(figures) != 1 || others != 2 || figures[0].Err == nil || !strings.Contains(figures[0].Err.Error(), c.want) {
			t.Errorf("%s: %+v, %d others", name, figures, others)
		}
	}
}
