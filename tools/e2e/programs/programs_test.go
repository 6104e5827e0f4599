// SPDX-License-Identifier: BSD-3-Clause

package programs

import (
	"flag"
	"fmt"
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
)

// rounds is how often the cost is measured: an odd number, for the median.
const rounds = 5

// mostRuns is how often a program runs at most until its counts are the same.
const mostRuns = 6

func TestPublicProgramsBehaveAndCountTheSame(t *testing.T) {
	if testing.Short() && *only == "" && !*all {
		t.Skip("builds programs, which takes long")
	}
	strobe := *with
	if strobe == "" {
		strobe = filepath.Join(t.TempDir(), "strobe")
		cmd := exec.Command("go", "build", "-buildvcs=false", "-o", strobe, "./cmd/strobe")
		cmd.Dir = "../../.."
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
	}
	var table []string
	for _, p := range programs {
		if !p.often && !*all && *only == "" || *only != "" && *only != p.name {
			continue
		}
		row := []string{p.module, "fails", "?", "?", "?"}
		t.Run(p.name, func(t *testing.T) { try(t, p, strobe, row) })
		table = append(table, strings.Join(row, " | "))
	}
	if len(table) == 0 {
		t.Fatalf("no program has the name %q", *only)
	}
	if !*all && *only == "" {
		t.Logf("%d of %d programs: ./check programs tries all, and measures what zones cost", len(table), len(programs))
	}
	t.Log("\nprogram | builds | behaves | calls | processor time\n" + strings.Join(table, "\n"))
}

// try tries a program, and fills its row of the table.
func try(t *testing.T, p program, strobe string, row []string) {
	b := build(t, p, strobe)
	row[1] = strings.Split(b.zonesSaid, ";")[0]
	row[1] = strings.TrimPrefix(row[1], "strobe: ")

	snapshot := filepath.Join(t.TempDir(), "snapshot.json")
	row[2] = "the same"
	if plain, zones := b.run(t, b.plain), b.run(t, b.zones, "STROBE_EXPORT="+snapshot); !slices.Equal(plain.did, zones.did) {
		row[2] = "differently"
		t.Errorf("%s behaves differently with zones: %s", p.name, difference(plain.did, zones.did))
	}

	// A function that seems to be wrong may vary: more runs tell.
	var zones, counters []map[place]int64
	var c count
	for runs := 0; runs < 2 || runs < mostRuns && len(c.wrong) > 0; runs++ {
		b.run(t, b.zones, "STROBE_EXPORT="+snapshot)
		zones = append(zones, b.zoneCalls(t, snapshot))
		data := t.TempDir()
		b.run(t, b.counting, "GOCOVERDIR="+data)
		counters = append(counters, b.compilerCalls(t, data))
		c = compare(zones, counters)
	}
	row[3] = fmt.Sprintf("%d functions agree, %d disagree, %d vary, %d are not counted", c.functions, len(c.wrong), c.varying, len(c.unknown))
	t.Logf("%s: %s; %d calls agree; not counted: %v", p.name, row[3], c.calls, c.unknown)
	for at := range c.wrong {
		t.Errorf("%s: %s:%d: the zone has %d calls, the compiler counts %d", p.name, at.file, at.line, zones[0][at], counters[0][at])
	}
	if c.functions == 0 {
		t.Errorf("%s: no function was called", p.name)
	}

	if *all || *only != "" {
		row[4] = cost(t, b, snapshot)
	}
}

// cost runs a program with and without zones in turn, and compares the medians of the processor time.
func cost(t *testing.T, b *built, snapshot string) string {
	if b.long != nil {
		b.files = b.long
	}
	var without, with, ratios []float64
	for range rounds {
		a, z := b.run(t, b.plain).cpu, b.run(t, b.zones, "STROBE_EXPORT="+snapshot).cpu
		without, with, ratios = append(without, a.Seconds()), append(with, z.Seconds()), append(ratios, z.Seconds()/a.Seconds())
	}
	for _, s := range [][]float64{without, with, ratios} {
		slices.Sort(s)
	}
	return fmt.Sprintf("%.2f s, with zones %.2f s: %.2fx (%.2f to %.2f)", without[rounds/2], with[rounds/2], ratios[rounds/2], ratios[0], ratios[rounds-1])
}
