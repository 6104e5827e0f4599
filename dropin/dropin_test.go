// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package dropin

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/profile"
)

func TestNamesBeyondTheLimitShareAZone(t *testing.T) {
	made := map[string]int{}
	zones := NewZones(func(name string) *strobe.Zone { made[name]++; return strobe.NewZone(name) }, 3, "(rest)")
	var start, all sync.WaitGroup
	start.Add(1)
	var of [20]*strobe.Zone
	for i := range 5 {
		for range 4 {
			all.Add(1)
			go func() {
				defer all.Done()
				start.Wait()
				zones.Zone(fmt.Sprint("name ", i))
			}()
		}
	}
	start.Done()
	all.Wait()
	distinct := map[*strobe.Zone]bool{}
	for i := range of {
		distinct[zones.Zone(fmt.Sprint("name ", i))] = true
	}
	if len(distinct) != 4 || len(made) != 4 || made["(rest)"] != 1 {
		t.Errorf("%d zones, made %v", len(distinct), made)
	}
	if NewZones(strobe.NewZone, -1, "").limit != 200 {
		t.Error("a limit below 1 is not the default")
	}
}

func TestLookingUpAZoneAllocatesNothing(t *testing.T) {
	zones := NewZones(strobe.NewZone, 1, "(rest)")
	zones.Zone("known")
	zones.Zone("more")
	if n := testing.AllocsPerRun(100, func() {
		zones.Zone("known")
		zones.Zone("another")
	}); n > 0 && !race.Enabled {
		t.Errorf("%v allocations", n)
	}
}

const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

func TestATraceIsKnownIfTheHeaderIsWellFormed(t *testing.T) {
	zone := strobe.NewRootZone("traced")
	for _, header := range []string{
		"", "hello", parent[:54], parent + "0", strings.ToUpper(parent), strings.Replace(parent, "4b", "4-", 1), strings.Replace(parent, "-00f0", "000f0", 1),
		"00-00000000000000000000000000000000-00f067aa0ba902b7-01", "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", strings.Repeat("-", 55),
	} {
		ctx, span := Enter(t.Context(), zone, header)
		span.Exit()
		if id := TraceID(ctx); id != "" {
			t.Errorf("%q: trace %s", header, id)
		}
	}
	ctx, span := Enter(t.Context(), zone, parent)
	defer span.Exit()
	if id := TraceID(ctx); id != "4bf92f3577b34da6a3ce929d0e0e4736" {
		t.Errorf("trace %q", id)
	}
	if TraceID(context.Background()) != "" {
		t.Error("a trace from nowhere")
	}
}

// needLanes skips a test where goroutines share a lane, without open spans and tasks.
func needLanes(t *testing.T) {
	t.Helper()
	span := strobe.NewRootZone("lanes").Enter()
	defer span.Exit()
	if strobe.CurrentTask() == (strobe.Task{}) {
		t.Skip("in this build goroutines share a lane, which has no open spans and no tasks")
	}
}

func TestTheUnitGoesOnWithTheContext(t *testing.T) {
	needLanes(t)
	root, wait := strobe.NewRootZone("unit"), strobe.NewWaitZone("no unit")
	strobe.Record(1 << 20)
	defer strobe.Record(0)
	ctx, span := Enter(t.Context(), root, parent)
	task := strobe.CurrentTask()
	span.Exit()
	if task == (strobe.Task{}) || strobe.TaskFromContext(ctx) != task {
		t.Errorf("task %v, in the context %v", task, strobe.TaskFromContext(ctx))
	}
	ctx, span = Enter(t.Context(), wait, parent)
	span.Exit()
	if strobe.TaskFromContext(ctx) != (strobe.Task{}) || TraceID(ctx) == "" {
		t.Error("outside of a unit, there is a task or no trace")
	}
	var notes []string
	for _, e := range strobe.TakeTimeline().Events {
		if e.Kind == profile.NoteEvent {
			notes = append(notes, e.Name+"="+e.Text)
		}
	}
	if len(notes) != 1 || notes[0] != "trace="+parent {
		t.Errorf("notes %q", notes)
	}
}

func BenchmarkZone(b *testing.B) {
	zones := NewZones(strobe.NewZone, 0, "(rest)")
	for i := range 100 {
		zones.Zone(fmt.Sprint("GET /route/", i))
	}
	for b.Loop() {
		zones.Zone("GET /route/50")
	}
}

func FuzzTraceparent(f *testing.F) {
	for _, s := range []string{"", parent, parent[1:] + "-", strings.Repeat("0", 55)} {
		f.Add(s)
	}
	zone := strobe.NewZone("fuzzed")
	f.Fuzz(func(t *testing.T, header string) {
		ctx, span := Enter(t.Context(), zone, header)
		span.Exit()
		if id := TraceID(ctx); id != "" && (len(id) != 32 || strings.Trim(id, "0123456789abcdef") != "" || !strings.Contains(header, id)) {
			t.Errorf("%q: trace %q", header, id)
		}
	})
}
