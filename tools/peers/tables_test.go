// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	_ "embed"
	"flag"
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe/tools/peers/report"
	"github.com/strobe-go/strobe/tools/peers/soak"
)

// A row measures one thing. If that is impossible here, run calls b.Skip.
type row struct {
	name string
	run  func(b *testing.B)
}

// rows has the rows of all tables by the table's name.
var rows = map[string]func() []row{
	"Clock":     clockRows,
	"Drift":     driftRows,
	"Sleep":     sleepRows,
	"Floor":     floorRows,
	"BusyFloor": busyFloorRows,
	"Stop":      stopRows,
	"Crowd":     crowdRows,
	"Rolling":   rollingRows,
	"Moments":   momentsRows,
	"Histogram": histogramRows,
	"Counters":  countersRows,
	"Zones":     zonesRows,
	"Spans":     spansRows,
	"Displaced": displacedRows,

	"Goroutines": goroutineRows,
	"Means":      meansRows,
	"Server":     serverRows,
	"Idle":       idleRows,
	"Parked":     parkedRows,
	"Gone":       goneRows,
	"Record":     recordRows,
	"Snapshot":   snapshotRows,
	"Scrape":     scrapeRows,
	"LivePage":   livePageRows,
	"Timeline":   timelineRows,

	"Units":   unitRows,
	"Capture": captureRows,
	"DropIns": dropInRows,
	"Soak":    soakRows,

	"Verdicts":         verdictRows,
	"RequestVerdicts":  longRequests.rows,
	"FunctionVerdicts": functionVerdictRows,

	"ShortRequestVerdicts": shortRequests.rows,
}

func runRows(b *testing.B, rows []row) {
	for _, r := range rows {
		b.Run(r.name, r.run)
	}
}

// These are for experiments that determine their own time, so that a trial run can be short.
var (
	driftFor  = flag.Duration("drift", time.Minute, "how long the Drift table looks at the clocks")
	sampleFor = flag.Duration("sample", time.Second, "how long a row of Sleep and of Stop samples")
	soakFor   = flag.Duration("soak", time.Hour, "how long the program of the Soak table runs")
)

func TestMain(m *testing.M) {
	if os.Getenv(hogEnv) != "" {
		hog()
	}
	if os.Getenv(soak.Variable) != "" {
		soak.Program()
		return
	}
	if os.Getenv(serverEnv) != "" {
		servePages()
		return
	}
	os.Exit(m.Run())
}

// once makes a benchmark of an experiment that determines its own time: its metrics replace ns/op.
func once(b *testing.B, measure func() map[string]float64) {
	var metrics map[string]float64
	for b.Loop() {
		if metrics == nil {
			metrics = measure()
		}
	}
	b.ReportMetric(0, "ns/op")
	for name, value := range metrics {
		b.ReportMetric(value, name)
	}
}

//go:embed tables.txt
var plan string

func TestPlanAndBenchmarksNameTheSameRows(t *testing.T) {
	tables, err := report.ParsePlan(plan)
	if err != nil {
		t.Fatal(err)
	}
	planned := map[string]bool{}
	for _, table := range tables {
		planned[table.Name] = true
		if rows[table.Name] == nil {
			t.Errorf("tables.txt has the table %s, the benchmarks do not", table.Name)
			continue
		}
		var names []string
		for _, r := range rows[table.Name]() {
			names = append(names, r.name)
			if regexp.MustCompile(`-\d+$|\s`).MatchString(r.name) {
				t.Errorf("%s: row %q: go test would take the end of the name for GOMAXPROCS, or change it", table.Name, r.name)
			}
		}
		for _, g := range table.Goals {
			if !slices.Contains(names, g.Row) {
				t.Errorf("%s: goal %q: no such row; rows are %q", table.Name, g, names)
			}
			if g.Of != "" && !slices.Contains(names, g.Of) {
				t.Errorf("%s: goal %q: no row %s; rows are %q", table.Name, g, g.Of, names)
			}
			if g.Metric != "ns/op" && g.Metric != "allocs/op" && !slices.Contains(table.Show, g.Metric) {
				t.Errorf("%s: goal %q: the table does not show %s", table.Name, g, g.Metric)
			}
		}
		based := func(name string) bool {
			return regexp.MustCompile(`(^|/)` + regexp.QuoteMeta(table.Base) + `$`).MatchString(name)
		}
		if !slices.ContainsFunc(names, based) {
			t.Errorf("%s: no row is the base %s", table.Name, table.Base)
		}
	}
	for name := range rows {
		if !planned[name] {
			t.Errorf("the benchmarks have the table %s, tables.txt does not", name)
		}
	}
}

func TestBenchmarksFileIsAsGenerated(t *testing.T) {
	text, err := os.ReadFile("../../BENCHMARKS.md")
	if os.IsNotExist(err) {
		t.Skip("no BENCHMARKS.md yet: ./check bench writes it")
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := report.Verify(string(text)); err != nil {
		t.Errorf("BENCHMARKS.md: %v; run ./check bench", err)
	}
}

func BenchmarkCounters(b *testing.B) { runRows(b, countersRows()) }
