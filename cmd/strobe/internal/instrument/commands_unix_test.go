// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package instrument

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each command takes as long as a small build. Many programs are not compiled to find out that they are many.
func TestOneGoCommandListsAndCompiles(t *testing.T) {
	tool, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	for name, text := range map[string]string{
		"bin/go":         fmt.Sprintf("#!/bin/sh\necho \"$*\" >>'%s'\nexec '%s' \"$@\"\n", log, tool),
		"go.mod":         "module example.com/m\n\ngo 1.24\n\nrequire example.com/other v0.0.0\n\nreplace example.com/other => ./other\n",
		"main.go":        "package main\n\nimport \"example.com/other\"\n\nfunc main() { other.Print() }\n",
		"bad/main.go":    "package main\n\nfunc main() { println(unknown) }\n",
		"none/none.go":   "package none\n",
		"other/go.mod":   "module example.com/other\n\ngo 1.24\n",
		"other/other.go": "package other\n\nimport \"fmt\"\n\n//go:noinline\nfunc Print() { fmt.Println(small()) }\n\nfunc small() int { return 1 }\n",
	} {
		if err := write(filepath.Join(dir, name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(dir, "bin", "go"), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	const listed, compiled = "listed", "compiled"
	for _, c := range []struct {
		target, zones, flag, fails string
		want                       []string
	}{
		{".", "", "-mod=mod", "", []string{compiled}},
		{".", "example.com/other...", "-mod=mod", "", []string{compiled, compiled}},
		{".", "example.com/other...", "-trimpath", "", []string{compiled, compiled}},
		{"./...", "", "-mod=mod", "2 programs", []string{listed}},
		{"./bad", "", "-mod=mod", "undefined: unknown", []string{compiled, compiled, listed}}, // again for the reason, without remarks
		{"./none", "", "-mod=mod", "not main", []string{compiled}},
	} {
		os.Remove(log)
		r := Request{Dir: dir, Package: c.target, Flags: []string{c.flag}}
		if c.zones != "" {
			r.Zones = []string{c.zones}
		}
		p, err := Prepare(t.Context(), r)
		switch {
		case err == nil && c.fails == "":
			p.Close()
			if reason := reasonFor(p, "other.small"); c.zones != "" && reason != isSmall {
				t.Errorf("with %s, small has no zone since it is %q, want %q", c.flag, reason, isSmall)
			}
		case err == nil || c.fails == "" || !strings.Contains(err.Error(), c.fails):
			t.Errorf("%s: %v, want %q", c.target, err, c.fails)
		}
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		var did []string
		for line := range strings.Lines(string(text)) {
			switch {
			case !strings.HasPrefix(line, "list -deps"):
			case strings.Contains(line, " -export "):
				did = append(did, compiled)
			default:
				did = append(did, listed)
			}
		}
		if !slices.Equal(did, c.want) {
			t.Errorf("%s, zones %q: %v, want %v", c.target, c.zones, did, c.want)
		}
	}
}

// reasonFor returns why a function has no zone.
func reasonFor(p *Plan, name string) string {
	for _, l := range p.LeftOut {
		if l.Name == name {
			return l.Reason
		}
	}
	return ""
}
