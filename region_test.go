// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/trace"
	"strings"
	"testing"
)

func TestZonesAreRegionsInGosOwnTrace(t *testing.T) {
	outer, inner, after := NewZone("outer-zone"), NewZone("inner-zone"), NewZone("after-zone")
	var b bytes.Buffer
	l := NewLane("l")
	before := l.Enter(after) // begun before the tracer: no region
	if err := trace.Start(&b); err != nil {
		t.Skip("somebody else is tracing: ", err)
	}
	o := l.Enter(outer)
	p := l.Lap(inner)
	p.Next(inner)
	p.End()
	x := l.Enter(inner) // not ended: outer ends it
	_ = x
	o.Exit()
	last := l.Enter(outer)
	trace.Stop()
	last.Exit()
	before.Exit()
	l.Enter(after).Exit()
	if s := TakeSnapshot().Lanes[l.id]; s.Open != 0 || s.of(outer).Calls != 2 || s.of(inner).Calls != 3 || s.of(after).Calls != 2 {
		t.Errorf("%+v", s)
	}

	file := filepath.Join(t.TempDir(), "trace")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command("go", "tool", "trace", "-d=parsed", file).CombinedOutput()
	if err != nil {
		t.Fatalf("go tool trace: %v\n%s", err, text)
	}
	begun := strings.Count(string(text), "RegionBegin")
	ended := strings.Count(string(text), "RegionEnd")
	if begun != 5 || ended != 4 || !strings.Contains(string(text), "inner-zone") || strings.Contains(string(text), "after-zone") {
		t.Errorf("%d regions begin and %d end in\n%s", begun, ended, text)
	}
}
