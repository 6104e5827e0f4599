// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"math"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/gate"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// A gateObject is the JSON of strobe gate.
type gateObject struct {
	Schema      int             `json:"schema"`                     // version of this format
	Started     string          `json:"started"`                    // when, as in RFC 3339
	Interrupted bool            `json:"interrupted"`                // the measurement was ended by a signal
	Base        string          `json:"base"`                       // what the new side is compared with
	New         string          `json:"new"`                        // the side that is judged
	Commit      string          `json:"base_commit,omitempty"`      // commit of the base; absent with --self
	By          string          `json:"by"`                         // what is compared: wall, cpu or instructions (emulated)
	Level       float64         `json:"level,omitempty"`            // confidence of the verdicts; absent where counts are exact
	Layouts     int             `json:"layouts"`                    // number of orders of functions in which each side was linked; 1 means the linker's order
	Seed        uint64          `json:"seed,omitempty"`             // of the order of runs; absent where it does not matter
	Spent       float64         `json:"measured_s"`                 // time spent measuring
	Gate        *gate.Gate      `json:"gate"`                       // the verdict on all benchmarks, with a sentence for each that did not pass
	Benchmarks  []gateBenchmark `json:"benchmarks"`                 // benchmarks that were compared
	Sizes       []gateSize      `json:"sizes,omitempty"`            // packages whose machine code was compared
	Added       []string        `json:"new_benchmarks,omitempty"`   // benchmarks that only the new side has
	Vanished    []string        `json:"vanished,omitempty"`         // benchmarks that only the base has
	Same        []string        `json:"same_program,omitempty"`     // packages that were not measured because their test program is the same on both sides
	Broken      []string        `json:"not_measured,omitempty"`     // benchmarks and packages that could not be compared, with the reason
	Uncounted   string          `json:"no_instructions,omitempty"`  // why instructions were not counted in addition to time
	Core        *coreObject     `json:"core,omitempty"`             // whether something else used the core; absent where no time is measured
	Altered     []string        `json:"rules_altered,omitempty"`    // how the file of limits differs from that of the base, a sentence each
	Waivers     []waiverObject  `json:"waivers,omitempty"`          // of the file of limits, without those that have expired
	Unfit       *unfitObject    `json:"machine_too_busy,omitempty"` // why the machine could not decide in the time; absent if it could
	Notes       []string        `json:"notes,omitempty"`            // limitations of the results, a sentence each
}

// An unfitObject says what keeps a machine from deciding.
type unfitObject struct {
	Open    int     `json:"undecided"`         // benchmarks that its noise keeps undecided
	Scatter float64 `json:"scatter"`           // half the range of the middle half of the ratios of rounds, as a share
	Needs   float64 `json:"needs_s,omitempty"` // about how much time would decide them; absent if that is not practicable
	CPU     bool    `json:"by_cpu,omitempty"`  // --by cpu may decide sooner
}

// A coreObject says how often something else used the core that the benchmarks ran on, such as another machine.
type coreObject struct {
	Share  stat.Interval `json:"shared_share"`     // share of the time
	Factor float64       `json:"factor,omitempty"` // how many times as long work takes then that keeps the units of a core busy; absent if that was not seen
}

