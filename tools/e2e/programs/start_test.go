// SPDX-License-Identifier: BSD-3-Clause

package programs

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// A starts is how long it takes from a command to the end of a program that does next to nothing, in seconds, by go run and by strobe
// run: medians.
type starts struct {
	Again   [2]float64 // nothing has changed
	Changed [2]float64 // a file of the main package has changed

	Date, Load string // as in a result
}

// startAgain measures the starts of a program again, and leaves the rest of its result as it is.
func startAgain(t *testing.T, p program, strobe string) {
	if p.quick == nil {
		t.Skip("it has nothing that it only prints")
	}
	for _, r := range results(t) {
		if r.Name != p.name {
			continue
		}
		r.Starts = build(t, p, strobe).starts(t)
		if t.Log(r.startRow()); !t.Failed() && *keep {
			record(t, r)
		}
		return
	}
	t.Fatalf("%s has no result of ./check programs yet", p.name)
}

// starts runs the program with warm caches.
func (b *built) starts(t *testing.T) (x starts) {
	t.Helper()
	if b.quick == nil {
		return x
	}
	source := b.mainFile(t)
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	defer os.WriteFile(source, text, 0o666)
	env := append(append(os.Environ(), b.env...), "HOME="+t.TempDir())
	run := func(words ...string) time.Duration {
		cmd := exec.Command(words[0], append(append(words[1:], "-ldflags=-w", b.main), b.quick...)...)
		cmd.Dir, cmd.Env = b.dir, env
		start := time.Now()
		said, err := cmd.CombinedOutput()
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) || !strings.Contains(string(said), b.quickSays) {
			t.Fatalf("%s: %v: it did not say %q: %.1000s", strings.Join(cmd.Args, " "), err, b.quickSays, said)
		}
		return time.Since(start)
	}
	tools := [2][]string{{"go", "run"}, {b.strobe, "run", "-q", "--report"}}
	const runs = 5
	for _, changes := range []bool{false, true} {
		var took [2][]float64
		for n := range runs {
			for i, words := range tools {
				if changes {
					changed := fmt.Sprintf("%s\nvar changed%d_%d int\n", text, n, i)
					if err := os.WriteFile(source, []byte(changed), 0o666); err != nil {
						t.Fatal(err)
					}
				} else if n == 0 {
					run(words...)
				}
				took[i] = append(took[i], run(words...).Seconds())
			}
		}
		for i := range took {
			slices.Sort(took[i])
			if median := took[i][runs/2]; changes {
				x.Changed[i] = median
			} else {
				x.Again[i] = median
			}
		}
	}
	x.Date, x.Load = today(), load()
	return x
}

// mainFile returns a file of the main package.
func (b *built) mainFile(t *testing.T) string {
	t.Helper()
	at := filepath.Join(b.dir, b.main)
	if strings.HasSuffix(at, ".go") {
		return at
	}
	return filepath.Join(at, strings.TrimSpace(b.command(t, "go", "list", "-f", "{{index .GoFiles 0}}", b.main)))
}
