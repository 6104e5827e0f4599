// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/strobe-go/strobe/internal/child"
	"github.com/strobe-go/strobe/internal/race"
)

// alone runs one test in a process of its own, in which nothing has been measured yet. It reports whether this is
// that process.
func alone(t *testing.T) bool {
	only := flag.Lookup("test.run").Value.String() == "^"+t.Name()+"$" && flag.Lookup("test.count").Value.String() == "1"
	if only || os.Getenv("STROBE_ALONE") == t.Name() {
		return true
	}
	cmd := child.Command("-test.run=^"+t.Name()+"$", "-test.v", "-test.timeout=20m", // a busy machine under the race detector
		fmt.Sprintf("-test.short=%t", testing.Short()))
	cmd.Env = append(os.Environ(), "STROBE_ALONE="+t.Name())
	out, err := cmd.CombinedOutput()
	if child.SkipIfNotStarted(t, err); err != nil {
		t.Errorf("%v\n%s", err, out)
	} else if strings.Contains(string(out), "--- SKIP: "+t.Name()) {
		t.Skipf("alone it was skipped:\n%s", out)
	} else if !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("the test did not run:\n%s", out)
	}
	return false
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Snapshot.Memory is what the heap holds.
func TestMemoryIsWhatTheHeapHolds(t *testing.T) {
	race.Sequential(t)
	if !alone(t) {
		return
	}
	SetBudget(1 << 30)
	zones := make([]*Zone, 5000)
	for i := range zones {
		zones[i] = NewZone("z")
	}
	for _, c := range []struct {
		name string
		do   func() any
	}{
		{"lanes, trees and distributions", func() any {
			for i := range 100 {
				l := NewLane("l")
				for j := range 60 {
					o := l.Enter(zones[(i*61+j*331)%len(zones)])
					for k := range 5 {
						l.Enter(zones[(i+j+k*17)%len(zones)]).Exit()
					}
					o.Exit()
				}
			}
			return nil
		}},
		{"a recording", func() any {
			Record(4 << 20)
			l := NewLane("recorded")
			for range 1 << 18 {
				l.Enter(zones[0]).Exit()
			}
			return nil
		}},
		{"messages", func() any {
			for i := range 20_000 {
				Message(fmt.Sprint("a message of some length, and a number ", i))
			}
			return nil
		}},
		{"folded spans", func() any {
			l := NewLane("deep")
			for range 50_000 {
				l.Enter(zones[1])
			}
			return l
		}},
		{"loops", func() any {
			for i := range 100 {
				for range 50 {
					Frame(fmt.Sprint("loop ", i))
				}
			}
			return nil
		}},
	} {
		before, said := heap(), TakeSnapshot().Memory
		kept := c.do()
		grown, claimed := heap()-before, TakeSnapshot().Memory-said
		t.Logf("%s: the heap grew by %d kB, Memory by %d kB", c.name, grown>>10, claimed>>10)
		if grown > claimed+claimed/4+200<<10 {
			t.Errorf("%s: the heap grew by %d bytes, Memory by %d", c.name, grown, claimed)
		}
		runtime.KeepAlive(kept)
	}
}

// held returns the memory of a lane, as it should have been counted.
func (l *Lane) held() (bytes uint64) {
	if text := l.label.Load(); text != nil {
		bytes = text.bytes()
	}
	if l.shared {
		return bytes + laneBytes
	}
	bytes += laneBytes + uint64(len(*l.tree.slabs.Load()))*slabBytes
	for id := range l.tree.count.Get() {
		if n := l.tree.node(id); n.children != &noChildren[0] {
			bytes += tableBytes(uint64(n.mask) + 1)
		}
	}
	for _, a := range l.tree.accs {
		bytes += accumulatorBytes
		if h := a.hist.Load(); h != nil {
			bytes += uint64(len(h.cells)-histogramStep) * cellBytes
		} else if a.min.Get() != none {
			bytes -= histogramStep * cellBytes
		}
	}
	if q := l.queue.Load(); q != nil {
		bytes += queueBytes(len(q.entries))
	}
	if f := l.folding; f != nil {
		bytes += foldingBytes + uint64(cap(f.spans))*foldedBytes
		if f.moved.Load() != nil {
			bytes += uint64(len(*f.moved.Load())) * movedBytes
		}
	}
	if all := l.samplings.Load(); all != nil {
		bytes += uint64(len(*all)) * uint64(unsafe.Sizeof(sampling{}))
	}
	if x := l.timing; x != nil {
		bytes += uint64(unsafe.Sizeof(*x)) + uint64(cap(x.open))*timedCallBytes
	}
	if all := l.beyond.Load(); all != nil {
		bytes += uint64(len(*all)) * beyondBytes
	}
	return bytes
}