type gateBenchmark struct {
	Package    string         `json:"package"`                      // import path
	Name       string         `json:"name"`                         // without "Benchmark"
	File       string         `json:"file,omitempty"`               // where to look, below the top of the checkout: with the function that made it slower, if the profiles name one there, or else with the benchmark; absent where that is not known, and with --self
	Line       int            `json:"line,omitempty"`               // of the file
	Outcome    decide.Outcome `json:"outcome"`                      // passed, failed or undecided
	Change     string         `json:"change"`                       // of the time, whatever the limit: proven faster, no proof, proven slower or cannot tell
	Sentence   string         `json:"sentence"`                     // the finding and its confidence
	Again      string         `json:"again,omitempty"`              // command that measures it again, unless it passed
	Limit      float64        `json:"limit"`                        // relative slowdown that still passes
	Rounds     int            `json:"rounds"`                       // runs of each side that count
	Disturbed  int            `json:"disturbed,omitempty"`          // rounds that do not count because they waited too long for a processor
	Waited     *float64       `json:"waited,omitempty"`             // median share of the time that the counted rounds waited for a processor; absent if the system does not report it
	Preempted  *float64       `json:"preempted,omitempty"`          // mean number of times that a counted run was preempted; absent if the system does not report it
	Calls      int            `json:"calls,omitempty"`              // in each run
	Processors int            `json:"processors"`                   // GOMAXPROCS of the runs
	Ratio      stat.Interval  `json:"ratio"`                        // cost on the new side over that of the base, by the rounds that count
	Base       *float64       `json:"base_ns,omitempty"`            // median time of a call
	New        *float64       `json:"new_ns,omitempty"`             // median time of a call
	BaseCount  *float64       `json:"base_instructions,omitempty"`  // median instructions of a call in user mode: with --exact, and where the processor counts them
	NewCount   *float64       `json:"new_instructions,omitempty"`   // median instructions of a call in user mode: with --exact, and where the processor counts them
	CountRatio *float64       `json:"instructions_ratio,omitempty"` // instructions on the new side over those on the base
	Migrations *float64       `json:"migrations,omitempty"`         // mean number of times that a counted run was moved to another processor; absent if the system does not report it
	BaseAllocs *float64       `json:"base_allocs,omitempty"`        // allocations of a call, the least of all runs
	NewAllocs  *float64       `json:"new_allocs,omitempty"`         // allocations of a call, the least of all runs
	Metrics    []gateMetric   `json:"metrics,omitempty"`            // all that the benchmark reports besides its time
	Long       *gateLong      `json:"long,omitempty"`               // what long runs say; absent if there are none, or if they decide first
	Rewritten  bool           `json:"rewritten,omitempty"`          // the source of the benchmark differs between the sides
	Grown      string         `json:"grown,omitempty"`              // the part of the sentence about the functions that made it slower; absent if the profiles do not show it
	Profile    *gateProfile   `json:"profile,omitempty"`            // profiles of both sides, if it failed
	Seen       *float64       `json:"seen,omitempty"`               // with --self, the smallest slowdown that would have failed
	Earlier    *earlierObject `json:"base_earlier,omitempty"`       // the base in the best run of the last 30 days of the same program on this machine; absent if there is none
}

// A gateMetric is what is known about a metric other than time.
type gateMetric struct {
	Name     string          `json:"name"`               // allocs, bytes, or the unit of the value
	Base     float64         `json:"base"`               // median of the runs; for allocs and bytes of a call
	New      float64         `json:"new"`                // median of the runs
	Limit    *float64        `json:"limit,omitempty"`    // relative growth that still passes, negative if it may fall; absent if the metric does not decide
	Outcome  *decide.Outcome `json:"outcome,omitempty"`  // absent if the metric does not decide
	Sentence string          `json:"sentence,omitempty"` // the finding and its confidence; absent if the metric does not decide
}

// A gateSize is the machine code of a package, without its tests.
type gateSize struct {
	Package  string         `json:"package"`        // import path
	Base     *float64       `json:"base,omitempty"` // bytes; absent if not known
	New      *float64       `json:"new,omitempty"`  // bytes; absent if not known
	Limit    float64        `json:"limit"`          // relative growth that still passes
	Outcome  decide.Outcome `json:"outcome"`        // undecided if a size is not known
	Sentence string         `json:"sentence"`       // the finding
}

// metric returns the JSON of an answer.
func (a *answer) object() gateMetric {
	o := gateMetric{Name: string(a.metric), Base: a.before, New: a.after}
	if a.decides {
		limit := a.share
		if a.falls {
			limit = -limit
		}
		o.Limit, o.Outcome, o.Sentence = &limit, &a.outcome, a.sentence
	}
	return o
}

// A gateLong is what runs of many calls in one go say of a benchmark.
type gateLong struct {
	Outcome         decide.Outcome `json:"outcome"`          // passed if the slowdown is shown to be at most tolerated
	Tolerated       float64        `json:"tolerated"`        // relative slowdown that passes, unless it is shown to be above the limit
	Calls           int            `json:"calls"`            // of a run
	Rounds          int            `json:"rounds"`           // runs of each side that count
	Base            float64        `json:"base_ns"`          // median cost of a call
	New             float64        `json:"new_ns"`           // median cost of a call
	BaseCollections float64        `json:"base_collections"` // collections in a run, the median, without those that the program asked for
	NewCollections  float64        `json:"new_collections"`  // collections in a run, the median, without those that the program asked for
	Ratio           stat.Interval  `json:"ratio"`            // cost on the new side over that of the base
}

