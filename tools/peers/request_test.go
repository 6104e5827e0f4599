// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"testing"
	"time"
)

// A requestTable is an experiment with pull requests. Flags set its length.
type requestTable struct {
	name         string
	same, slower *int
	budget       *time.Duration
	gateAlone    *bool
	scores       map[string]*requestScore // nil before it ran
}

func newRequestTable(name, prefix string, budget time.Duration, same, slower int) *requestTable {
	return &requestTable{name: name, same: flag.Int(prefix+"-same", same, "requests of "+name+" that change no cost"),
		slower:    flag.Int(prefix+"-slower", slower, "requests of "+name+" that make one benchmark slower"),
		budget:    flag.Duration(prefix+"-budget", budget, "how long "+name+" measures each request by each way"),
		gateAlone: flag.Bool(prefix+"-gate-alone", false, name+" leaves out the others")}
}

var (
	longRequests  = newRequestTable("RequestVerdicts", "long", 5*time.Minute, 20, 10)
	shortRequests = newRequestTable("ShortRequestVerdicts", "short", 20*time.Second, 100, 50)

	requestsFile = flag.String("requests-file", "", "keep each outcome of the tables of requests in this file, and go on where it ends")
	requestsFor  = flag.Duration("requests-for", -1, "begin no further request after this time; 0 only reads -requests-file, negative means no limit")
	testBegan    = time.Now()
)

func BenchmarkRequestVerdicts(b *testing.B)      { runRows(b, longRequests.rows()) }
func BenchmarkShortRequestVerdicts(b *testing.B) { runRows(b, shortRequests.rows()) }

// The ways of judging. Those from inTurnRow on use the same runs.
const (
	gateRow    = "strobe-gate"
	afterRow   = "benchstat-one-after-the-other"
	inTurnRow  = "benchstat-in-turn"
	overRow    = "benchstat-in-turn-over-2.5%"
	bestOfRow  = "best-of-10-in-turn-over-2.5%"
	overFactor = 1.025
)

func (t *requestTable) rows() []row {
	var all []row
	for _, name := range []string{gateRow, afterRow, inTurnRow, overRow, bestOfRow} {
		all = append(all, row{name, func(b *testing.B) {
			s := t.run(b)[name]
			if s == nil || s.same+s.slower == 0 {
				b.Skip("not to be had here")
			}
			once(b, func() map[string]float64 { return s.metrics(name == gateRow) })
		}})
	}
	return all
}

// A requestOutcome is the outcome of one way for one request, a line of the file.
type requestOutcome struct {
	Table   string
	Budget  string
	Request int
	Way     string
	Slow    string   // the benchmark that is slower; empty if none is
	Called  []string // benchmarks that are called slower
	Passed  []string // benchmarks that are said to be within the limit
	Seconds float64  // total time, including builds
}

// same reports whether two outcomes are of the same request and the same way.
func (o requestOutcome) same(p requestOutcome) bool {
	return o.Table == p.Table && o.Budget == p.Budget && o.Request == p.Request && o.Way == p.Way && o.Slow == p.Slow
}

// A requestScore counts the outcomes of one way of judging. A request fails if any benchmark is called slower.
type requestScore struct {
	same, failed    int // requests that change no cost
	slower, found   int // requests with one slower benchmark
	unchanged, pass int // benchmarks that are not slower, in all requests, and those of them said to be within the limit
	seconds         float64
}

func (s *requestScore) metrics(passes bool) map[string]float64 {
	share := func(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }
	m := map[string]float64{"false-%": share(s.failed, s.same), "found-%": share(s.found, s.slower), "s/request": s.seconds / float64(max(1, s.same+s.slower)),
		"same-requests": float64(s.same), "slower-requests": float64(s.slower)}
	if passes {
		m["passed-%"] = share(s.pass, s.unchanged)
	}
	return m
}

// count enters an outcome.
func (s *requestScore) count(o requestOutcome) {
	s.seconds += o.Seconds
	s.unchanged += requestSize
	s.pass += len(o.Passed)
	if o.Slow == "" {
		s.same++
		if len(o.Called) > 0 {
			s.failed++
		}
		return
	}
	s.unchanged--
	if slices.Contains(o.Passed, o.Slow) {
		s.pass-- // the slower one must not pass
	}
	s.slower++
	if slices.Contains(o.Called, o.Slow) {
		s.found++
	}
}

// run runs the requests once, beside a process that keeps a processor busy.
func (t *requestTable) run(b *testing.B) map[string]*requestScore {
	if t.scores != nil {
		return t.scores
	}
	t.scores = map[string]*requestScore{gateRow: {}, afterRow: {}, inTurnRow: {}, overRow: {}, bestOfRow: {}}
	same, slower, budget := *t.same, *t.slower, *t.budget
	if *sampleFor < time.Second {
		same, slower, budget = 1, 1, 3*time.Second
	}
	done, err := readRequests(*requestsFile)
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(b.Context(), os.Interrupt) // an interrupt keeps the outcomes so far
	defer stop()
	w := newRequestWays(ctx, b)
	defer w.end()
	for n := range same + slower {
		slow := -1
		if n*slower/(same+slower) != (n+1)*slower/(same+slower) { // spread evenly
			slow = 3 * n % requestSize &^ 1 // one of those whose cost is proportional to their size
		}
		for _, way := range []string{gateRow, afterRow, inTurnRow} {
			key := requestOutcome{Table: t.name, Budget: budget.String(), Request: n, Way: way, Slow: requestName(slow)}
			if way != gateRow && *t.gateAlone || slices.ContainsFunc(done, key.same) || *requestsFor >= 0 && time.Since(testBegan) >= *requestsFor {
				continue
			}
			fresh := w.judge(slow, budget, key)
			if ctx.Err() != nil {
				break
			}
			for _, o := range fresh {
				fmt.Fprintf(os.Stderr, "  %s, request %d of %d, slower is %q: %s calls %q slower and passes %d, in %.0f s\n", t.name, n+1, same+slower, o.Slow, o.Way, o.Called,
					len(o.Passed), o.Seconds)
			}
			if err := appendRequests(*requestsFile, fresh); err != nil {
				b.Fatal(err)
			}
			done = append(done, fresh...)
		}
	}
	for _, o := range done {
		if s := t.scores[o.Way]; s != nil && o.Table == t.name && o.Budget == budget.String() {
			s.count(o)
		}
	}
	return t.scores
}

// readRequests reads the file of outcomes, if there is one.
func readRequests(name string) (all []requestOutcome, err error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	defer f.Close()
	for d := json.NewDecoder(f); ; {
		var o requestOutcome
		if err := d.Decode(&o); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", name, len(all)+1, err)
		}
		all = append(all, o)
	}
}

// appendRequests adds outcomes to the file.
func appendRequests(name string, fresh []requestOutcome) error {
	if name == "" {
		return nil
	}
	var text []byte
	for _, o := range fresh {
		line, err := json.Marshal(o)
		if err != nil {
			return err
		}
		text = append(append(text, line...), '\n')
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}
