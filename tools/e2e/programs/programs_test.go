// SPDX-License-Identifier: BSD-3-Clause

package programs

import (
	"flag"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var (
	all  = flag.Bool("all", false, "try all programs, and measure what zones cost")
	with = flag.String("strobe", "", "the command to try, instead of that of this tree")
	only = flag.String("only", "", "try only the program with this name, as with -all")
	anew = flag.Bool("starts", false, "with -record: measure again how long it takes until programs run, and nothing else")
	keep = flag.Bool("record", false, "write what was found to results.jsonl and docs/run-programs.md")
)

// mostRuns is how often a program runs at most until its counts are the same.
const mostRuns = 6

// mostSuspects is how many functions may depend on how long a program takes.
const mostSuspects = 3

func TestPublicProgramsBehaveAndCountTheSame(t *testing.T) {
	if testing.Short() && *only == "" && !*all {
		t.Skip("builds programs, which takes long")
	}
	strobe := *with
	if strobe == "" {
		strobe = filepath.Join(t.TempDir(), "strobe")
		cmd := exec.Command("go", "build", "-buildvcs=false", "-trimpath=false", "-o", strobe, "./cmd/strobe")
		cmd.Dir = "../../.."
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
	}
	tried := 0
	for _, p := range programs {
		if !p.often && !*all && !*anew && *only == "" || *only != "" && *only != p.name {
			continue
		}
		tried++
		t.Run(p.name, func(t *testing.T) {
			if *anew {
				startAgain(t, p, strobe)
				return
			}
			if r := try(t, p, strobe); !t.Failed() && *keep {
				record(t, r)
			}
		})
	}
	if tried == 0 {
		t.Fatalf("no program has the name %q", *only)
	}
	if !*all && !*anew && *only == "" {
		t.Logf("%d of %d programs: ./check programs tries all, and measures what zones cost", tried, len(programs))
	}
}

// try tries a program.
func try(t *testing.T, p program, strobe string) result {
	long := *all || *only != ""
	b := build(t, p, strobe)
	r := result{Name: p.name, Module: p.module, Zones: strings.TrimPrefix(strings.Split(b.said, ";")[0], "strobe: ")}

	snapshot := filepath.Join(t.TempDir(), "snapshot.json")
	if long {
		plain, zones := b.run(t, b.plain), b.run(t, b.zones, "STROBE_EXPORT="+snapshot)
		b.compare(t, plain, zones)
		zones = b.run(t, b.zones) // and nothing is asked of strobe
		b.compare(t, plain, zones)
	}

	// A function that seems to be wrong may vary: more runs tell.
	var zones, counters []map[place]int64
	var c count
	for runs := 0; runs < 2 && long || runs < 1 || runs < mostRuns && len(c.wrong) > 0; runs++ {
		data := t.TempDir()
		measured, counted := b.run(t, b.zones, "STROBE_EXPORT="+snapshot), b.run(t, b.counting, "GOCOVERDIR="+data)
		b.compare(t, counted, measured)
		zones, counters = append(zones, b.zoneCalls(t, snapshot)), append(counters, b.compilerCalls(t, data))
		c = compare(zones, counters)
	}
	if c.functions == 0 {
		t.Errorf("%s: no function was called", p.name)
	}
	r.Functions, r.Calls, r.Unknown = c.functions, c.calls, len(c.unknown)
	t.Logf("%s: %s; %d functions with %d calls agree, %d disagree, %d vary, %d have no counter: %v", p.name, r.Zones, c.functions, c.calls, len(c.wrong),
		len(c.varying), len(c.unknown), c.unknown)

	if long {
		r.cost = b.cost(t)
		r.stamp()
	}
	// What is wrong in all of them may depend on how long the program takes, as a report each second does: one process must have it right.
	if len(c.wrong) > mostSuspects {
		t.Errorf("%s: %d functions disagree, which is no matter of time", p.name, len(c.wrong))
	}
	for at := range c.wrong {
		t.Logf("%s: %s:%d: the zone has %d calls, the compiler counts %d", p.name, at.file, at.line, zones[0][at], counters[0][at])
		c.varying = append(c.varying, at)
	}
	if len(c.varying) > 0 {
		r.Varying, r.VaryingCalls = b.together(t, c.varying, c.wrong) // which changes the module
	}
	t.Log(r.row())
	return r
}

// compare reports that two runs did different things.
func (b *built) compare(t *testing.T, without, with ran) {
	t.Helper()
	if !slices.Equal(without.did, with.did) {
		t.Errorf("%s behaves differently with zones: %s", b.name, difference(without.did, with.did))
	}
}

// together compares the calls of functions in a process that has both zones and counters, in which those that are suspect must be called. It
// returns how many functions were called, and their calls.
func (b *built) together(t *testing.T, some []place, suspect map[place]bool) (functions int, calls int64) {
	witness := b.witness(t)
	snapshot, data := filepath.Join(t.TempDir(), "snapshot.json"), t.TempDir()
	b.run(t, witness, "STROBE_EXPORT="+snapshot, "GOCOVERDIR="+data)
	zones, counters := b.zoneCalls(t, snapshot), b.compilerCalls(t, data)
	for _, p := range some {
		if zones[p] != counters[p] {
			t.Errorf("%s: %s:%d: the zone has %d calls, and the compiler counts %d in the same process", b.name, p.file, p.line, zones[p], counters[p])
		} else if zones[p] > 0 {
			functions++
			calls += zones[p]
		} else if suspect[p] {
			t.Errorf("%s: %s:%d: the zone and the compiler disagree, and the process that has both does not call it", b.name, p.file, p.line)
		}
	}
	t.Logf("%s: %d of %d functions that vary agree in one process; %d calls", b.name, functions, len(some), calls)
	return functions, calls
}
