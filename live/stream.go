// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

type hello struct {
	Version int                `json:"version"`
	Program string             `json:"program"`
	PID     int                `json:"pid"`
	Run     string             `json:"run"`
	Now     clock.Instant      `json:"now_ns"`
	Loops   []string           `json:"loops"`
	Loop    string             `json:"loop"`
	Slice   time.Duration      `json:"slice_ns"`
	Enabled bool               `json:"enabled"`
	Zones   []profile.ZoneInfo `json:"zones"`
}

// events streams what happens.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	snap := strobe.TakeSnapshot()
	h := hello{Version: 1, Program: filepath.Base(os.Args[0]), PID: os.Getpid(), Run: "0", Now: snap.At, Loops: []string{},
		Slice: 100 * time.Millisecond, Enabled: strobe.Enabled, Zones: snap.Zones}
	text, err := json.Marshal(h)
	if err != nil {
		return
	}
	fmt.Fprintf(w, "event: hello\nid: 0:0\ndata: %s\n\n", text)
	c := http.NewResponseController(w)
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for c.Flush() == nil {
		select {
		case <-r.Context().Done():
			return
		case <-s.done:
			fmt.Fprint(w, "event: bye\ndata: {}\n\n")
			return
		case <-tick.C:
			fmt.Fprintf(w, "event: frames\nid: 0:0\ndata: {\"at_ns\":%d,\"lanes\":[],\"paths\":[],\"frames\":[],\"lost\":0}\n\n", clock.Now())
		}
	}
}
