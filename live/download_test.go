// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package live

import (
	"encoding/json"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/profile"
)

// A largest is a response that records the size of its largest write.
type largest struct {
	httptest.ResponseRecorder
	piece int
}

func (l *largest) Write(b []byte) (int, error) {
	l.piece = max(l.piece, len(b))
	return l.ResponseRecorder.Write(b)
}

func TestASnapshotListsAsManyLanesAsAreAskedFor(t *testing.T) {
	s := serve(t, Options{RecordBytes: -1})
	z := strobe.NewZone("on many lanes")
	const most = 1500
	for range most {
		strobe.NewLane("one of many").Add(z, time.Millisecond)
	}
	ask := func(query string) (listed, sums int, all profile.ZoneStats, piece int) {
		t.Helper()
		w := &largest{ResponseRecorder: *httptest.NewRecorder()}
		s.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/snapshot.json"+query, nil))
		var m snapshotMessage
		if err := json.Unmarshal(w.Body.Bytes(), &m); err != nil || w.Code != 200 {
			t.Fatalf("%s: %d, %v", query, w.Code, err)
		}
		for _, l := range m.Snapshot.Lanes {
			if l.ID < 0 {
				sums++
			} else {
				listed++
			}
		}
		id, _ := m.Snapshot.Zone("on many lanes")
		return listed, sums, m.Snapshot.Totals()[id], w.piece
	}
	for _, c := range []struct {
		query           string
		atMost, atLeast int
		sums            int
	}{{"?lanes=sum", 0, 0, 1}, {"?lanes=0", 0, 0, 1}, {"?lanes=7", 7, 0, 1}, {"", listedLanes, listedLanes / 2, 1}, {"?lanes=1000000", 1 << 30, most, 0}} {
		listed, sums, all, piece := ask(c.query)
		if listed > c.atMost || listed < c.atLeast || sums != c.sums || all.Calls != most || all.Total.Round(time.Millisecond) != most*time.Millisecond {
			t.Errorf("%q: %d lanes, %d sums, %d calls, %v", c.query, listed, sums, all.Calls, all.Total)
		}
		if piece > 128<<10 {
			t.Errorf("%q: the answer is not streamed: a piece has %d bytes", c.query, piece)
		}
	}
}