// held returns the memory of a zone, without that of lanes.
func (z *Zone) held() uint64 {
	bytes := z.bytes()
	if t := z.skips.Load(); t != nil {
		for n := len(t.buckets); n >= fewSkips; n /= 4 { // places in the smaller tables stay in use
			bytes += uint64(n) * bucketBytes
		}
	}
	if p := z.pool.Load(); p != nil {
		bytes += uint64(unsafe.Sizeof(pool{})) + uint64(len(p.stripes))*stripeBytes
		for i := range p.stripes {
			t := p.stripes[i].octaves.Load()
			if t == nil {
				continue
			}
			bytes += tableSize
			for k := range t {
				if t[k].Load() != nil {
					bytes += octaveBytes
				}
			}
		}
	}
	return bytes
}

func TestAllMemoryIsCountedToTheByte(t *testing.T) {
	needGoroutines(t)
	if !alone(t) {
		return
	}
	few := NewZone("sampled")
	few.SetSampling(8)
	SetBudget(ample)
	deep, wide := NewZone("deep"), NewZone("wide")
	check := func(when string) {
		t.Helper()
		held := uint64(0)
		for _, l := range []*Lane{bench.lane, bench.other} { // of the workbench
			held += l.held()
			for id := range l.tree.count.Get() {
				a := l.tree.node(id).acc.Load()
				if a == nil {
					continue
				}
				held += accumulatorBytes
				if h := a.hist.Load(); h != nil {
					held += uint64(len(h.cells)-histogramStep) * cellBytes
				}
			}
		}
		lanes.Lock()
		for _, l := range lanes.all {
			held += l.held()
		}
		lanes.Unlock()
		zones.Lock()
		for _, z := range []*Zone{&bench.few, &bench.parts[0], &bench.parts[1]} {
			held += z.skips.Load().bytes()
		}
		for _, z := range append(zones.all, bench.zone) {
			held += z.held()
		}
		zones.Unlock()
		if s := laneTable.Load(); s != nil {
			held += uint64(len(s.all)) * slotBytes
		}
		if got := uint64(memory.Used()); got != held {
			t.Errorf("%s: %d bytes are counted, %d held: %d", when, got, held, int64(got-held))
		}
	}
	goroutines := func(n int) {
		var ready, wg sync.WaitGroup
		release := make(chan struct{})
		for range n {
			ready.Add(1)
			wg.Add(1)
			go func() {
				defer wg.Done()
				w := wide.Enter()
				for range 20 {
					few.Enter().Exit()
				}
				w.Exit()
				ready.Done()
				<-release
			}()
		}
		ready.Wait()
		close(release)
		wg.Wait()
	}
	check("before the first lane")
	goroutines(10)
	check("ten goroutines")
	goroutines(5000)
	check("five thousand")
	SetDistributions(-1)
	goroutines(100)
	check("pooled distributions")
	SetDistributions(1 << 30)
	l := NewLane("deep")
	for range 5000 {
		l.Enter(deep)
	}
	check("folded spans")
	SetBudget(1)
	for range 5000 {
		l.Enter(deep)
	}
	NewLane("none").Enter(deep).Exit()
	goroutines(6000)
	check("beyond the budget")
	if s := laneTable.Load(); 2*s.used > len(s.all)-probes+2 || len(s.all) > 10*s.used {
		t.Errorf("%d of %d slots are used", s.used, len(s.all))
	}
}

// A report must not begin with limits that the program is far from.
func TestAProgramWithinItsLimitsHasNoNotes(t *testing.T) {
	needGoroutines(t)
	if !alone(t) {
		return
	}
	z := NewZone("z")
	z.Enter().Exit()
	Frame("loop")
	Plot("plot", 1)
	if notes := TakeSnapshot().Notes; len(notes) > 0 {
		t.Errorf("%q", notes)
	}
	sharedLane()
	if notes := fmt.Sprint(TakeSnapshot().Notes); !strings.Contains(notes, "is exhausted: some goroutines share a lane") {
		t.Errorf("%q", notes)
	}
}

