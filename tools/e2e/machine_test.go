// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && arm64

package e2e

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/perf"
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv("E2E_SPAWN") != "":
		spawn(os.Getenv("E2E_SPAWN"))
	case os.Getenv("STROBE_EXACT") == "":
		fmt.Println("these tests are for the emulated machine: ./check emulated")
		return
	}
	clock.Now() // in its first millisecond it returns the kernel's time, which takes longer
	time.Sleep(2 * time.Millisecond)
	os.Exit(m.Run())
}

// open opens a group, or ends the test.
func open(t testing.TB, scope perf.Scope, events ...perf.Event) *perf.Group {
	t.Helper()
	g, err := perf.Open(scope, events...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	return g
}

// least measures f many times and returns the smallest count of each event, since the runtime and the kernel's timer only add to
// it.
func least(t testing.TB, g *perf.Group, events []perf.Event, f func()) []uint64 {
	t.Helper()
	counts := make([]uint64, len(events))
	for i := range 30 {
		m := g.Start()
		f()
		r := m.Stop()
		for k, e := range events {
			v := r.Get(e)
			if v.State != perf.Exact {
				t.Fatalf("%v", v)
			}
			if i == 0 || v.Count < counts[k] {
				counts[k] = v.Count
			}
		}
	}
	return counts
}

// slopes checks that the events count exactly two per iteration of loop, from 1 to a million iterations.
func slopes(t *testing.T, g *perf.Group, events ...perf.Event) {
	t.Helper()
	var iterations int
	body := func() { loop(iterations) } // the instructions around the loop are the same for any number of iterations
	count := func(n int) []uint64 {
		iterations = n
		return least(t, g, events, body)
	}
	for _, n := range []int{2, 1000, 100_000, 1_000_000} {
		var one, counts []uint64
		// A measurement also reads the clock. If the clock has been recalibrated in between, the two measurements are not
		// comparable.
		for steady := false; !steady; {
			one, counts = count(1), count(n)
			steady = slices.Equal(one, count(1))
		}
		for k, e := range events {
			if got, want := counts[k]-one[k], uint64(2*(n-1)); got != want {
				t.Errorf("%s: %d iterations more count %d more, want %d", e, n-1, got, want)
			}
		}
	}
}

func sysctl(t testing.TB, name, value string) {
	t.Helper()
	file := "/proc/sys/" + strings.ReplaceAll(name, ".", "/")
	if err := os.WriteFile(file, []byte(value), 0o644); err != nil {
		t.Fatal(err)
	}
}
