// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/strobe-go/strobe/tools/peers/soak"
)

// BenchmarkSoak lets a program with everything on run for long.
func BenchmarkSoak(b *testing.B) { runRows(b, soakRows()) }

var soakChecks = []string{"counts/snapshot", "counts/snapshot.json", "counts/readings", "counts/page", "counts/scrapes", "counts/captures", "waits", "clock"}

var soakFigures = []string{"descriptors", "goroutines", "heap-MB", "Memory-MB", "declared-MB", "RSS-MB", "RSS-MB-without", "run/minutes", "run/calls", "run/goroutines", "run/reports"}

// soakRows are those of one run.
func soakRows() []row {
	measured := sync.OnceValues(measureSoak)
	var all []row
	for _, name := range append(soakChecks, soakFigures...) {
		all = append(all, row{name, func(b *testing.B) {
			once(b, func() map[string]float64 {
				r, err := measured()
				if err != nil {
					b.Fatal(err)
				}
				metrics := map[string]float64{}
				if c, found := r.Checks[name]; found {
					metrics["wrong"], metrics["number"] = float64(c.Wrong), float64(c.Number)
				}
				for metric, value := range r.Figures[name] {
					metrics[metric] = value
				}
				if why := r.Missing[name]; why != "" {
					fmt.Fprintf(os.Stderr, "soak: %s: %s\n", name, why)
					if len(metrics) == 0 {
						b.Skip(why)
					}
				}
				return metrics
			})
		}})
	}
	return all
}

func measureSoak() (soak.Result, error) {
	folder, err := os.MkdirTemp("", "soak")
	if err != nil {
		return soak.Result{}, err
	}
	defer os.RemoveAll(folder)
	r, err := soak.Run(context.Background(), soak.Full(*soakFor, folder), func() *exec.Cmd { return exec.Command(os.Args[0]) }, os.Stderr)
	for name, c := range r.Checks {
		if c.Wrong > 0 {
			fmt.Fprintf(os.Stderr, "soak: %s: %d of %d wrong, first: %s\n", name, c.Wrong, c.Number, c.First)
		}
	}
	return r, err
}
