// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Go's own tests of its reader have threads whose clocks differ, Ps that are stolen, and generations that begin in between.
func TestScenariosOfGo(t *testing.T) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("the go command, which knows where Go is: ", err)
	}
	files, _ := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "src/internal/trace/testdata/tests/*.test"))
	if len(files) == 0 {
		t.Skipf("this Go comes without its tests: %s", root)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".test"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			expect, text2, ok := strings.Cut(string(text), "-- trace --\n")
			if !ok {
				t.Fatal("it has no trace")
			}
			tr, err := Read(assemble(t, text2))
			if fails := strings.Contains(expect, "FAILURE"); fails != (err != nil) {
				t.Fatalf("want %q, got %v", expect, err)
			}
			if err == nil {
				checkPartition(t, tr)
			}
		})
	}
}

// checkPartition tests what holds for every trace.
func checkPartition(t *testing.T, tr *Trace) {
	t.Helper()
	for i, g := range tr.Goroutines {
		if i > 0 && g.ID <= tr.Goroutines[i-1].ID {
			t.Errorf("goroutine %d follows %d", g.ID, tr.Goroutines[i-1].ID)
		}
		if len(g.Steps) == 0 {
			t.Errorf("goroutine %d has no steps", g.ID)
		}
		for j, s := range g.Steps {
			if s.At < tr.From || s.At > tr.To || j > 0 && s.At < g.Steps[j-1].At {
				t.Errorf("goroutine %d: step %d is at %d", g.ID, j, s.At)
			}
			if s.State == Unknown || s.State > Gone {
				t.Errorf("goroutine %d: step %d has state %d", g.ID, j, s.State)
			}
		}
	}
	for _, p := range tr.Procs {
		for j, h := range p.Holds {
			if h.From > h.To || j > 0 && h.From < p.Holds[j-1].To {
				t.Errorf("P %d: %+v", p.ID, h)
			}
		}
	}
	for i, r := range tr.Ranges {
		if r.From > r.To || i > 0 && r.From < tr.Ranges[i-1].From || r.From < tr.From || r.To > tr.To {
			t.Errorf("%+v", r)
		}
	}
}