// longObject returns the JSON of the long runs of a row.
func (x *row) longObject() *gateLong {
	if x.opinion == nil || len(x.long.rounds) == 0 {
		return nil
	}
	return &gateLong{Outcome: x.opinion.outcome, Tolerated: x.limit + tolerance, Calls: x.longCalls, Rounds: len(x.long.rounds), Base: x.long.median(oldSide),
		New: x.long.median(newSide), BaseCollections: x.collections(oldSide), NewCollections: x.collections(newSide),
		Ratio: x.opinion.comparison.Ratio}
}

// callsOf returns how many calls a run makes of what decides first.
func (m *measurement) callsOf(b *benchmark) int {
	if m.flags.By == "cpu" {
		return b.longCalls
	}
	return b.iterations * b.blocks
}

// object returns the JSON of the report.
func (r *report) object(interrupted bool) gateObject {
	m := r.m
	o := gateObject{Schema: session.Schema, Started: m.started.Format(time.RFC3339), Interrupted: interrupted, By: m.flags.by(), Level: float64(m.flags.Level),
		Layouts: max(1, m.layouts), Seed: m.seed, Spent: m.spent.Seconds(), Gate: r.gate, Benchmarks: []gateBenchmark{}, Added: m.added, Vanished: m.vanished,
		Same: m.unchanged, Notes: r.remarks(), Altered: m.altered, Waivers: r.waiverObjects()}
	if m.emulator != nil {
		o.Level, o.Seed = 0, 0
	}
	o.Base, o.New = m.sides()
	if m.checkout != nil {
		o.Commit = m.checkout.base
	}
	o.Broken, _ = r.faults()
	if len(r.rows) > 0 {
		o.Uncounted = r.rows[0].uncounted
	}
	if o.Gate.Reasons == nil {
		o.Gate.Reasons = []string{}
	}
	if u := r.unfit; u != nil {
		o.Unfit = &unfitObject{u.open, math.Expm1(u.scatter), u.needs.Seconds(), u.cpu}
	}
	if core := m.core.Report(); core.Spins > 0 {
		o.Core = &coreObject{core.Share, core.Factor}
	}
	for _, x := range r.rows {
		b := gateBenchmark{Package: x.pkg.path, Name: x.name, Outcome: x.outcome, Change: x.proof, Sentence: x.sentence, Again: x.repeat, Limit: x.limit, Rounds: len(x.rounds),
			Calls: m.callsOf(x.benchmark), Processors: x.maxProcs(), Seen: x.seen, Grown: x.explained.cause(), Profile: x.explained.object(), Rewritten: x.rewritten, Long: x.longObject(), Earlier: x.earlier.object()}
		b.Ratio = x.comparison.Ratio
		if m.emulator != nil && b.Ratio.Known() {
			b.Ratio.Method, b.Ratio.N = "all counts of both sides", uint64(len(x.rounds))
		} else if m.emulator != nil {
			b.Ratio = stat.Unknown("the base was not counted, or ran no instruction")
		}
		b.File, b.Line = m.source(x.benchmark)
		b.Disturbed = len(x.disturbed)
		b.Waited, b.Preempted = x.waiting()
		if len(x.rounds) > 0 {
			before, after := x.median(oldSide), x.median(newSide)
			allocs, newAllocs := x.rounds[0].allocs[oldSide], x.rounds[0].allocs[newSide]
			allocs, _ = x.allocations(oldSide)
			newAllocs, _ = x.allocations(newSide)
			b.BaseAllocs, b.NewAllocs = &allocs, &newAllocs
			if m.emulator != nil {
				b.BaseCount, b.NewCount = &before, &after
			} else {
				b.Base, b.New = &before, &after
				if ratio, before, after, ok := x.instructionRatio(); ok {
					b.BaseCount, b.NewCount, b.CountRatio = &before, &after, &ratio
				}
				b.Migrations = x.moves()
			}
		}
		for i := range x.answers {
			if x.answers[i].rounds > 0 {
				b.Metrics = append(b.Metrics, x.answers[i].object())
			}
		}
		o.Benchmarks = append(o.Benchmarks, b)
	}
	for i := range m.sizes {
		x := &m.sizes[i]
		size := gateSize{Package: x.path, Limit: x.limit(), Outcome: x.outcome, Sentence: x.sentence}
		if x.unknown == "" {
			size.Base, size.New = &x.before, &x.after
		}
		o.Sizes = append(o.Sizes, size)
	}
	return o
}
