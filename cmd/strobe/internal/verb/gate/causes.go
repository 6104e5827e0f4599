// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"fmt"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/profdiff"
	"github.com/strobe-go/strobe/internal/units"
)

// How many functions a table has, and how many of the standard library, whose time is also that of their callers. The JSON has all.
const (
	mostFunctions = 8
	mostStandard  = 4
)

// cause is a part of the sentence of a verdict, empty if the profiles show none.
func (e *explanation) cause() string {
	if e == nil {
		return ""
	}
	var parts []string
	for _, text := range []string{e.compared.Cause(), profdiff.Allocates(e.allocations)} {
		if text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "; ")
}

// A causeTable shows what changed in the profiles of a benchmark.
type causeTable struct {
	name   string
	titles []string
	rows   [][]string
}

// times returns the functions whose time changed.
func (e *explanation) times(title string) causeTable {
	t := causeTable{name: "Functions whose time changed", titles: []string{title, "base", "new", "own time of a call", "with what it calls"}}
	standard := 0
	for _, f := range e.compared.Functions {
		if !(f.Own.Changed || f.Standard && f.Total.Changed && standard < mostStandard) || len(t.rows) == mostFunctions {
			continue
		}
		x, own, total := f.Own, "", ""
		switch {
		case f.Standard:
			x, own = f.Total, "(standard library)"
			standard++
		default:
			own = profdiff.InTime(f.Own.Difference)
		}
		if f.Total.Changed && (f.Total.Base != f.Own.Base || f.Total.New != f.Own.New) {
			total = profdiff.InTime(f.Total.Difference)
		}
		t.rows = append(t.rows, []string{functionName(f.Name, f.BaseName), units.Duration(x.Base), units.Duration(x.New), own, total})
	}
	if w := e.compared.Waiting; w.Changed {
		t.rows = append(t.rows, []string{"waiting", units.Duration(max(0, w.Base)), units.Duration(max(0, w.New)), profdiff.InTime(w.Difference), ""})
	}
	return t
}

// allocates returns the functions that allocate more or less.
func (e *explanation) allocates(title string) causeTable {
	t := causeTable{name: "Functions whose allocations changed", titles: []string{title, "base", "new", "allocated a call", "allocations"}}
	for _, a := range e.allocations {
		if (a.Bytes.Changed || a.Objects.Changed) && len(t.rows) < mostFunctions {
			t.rows = append(t.rows, []string{functionName(a.Name, ""), units.Approx(a.Bytes.Base, "B"), units.Approx(a.Bytes.New, "B"),
				profdiff.InCounts(a.Bytes.Difference, "B"), profdiff.InCounts(a.Objects.Difference, "")})
		}
	}
	return t
}

// functionName returns a name without the folders of its package.
func functionName(name, baseName string) string {
	if baseName != "" {
		return fmt.Sprintf("%s (%s on the base)", profdiff.Short(name), profdiff.Short(baseName))
	}
	return profdiff.Short(name)
}

// effort says what a table rests on.
func (e *explanation) effort() string {
	text := "what it allocates, in " + e.spent.Round(100*time.Millisecond).String()
	if e.rounds > 0 {
		text = fmt.Sprintf("%s of each side in %s, with %d samples of processor time on %s and %d on %s", layout.Plural(uint64(e.rounds), "run"),
			e.spent.Round(100*time.Millisecond), e.samples[oldSide], sideNames[oldSide], e.samples[newSide], sideNames[newSide])
	}
	if e.uncounted {
		text += "; there was no time to count allocations"
	}
	return text
}

// tables returns those of a benchmark that have rows.
func (e *explanation) tables(title string) (all []causeTable) {
	for _, t := range []causeTable{e.times(title), e.allocates(title)} {
		if len(t.rows) > 0 {
			all = append(all, t)
		}
	}
	return all
}

// kept says how to look at what was written, a line each.
func (e *explanation) kept() (lines []string) {
	if e.page != "" {
		lines = append(lines, "  "+e.page)
	}
	for i := 0; i+1 < len(e.files); i += 2 {
		lines = append(lines, fmt.Sprintf("  go tool pprof -http=: -diff_base='%s' '%s'", e.files[i], e.files[i+1]))
	}
	return lines
}

// nothing says that the profiles show no difference, empty if they do.
func (e *explanation) nothing() string {
	if len(e.tables("")) > 0 {
		return ""
	}
	return "; they show no function whose cost changed"
}

// A gateProfile is the JSON of an explanation.
type gateProfile struct {
	Spent       float64                `json:"measured_s"`               // time that the profiles took, in addition to the measurement
	Runs        int                    `json:"runs"`                     // of each side under the processor profile
	BaseSamples int                    `json:"base_samples"`             // of processor time, 100 a second
	NewSamples  int                    `json:"new_samples"`              // of processor time, 100 a second
	Waiting     *profdiff.Change       `json:"waiting_ns,omitempty"`     // elapsed time of a call in which no goroutine ran; absent if it is not known
	Functions   []profdiff.Function    `json:"functions"`                // functions with enough samples, the largest change first
	Allocations *[]profdiff.Allocation `json:"allocations,omitempty"`    // functions that allocate; absent if they were not counted
	Uncounted   string                 `json:"no_allocations,omitempty"` // why they were not
	Page        string                 `json:"page,omitempty"`           // with --profile, the file with the flame graph
	Files       []string               `json:"files,omitempty"`          // with --profile, those of the profiles: of processor time on the base and on the new side, and of allocations
}

// object returns the JSON, nil without an explanation.
func (e *explanation) object() *gateProfile {
	if e == nil {
		return nil
	}
	c := e.compared
	o := &gateProfile{Spent: e.spent.Seconds(), Runs: e.rounds, BaseSamples: e.samples[oldSide], NewSamples: e.samples[newSide],
		Functions: c.Functions, Page: e.page, Files: e.files}
	if c.Waiting.Difference.Bounded() {
		o.Waiting = &c.Waiting
	}
	if e.uncounted {
		o.Uncounted = "there was no time for it"
	} else {
		all := append([]profdiff.Allocation{}, e.allocations...)
		o.Allocations = &all
	}
	if o.Functions == nil {
		o.Functions = []profdiff.Function{}
	}
	return o
}
