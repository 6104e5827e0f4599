// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/trace"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/strobe-go/strobe/internal/stamp"
)

func TestZonesAreRegionsInGosOwnTrace(t *testing.T) {
	outer, inner, after, here := NewZone("outer-zone"), NewZone("inner-zone"), NewZone("after-zone"), NewZone("goroutine-zone")
	for n := 0; n < 1_000_000 && atomic.LoadUint64(&fast) == 0; n++ { // until Enter takes the fast path, if this machine has one
		here.Enter().Exit()
	}
	var b bytes.Buffer
	l := newNamedLane("l")
	before := l.Enter(after) // it begins before the tracer, so it is not a region
	if err := trace.Start(&b); err != nil {
		t.Skip("somebody else is tracing: ", err)
	}
	for range 3 {
		here.Enter().Exit() // the first Exit notices the tracer
	}
	o := l.Enter(outer)
	p := l.Lap(inner)
	p.Next(inner)
	p.End()
	x := l.Enter(inner) // not ended here: outer ends it
	_ = x
	o.Exit()
	last := l.Enter(outer)
	trace.Stop()
	last.Exit()
	before.Exit()
	l.Enter(after).Exit()
	if s := laneIn(t, TakeSnapshot(), l); s.Open != 0 || of(s, outer).Calls != 2 || of(s, inner).Calls != 3 || of(s, after).Calls != 2 {
		t.Errorf("%+v", s)
	}

	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("go tool trace cannot be run here: ", err)
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
	if first := begun - 5; stamp.HasGoroutine && (first != 2 && first != 3 || !strings.Contains(string(text), "goroutine-zone")) {
		t.Errorf("%d of 3 spans of a goroutine are regions in\n%s", first, text)
	} else if stamp.HasGoroutine {
		begun, ended = begun-first, ended-first
	}
	if begun != 5 || ended != 4 || !strings.Contains(string(text), "inner-zone") || strings.Contains(string(text), "after-zone") {
		t.Errorf("%d regions begin and %d end in\n%s", begun, ended, text)
	}
}

func TestWithoutRegionsATracerCostsNothing(t *testing.T) {
	z := NewZone("no-region")
	SetTraceRegions(false)
	defer SetTraceRegions(true)
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Skip("somebody else is tracing: ", err)
	}
	z.Enter().Exit()
	on(t, func(l *Lane) { l.Enter(z).Exit() })
	trace.Stop()
	if bytes.Contains(b.Bytes(), []byte("no-region")) {
		t.Error("a span has become a region")
	}
}

// A span is ended a second time while the next span of its zone is a region: the region stays.
func TestRegionsThatWereLeftOpenEndWithTheOneAround(t *testing.T) {
	var nodes [4]node
	for last, left := range []int{0, 1, 2, 3, 0} { // of a node that has none, all end
		l := new(Lane)
		for i := range nodes {
			l.regions = append(l.regions, region{&nodes[i], trace.StartRegion(context.Background(), "r")})
		}
		n := new(node)
		if last < len(nodes) {
			n = &nodes[last]
		}
		if l.endRegion(n); len(l.regions) != left {
			t.Errorf("%d regions are left after that of node %d has ended, want %d", len(l.regions), last, left)
		}
	}
}

func TestASecondExitLeavesTheNextRegionAlone(t *testing.T) {
	z := NewZone("twice-zone")
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Skip("somebody else is tracing: ", err)
	}
	defer trace.Stop()
	on(t, func(l *Lane) {
		first := l.Enter(z)
		first.Exit()
		second := l.Enter(z)
		first.Exit()
		if len(l.regions) != 1 {
			t.Errorf("%d regions are open, want that of the second span", len(l.regions))
		}
		second.Exit()
		if len(l.regions) != 0 {
			t.Errorf("%d regions are left", len(l.regions))
		}
	})
}
