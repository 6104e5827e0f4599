// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/capture"
	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/profile"
)

func TestReportsAreSentOnceToEachViewer(t *testing.T) {
	m := newModel(1 << 20)
	began := clock.Now()
	report := capture.Report{Root: "request", Unit: "span", Goroutine: 7, At: time.Now(), Took: 69 * time.Millisecond, Usual: 9 * time.Millisecond, Cause: capture.Lock,
		Spent: 58 * time.Millisecond, Where: "store.go:41 (main.save\x1b[31m)", Account: make([]capture.Part, 20)}
	m.reports.read([]capture.Numbered{{Number: 3, Report: report}}, m.units.keeper.Keep)
	if m.reports.last != 3 {
		t.Errorf("the next reading asks for reports after %d", m.reports.last)
	}
	c := cursor{}
	if !m.news(&c, nil) {
		t.Error("a report is no news")
	}
	var got struct{ Reports []reportMessage }
	text := m.appendMarks([]byte(`{"at_ns":1`), &c)
	if err := json.Unmarshal(append(text, '}'), &got); err != nil || len(got.Reports) != 1 || strings.Contains(string(text), "\x1b") {
		t.Fatalf("%s: %v", text, err)
	}
	r := got.Reports[0]
	if r.Number != 3 || r.Root != "request" || r.Unit != "span" || r.Goroutine != 7 || r.Took != report.Took || r.Usual != report.Usual || r.Cause != capture.Lock || len(r.Account) != mostParts ||
		r.Start < began-clock.Instant(time.Second) || r.Start > clock.Now()+clock.Instant(time.Second) || !strings.HasPrefix(r.Text, "request took 69 ms, 60 ms more than usual: 58 ms") {
		t.Errorf("%+v", r)
	}
	if text := m.appendMarks(nil, &c); len(text) > 0 {
		t.Errorf("a second time: %s", text)
	}
	report.Evidence = &capture.Evidence{Unit: profile.Unit{Start: 12345, Took: report.Took, Goroutine: 7}}
	m.reports.read([]capture.Numbered{{Number: 4, Report: report}}, m.units.keeper.Keep)
	if text := string(m.appendMarks(nil, &c)); !strings.Contains(text, `"start_ns":12345`) || m.units.keeper.Root(0) == nil || len(m.units.keeper.Root(0).After(0)) != 1 {
		t.Errorf("the unit of a report with evidence is not kept, or its start is not exact: %s", text)
	}
	for n := range uint64(3 * mostReports) {
		m.reports.read([]capture.Numbered{{Number: 4 + n, Report: report}}, m.units.keeper.Keep)
	}
	if n := len(m.reports.all.items); n > 2*mostReports {
		t.Errorf("%d reports are kept", n)
	}
}

func TestTheFileOfAnUnknownReportIsRefused(t *testing.T) {
	s := serve(t, Options{RecordBytes: -1})
	for path, status := range map[string]int{"capture": 400, "capture?report=0": 400, "capture?report=x": 400, "capture?report=99999": 404} {
		if a, text := request(t, s, "GET", path, ""); a.StatusCode != status || strings.Count(text, "\n") != 1 {
			t.Errorf("%s: %s, %q", path, a.Status, text)
		}
	}
}