func TestMemoryOfALaneIsCountedToTheByte(t *testing.T) {
	race.Sequential(t)
	if !alone(t) { // Readers of other tests give back what they hold when the garbage collector finds them
		return
	}
	amplyBudgeted(t)
	var zones []*Zone
	for range 2000 {
		zones = append(zones, NewZone("z"))
	}
	recursive := func(l *Lane) {
		for range maxAgain + 100 {
			l.Enter(zones[0])
		}
	}
	for name, fill := range map[string]func(l *Lane){
		"empty":           func(*Lane) {},
		"one zone":        func(l *Lane) { l.Enter(zones[0]).Exit() },
		"a wide tree":     func(l *Lane) { l.wide(zones) },
		"zones far apart": func(l *Lane) { l.wide([]*Zone{zones[0], zones[64], zones[128], zones[192], zones[1024], zones[1025]}) },
		"numbers collide": func(l *Lane) { l.wide([]*Zone{{id: 5}, {id: 5 + 1<<16}, {id: 5 + 2<<16}, {id: 5 + 3<<16}}) },
		"long and short":  func(l *Lane) { l.durations(zones[0], 1, 1000, 1<<40, 5, 1<<62, 0, 7, 1<<20) },
		"only short":      func(l *Lane) { l.durations(zones[1], 3, 3, 4, 5) },
		"no room for the long one": func(l *Lane) {
			l.durations(zones[2], 1000, 1000)
			SetBudget(1)
			l.durations(zones[2], 1<<40, 1000, 1)
			amplyBudgeted(t)
		},
		"folded":            recursive,
		"folded more often": func(l *Lane) { recursive(l); l.unfoldAll(ticks()); l.wide(zones); recursive(l) },
	} {
		before := memory.Used()
		l := newNamedLane(name)
		fill(l)
		if got, want := memory.Used()-before, int64(l.held()); got != want {
			t.Errorf("%s: %d bytes are counted, %d held", name, got, want)
		}
		l.abandon()
		lanes.Lock() // readers would look for zones that are not in the list
		for id := range l.tree.count.Get() {
			if n := l.tree.node(id); n.parent != nil && n.zone.name == "" {
				n.zone = &otherZone
			}
		}
		lanes.Unlock()
	}
}

// wide makes a node for each zone beneath the root.
func (l *Lane) wide(zones []*Zone) {
	for _, z := range zones {
		l.tree.grow(l.tree.root(), z, l.pooled)
	}
}

// durations adds calls of a zone with the given durations, in ticks.
func (l *Lane) durations(z *Zone, all ...uint64) {
	for _, d := range all {
		l.count(z, d)
	}
}

// The budget holds with many zones and many lanes, however they are combined.
func TestMemoryStaysWithinTheBudget(t *testing.T) {
	if !alone(t) {
		return
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(16)) // zones use more memory with more processors
	SetBudget(DefaultBudget / 4)
	zones := make([]*Zone, 25_000)
	for i := range zones {
		zones[i] = NewZone("z")
	}
	before := heap()
	const laneCount, spans = 125, 1000
	for i := range laneCount {
		l := NewLane("l")
		for j := range spans {
			l.Enter(zones[(i*997+j*991)%len(zones)]).Exit()
		}
	}
	s := TakeSnapshot()
	var calls uint64
	for _, z := range s.Totals() {
		calls += z.Calls
	}
	held, limit, notes := s.Memory, s.Budget, s.Notes
	s = Snapshot{}
	grown := heap() - before
	t.Logf("%d calls, the heap grew by %d MB, Memory says %d of %d MB; notes %q", calls, grown>>20, held>>20, limit>>20, notes)
	if held > limit+limit/4 || grown > limit+limit/2 {
		t.Errorf("%d MB are held, Memory says %d of a budget of %d", grown>>20, held>>20, limit>>20)
	}
	if calls != laneCount*spans || len(notes) == 0 {
		t.Errorf("%d calls, want %d; notes %q", calls, laneCount*spans, notes)
	}
}
