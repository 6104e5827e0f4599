// SPDX-License-Identifier: BSD-3-Clause

package programs

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// witness builds the program with zones and with counters of the compiler, so that both count the same calls. The go command puts
// counters into the sources and ignores an overlay for that, so the files of the overlay take their places meanwhile.
func (b *built) witness(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	defer func(env []string) { b.env = env }(b.env)
	b.env = append(slices.Clone(b.env), "XDG_CACHE_HOME="+dir) // where strobe keeps its plans
	b.command(t, b.strobe, "build", "-q", "-ldflags=-w", "-o", filepath.Join(dir, "zones"), b.main)
	plans, err := filepath.Glob(filepath.Join(dir, "strobe", "run", "plans", "*", "plan.json"))
	if err != nil || len(plans) != 1 {
		t.Fatalf("%d plans, %v", len(plans), err)
	}
	var plan struct{ Args, Targets []string }
	read(t, plans[0], &plan)
	args := []string{"go", "build", "-cover", "-covermode=atomic", "-o", filepath.Join(dir, "witness")}
	for _, a := range plan.Args {
		if file, ok := strings.CutPrefix(a, "-overlay="); ok {
			a = "-overlay=" + b.inPlace(t, file)
		}
		args = append(args, a)
	}
	b.command(t, append(args, plan.Targets...)...)
	return filepath.Join(dir, "witness")
}

// inPlace writes the files of an overlay that replace sources of the module in their places, until the test ends, and returns an overlay
// with the others.
func (b *built) inPlace(t *testing.T, overlay string) string {
	t.Helper()
	var o struct{ Replace map[string]string }
	read(t, overlay, &o)
	for source, with := range o.Replace {
		if inside, err := filepath.Rel(b.dir, source); err != nil || !filepath.IsLocal(inside) {
			continue
		}
		before, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(with)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(source, text, 0o666); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.WriteFile(source, before, 0o666) })
		delete(o.Replace, source)
	}
	text, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	rest := filepath.Join(t.TempDir(), "overlay.json")
	if err := os.WriteFile(rest, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return rest
}

func read(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
