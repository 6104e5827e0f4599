// SPDX-License-Identifier: BSD-3-Clause

package strobe_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
)

// A page is a writer that is read while reports are written. It counts the calls of Write.
type page struct {
	mu     sync.Mutex
	text   bytes.Buffer
	writes int
}

func (p *page) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.writes++
	return p.text.Write(b)
}

func (p *page) String() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

// needReports also sets a budget that the memory of other tests cannot use up, for this test and for the examples, which run
// after it and cannot set it.
func needReports(t *testing.T) {
	if !strobe.Enabled {
		t.Skip("built with strobe_off: nothing is reported")
	}
	strobe.SetBudget(1 << 40)
}

// laneOf returns a lane that is closed when the test ends.
func laneOf(t *testing.T, name string) *strobe.Lane {
	l := strobe.NewLane(name)
	t.Cleanup(l.Close)
	return l
}

// fieldsOf returns the fields of the lines that contain both.
func fieldsOf(text, lane, zone string) (all [][]string) {
	for line := range strings.Lines(text) {
		if strings.Contains(line, lane) && strings.Contains(line, zone) {
			all = append(all, strings.Fields(line))
		}
	}
	return all
}

func TestReportHasARowForEachLaneAndZone(t *testing.T) {
	needReports(t)
	work, lock, quiet := strobe.NewZone("report-work"), strobe.NewWaitZone("report-lock"), strobe.NewZone("report-quiet")
	busy, silent := laneOf(t, "report-busy"), laneOf(t, "report-silent")
	silent.Enter(quiet).Exit() // before the report begins, so it is not reported
	var out page
	r := strobe.StartReporter(&out, time.Hour, strobe.ReportOptions{Rows: 1, Tree: true}, strobe.ReportOptions{Lanes: true, Rows: -1}) // the last counts
	for range 20 {
		s := busy.Enter(work)
		busy.Enter(lock).Exit()
		s.Exit()
	}
	open := busy.Enter(work)
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	open.Exit()
	text := out.String()
	for zone, calls := range map[string]string{"report-work": "20", "report-lock (wait)": "20"} {
		rows := fieldsOf(text, "report-busy", zone)
		if len(rows) != 1 || !strings.Contains(strings.Join(rows[0], " "), " % "+calls+" ") {
			t.Errorf("%s: %q in\n%s", zone, rows, text)
		}
	}
	if rows := fieldsOf(text, "report-busy", "report-work"); len(rows) != 1 || rows[0][len(rows[0])-1] != "open" {
		t.Errorf("%q", rows)
	}
	if strings.Contains(text, "report-quiet") || !strings.HasPrefix(text, "time ") || !strings.Contains(text, "a span costs") || out.writes != 1 {
		t.Errorf("%d writes of\n%s", out.writes, text)
	}
}

func TestReportOfManyLanesSumsThemUpAndStaysShort(t *testing.T) {
	needReports(t)
	zone := strobe.NewZone("report-crowd")
	var lanes []*strobe.Lane
	for i := range 200 {
		lanes = append(lanes, laneOf(t, fmt.Sprint("one of many ", i)))
	}
	var out page
	r := strobe.StartReporter(&out, time.Hour)
	for _, l := range lanes {
		for range 3 {
			l.Enter(zone).Exit()
		}
	}
	r.Stop()
	text := out.String()
	if rows := fieldsOf(text, "report-crowd", ""); len(rows) != 1 || !strings.Contains(strings.Join(rows[0], " "), " % 600 ") {
		t.Errorf("%q in\n%s", rows, text)
	}
	if n := strings.Count(text, "\n"); n > 40 || !strings.Contains(text, "rows are sums over 2") {
		t.Errorf("%d lines:\n%s", n, text)
	}
}

func TestReportOfATreeIsIndented(t *testing.T) {
	needReports(t)
	outer, inner, lane := strobe.NewZone("report-outer"), strobe.NewZone("report-inner"), laneOf(t, "report-tree")
	var out page
	r := strobe.StartReporter(&out, time.Hour, strobe.ReportOptions{Tree: true, Rows: -1})
	o := lane.Enter(outer)
	lane.Enter(inner).Exit()
	lane.Enter(inner).Exit()
	o.Exit()
	r.Stop()
	_, below, ok := strings.Cut(out.String(), "report-outer")
	if lines := strings.Split(below, "\n"); !ok || len(lines) < 2 || !strings.Contains(lines[1], "  report-inner") {
		t.Errorf("%s", out.String())
	}
}

func TestReportSaysMisuseAndWhatToDo(t *testing.T) {
	needReports(t)
	zone, lane := strobe.NewZone("report-misuse"), laneOf(t, "report-misuse")
	var out page
	r := strobe.StartReporter(&out, 10*time.Millisecond)
	said := func() int { return strings.Count(out.String(), "ended twice: ") }
	if said() != 0 {
		t.Fatal(out.String())
	}
	s := lane.Enter(zone)
	s.Exit()
	s.Exit()
	for said() == 0 {
		time.Sleep(time.Millisecond)
	}
	written := strings.Count(out.String(), "a span costs")
	for strings.Count(out.String(), "a span costs") < written+3 {
		time.Sleep(time.Millisecond)
	}
	r.Stop()
	if said() != 1 {
		t.Errorf("said %d times:\n%s", said(), out.String())
	}
}

var errNoRoom = errors.New("no room")

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errNoRoom }

func TestStopReturnsTheFirstErrorOfTheWriter(t *testing.T) {
	r := strobe.StartReporter(brokenWriter{}, time.Hour)
	if err := r.Stop(); !errors.Is(err, errNoRoom) {
		t.Errorf("%v", err)
	}
	if err := r.Stop(); !errors.Is(err, errNoRoom) {
		t.Errorf("the second time %v", err)
	}
}

func TestNothingIsReportedAfterStop(t *testing.T) {
	var out page
	r := strobe.StartReporter(&out, 10*time.Millisecond)
	for out.String() == "" {
		time.Sleep(time.Millisecond)
	}
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	n := len(out.String())
	time.Sleep(30 * time.Millisecond)
	if len(out.String()) != n {
		t.Error("it reports after Stop")
	}
	if !strobe.Enabled && strings.Count(out.String(), "\n") != 1 {
		t.Errorf("%q", out.String())
	}
}
