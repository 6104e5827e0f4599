// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/trace"
)

const (
	longest       = 60 // seconds that a trace or a profile may cover
	mostDownloads = 4  // at once: each takes memory
)

// admit takes one of the places for downloads; the caller releases it with leave. If there is none, admit answers the request
// and ok is false.
func (s *Server) admit(w http.ResponseWriter) (ok bool) {
	select {
	case s.places <- struct{}{}:
		return true
	default:
		w.Header().Set("Retry-After", "5")
		http.Error(w, fmt.Sprintf("%d downloads are in progress, which is the limit: try again later", mostDownloads), http.StatusServiceUnavailable)
		return false
	}
}

func (s *Server) leave() { <-s.places }

// A snapshotMessage is the answer at snapshot.json.
type snapshotMessage struct {
	Version  int              `json:"version"`
	Program  string           `json:"program"`
	PID      int              `json:"pid"`
	Run      string           `json:"run"`
	Time     time.Time        `json:"time"`
	Slowest  []slowestUnit    `json:"slowest,omitempty"`
	Snapshot profile.Snapshot `json:"snapshot"`
}

// listedLanes is how many lanes a snapshot lists if the request does not say.
const listedLanes = 1000

// snapshot answers with all that was measured.
func (s *Server) snapshot(w http.ResponseWriter, r *http.Request) {
	listed, err := parseLanes(r.FormValue("lanes"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if !s.admit(w) {
		return
	}
	defer s.leave()
	reader := strobe.Reader{Lanes: listed}
	m := snapshotMessage{Version: 1, Program: program(), PID: os.Getpid(), Run: s.run, Time: time.Now(), Slowest: s.slowest(), Snapshot: reader.Read()}
	if listed < 0 {
		sumLanes(&m.Snapshot)
	}
	lanes := m.Snapshot.Lanes
	m.Snapshot.Lanes = []profile.LaneStats{}
	text, err := marshal(m)
	if err != nil {
		http.Error(w, line(err.Error()), http.StatusInternalServerError)
		return
	}
	unhurried(w)
	w.Header().Set("Content-Type", "application/json")
	before, after, _ := bytes.Cut(text, []byte(`"lanes":[]`)) // no string contains it, since quotes in strings are escaped
	b := bufio.NewWriterSize(w, 64<<10)
	b.Write(before)
	b.WriteString(`"lanes":[`)
	for i := range lanes { // one after another, since together they may be large
		if i > 0 {
			b.WriteByte(',')
		}
		text, err := marshal(&lanes[i])
		if err != nil {
			return // the answer is not complete, and therefore no JSON
		}
		if _, err := b.Write(text); err != nil {
			return
		}
	}
	b.WriteByte(']')
	b.Write(after)
	b.WriteByte('\n')
	b.Flush()
}

// parseLanes returns how many lanes to list, as Reader.Lanes.
func parseLanes(text string) (listed int, err error) {
	switch text {
	case "":
		return listedLanes, nil
	case "sum":
		return -1, nil
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, errors.New("lanes must be the number of lanes to list, or sum")
	}
	if n == 0 {
		return -1, nil
	}
	return int(n), nil
}

// sumLanes adds distributions to the lane that stands for all.
func sumLanes(s *profile.Snapshot) {
	if len(s.Lanes) == 0 { // nothing was measured
		s.Lanes = []profile.LaneStats{{LaneInfo: profile.LaneInfo{ID: allLanes, Name: "all"}}}
	}
	s.Lanes[0].Zones = slices.DeleteFunc(s.Totals(), func(z profile.ZoneStats) bool { return z.Calls == 0 && z.Open == 0 && z.Total == 0 })
	s.Pooled = nil
}

// trace answers with the spans of the next or the last seconds, or with all that are recorded, or with those between two
// instants.
func (s *Server) trace(w http.ResponseWriter, r *http.Request) {
	format, found := formatOf(r.FormValue("format"))
	seconds, err := parseSeconds(r, "seconds")
	last, wrongLast := parseSeconds(r, "last")
	from, to, wrong := parseRange(r.FormValue("from"), r.FormValue("to"))
	switch {
	case err == nil && (wrong != nil || wrongLast != nil):
		err = cmp.Or(wrong, wrongLast)
	case !found:
		err = errors.New("format must be chrome, perfetto or json")
	case err == nil && strobe.Recording() == 0:
		err = errors.New("nothing is recorded: strobe.Record or the command record_bytes turns it on")
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if !s.admit(w) {
		return
	}
	defer s.leave()
	start := clock.Now()
	if !s.wait(w, r, seconds) {
		return
	}
	t := strobe.TakeTimeline()
	if seconds > 0 || last > 0 {
		from = max(from, start-clock.Instant(last))
	}
	within(&t, from, to)
	unhurried(w)
	attach(w, format.media, format.ending)
	format.write(w, t)
}

// within removes events that ended before from, or began at to or later.
func within(t *profile.Timeline, from, to clock.Instant) {
	t.Events = slices.DeleteFunc(t.Events, func(e profile.Event) bool { return e.Start+clock.Instant(e.Took) < from || e.Start >= to })
}

// parseRange returns the instants between which a download lies; "" means no limit.
func parseRange(from, to string) (a, b clock.Instant, err error) {
	a, b = math.MinInt64, math.MaxInt64
	for _, limit := range []struct {
		text string
		at   *clock.Instant
	}{{from, &a}, {to, &b}} {
		if limit.text == "" {
			continue
		}
		ns, err := strconv.ParseInt(limit.text, 10, 64)
		if err != nil {
			return 0, 0, errors.New("from and to must be instants in nanoseconds")
		}
		*limit.at = clock.Instant(ns)
	}
	return a, b, nil
}

// A format is a file format for spans.
type format struct {
	ending, media string
	write         func(io.Writer, profile.Timeline) error
}

func formatOf(name string) (f format, found bool) {
	switch name {
	case "", "chrome":
		return format{".trace.json", "application/json", trace.WriteChrome}, true
	case "perfetto":
		return format{".pftrace", "application/octet-stream", trace.WritePerfetto}, true
	case "json":
		return format{".timeline.json", "application/json", writeTimeline}, true
	}
	return format{}, false
}

// writeTimeline writes a timeline as JSON.
func writeTimeline(w io.Writer, t profile.Timeline) error {
	text, err := marshal(t)
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// marshal returns v in JSON, with the characters that would control a terminal in their escaped form.
func marshal(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil || !bytes.ContainsFunc(text, func(r rune) bool { return !plain.Is(r) }) {
		return text, err
	}
	return plain.AppendJSON(nil, text), nil
}

// profile answers with a profile of zones for pprof.
func (s *Server) profile(w http.ResponseWriter, r *http.Request) {
	seconds, err := parseSeconds(r, "seconds")
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if !s.admit(w) {
		return
	}
	defer s.leave()
	var before profile.Snapshot
	if seconds > 0 {
		before = strobe.TakeSnapshot()
	}
	if !s.wait(w, r, seconds) {
		return
	}
	now := strobe.TakeSnapshot()
	if seconds > 0 {
		now = now.Sub(before)
	}
	unhurried(w)
	attach(w, "application/octet-stream", ".pb.gz")
	trace.WriteProfile(w, now)
}

// parseSeconds returns the length of a download, from the parameter with that name; 0 if it is absent.
func parseSeconds(r *http.Request, name string) (time.Duration, error) {
	text := r.FormValue(name)
	if text == "" {
		return 0, nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0 && x <= longest) {
		return 0, fmt.Errorf("%s must be a number from 0, which means all that is kept, to %d", name, longest)
	}
	return time.Duration(x * 1e9), nil
}

// wait reports false if the viewer disconnects, or the server is closed, before d has passed.
func (s *Server) wait(w http.ResponseWriter, r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
	case <-s.done:
		http.Error(w, "the server is shutting down", http.StatusServiceUnavailable)
	}
	return false
}

// unhurried gives an answer a minute from now on, whatever the server's own limit is.
func unhurried(w http.ResponseWriter) {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(time.Minute)) // if not supported, there is no limit
}

// attach marks the answer as a file to download.
func attach(w http.ResponseWriter, media, ending string) {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r) {
			return r
		}
		return '_'
	}, program())
	w.Header().Set("Content-Type", media)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+"-"+time.Now().Format("20060102-150405")+ending+`"`)
}
