// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"testing/fstest"
)

func TestWrongCallsOfOpenSayWhatToDo(t *testing.T) {
	for _, c := range []struct {
		scope  Scope
		events []Event
		want   string
	}{
		{Thread, nil, "name at least one"},
		{-3, []Event{Cycles}, "perf.PID(n)"},
		{1234, []Event{Cycles}, "perf.PID(n)"},
		{PID(0), []Event{Cycles}, "process number 0: want one above 0"},
		{PID(-7), []Event{Cycles}, "process number -7: want one above 0"},
		{Thread, make([]Event, maxEvents+1), "at most 12"},
	} {
		g, err := Open(c.scope, c.events...)
		if g != nil || err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, ErrUnavailable) {
			t.Errorf("Open(%d, %q): %v", c.scope, c.events, err)
		}
	}
}

func TestScopesHaveNames(t *testing.T) {
	for s, want := range map[Scope]string{Thread: "thread", Process: "process", Command: "command", PID(1234): "process 1234", 7: "scope 7", -1: "scope -1"} {
		if got := s.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if n, ok := s.pid(); ok != (want == "process 1234") || n != map[bool]int{true: 1234}[ok] {
			t.Errorf("%s: process number %d, %v", want, n, ok)
		}
		if ok := s.check() == nil; ok != !strings.HasPrefix(want, "scope") {
			t.Errorf("%s: %v", want, s.check())
		}
	}
}

func TestStatesAreWrittenAsWords(t *testing.T) {
	for s := NotCounted; s <= Denied; s++ {
		text, err := json.Marshal(s)
		var back State = -1
		if err != nil || string(text) != `"`+s.String()+`"` || json.Unmarshal(text, &back) != nil || back != s {
			t.Errorf("%d: %s, %v, back %d", s, text, err, back)
		}
	}
	var s State
	if err := s.UnmarshalText([]byte("certain")); err == nil || s != NotCounted {
		t.Errorf("%v, %v", s, err)
	}
	if State(99).String() != "perf.State(99)" || State(-1).String() != "perf.State(-1)" {
		t.Error("states that do not exist")
	}
}

func TestCountersReadTogetherHaveARatio(t *testing.T) {
	r := reading([]uint64{100, 250}, span{}, Cycles, Instructions)
	rows := r.plan.rows
	rows[0].slot, rows[1].slot = noSlot, noSlot
	if _, ok := r.Ratio(Instructions, Cycles); ok {
		t.Error("a ratio of counts that were read one after the other")
	}
	together(1, &rows[0], &rows[1]) // as on macOS, where one system call reads both and gives no times
	if ipc, ok := r.Ratio(Instructions, Cycles); !ok || ipc != 2.5 {
		t.Errorf("%v %v", ipc, ok)
	}
	if v := r.Get(Cycles); v.State != Exact || v.Count != 100 || v.Share != 1 {
		t.Errorf("%+v", v)
	}
}

func TestWhatCannotBeCountedIsAnErrorWithAReason(t *testing.T) {
	for _, e := range []Event{"", "cyles", "elapsed", "no_pmu/x/", "context-switches:u", "cycles:", "cycles:q", "cycles:uq", "a/b", "a/b/c/d", "../x/"} {
		g, err := Open(Thread, e)
		if g != nil || !errors.Is(err, ErrUnavailable) || len(err.Error()) < len("perf: unavailable: : ")+len(e)+5 || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", e, err)
		}
	}
}

// devices returns the files of a machine with two types of cores.
func devices() fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s + "\n")} }
	return fstest.MapFS{
		"cpu_core/type":                 file("4"),
		"cpu_core/cpus":                 file("0-3"),
		"cpu_core/format/event":         file("config:0-7"),
		"cpu_core/format/umask":         file("config:8-15"),
		"cpu_core/format/inv":           file("config:23"),
		"cpu_core/format/split":         file("config:0-3,32-35"),
		"cpu_core/format/ldlat":         file("config1:0-15"),
		"cpu_core/format/odd":           file("config9:0-15"),
		"cpu_core/format/bits":          file("config:9-3"),
		"cpu_core/format/all":           file("config2:0-63"),
		"cpu_core/events/slots":         file("event=0x00,umask=0x4"),
		"cpu_core/events/loop":          file("loop"),
		"cpu_atom/type":                 file("10"),
		"cpu_atom/cpus":                 file("4-7"),
		"power/type":                    file("9"),
		"power/format/event":            file("config:0-7"),
		"power/events/energy-pkg":       file("event=0x02"),
		"power/events/energy-pkg.unit":  file("Joules"),
		"power/events/energy-pkg.scale": file("2.3283064365386962890625e-10"),
		"software/type":                 file("1"),
	}
}

func TestNamesAreUnderstoodAsPerfUnderstandsThem(t *testing.T) {
	for e, want := range map[Event]spec{
		"cycles":                       {kind: kindHardware, config: 0},
		"cpu-cycles:u":                 {kind: kindHardware, config: 0, user: true},
		"instructions:k":               {kind: kindHardware, config: 1, kernel: true},
		"branches:uk":                  {kind: kindHardware, config: 4},
		"ref-cycles":                   {kind: kindHardware, config: 9},
		"task-clock":                   {kind: kindSoftware, config: 1, unit: "ns"},
		"faults:u":                     {kind: kindSoftware, config: 2, user: true},
		"cs":                           {kind: kindSoftware, config: 3},
		"L1-dcache-loads":              {kind: kindCache, config: 0},
		"L1-dcache-load-misses":        {kind: kindCache, config: 0x10000},
		"l1d-loads:u":                  {kind: kindCache, config: 0, user: true},
		"L1-icache-load-misses":        {kind: kindCache, config: 0x10001},
		"LLC-store-misses":             {kind: kindCache, config: 0x10102},
		"LLC-prefetches":               {kind: kindCache, config: 0x202},
		"dTLB-load-misses":             {kind: kindCache, config: 0x10003},
		"iTLB-loads":                   {kind: kindCache, config: 4},
		"branch-load-misses":           {kind: kindCache, config: 0x10005},
		"node-stores":                  {kind: kindCache, config: 0x106},
		"r1a8":                         {kind: kindRaw, config: 0x1a8},
		"r003c:u":                      {kind: kindRaw, config: 0x3c, user: true},
		"cpu_core/event=0x3c,umask=1/": {kind: 4, config: 0x13c},
		"cpu_core/event=0x3c,inv/":     {kind: 4, config: 0x80003c},
		"cpu_core/split=0xab/":         {kind: 4, config: 0xa0000000b},
		"cpu_core/event=1,ldlat=300/u": {kind: 4, config: 1, config1: 300, user: true},
		"cpu_core/slots/":              {kind: 4, config: 0x400},
		"cpu_core/slots,event=7/":      {kind: 4, config: 0x407},
		"cpu_core/config=0xff,config1=2,config2=3/": {kind: 4, config: 0xff, config1: 2, config2: 3},
		"cpu_core/all=0xffffffffffffffff/":          {kind: 4, config2: math.MaxUint64},
		"power/energy-pkg/":                         {kind: 9, config: 2, unit: "Joules", scale: 2.3283064365386962890625e-10},
	} {
		got, err := parse(e, devices())
		if err != nil || got != want {
			t.Errorf("%q: %+v, %v; want %+v", e, got, err, want)
		}
	}
}

func TestNamesThatMeanNothingAreRefused(t *testing.T) {
	for e, want := range map[Event]string{
		"cpu_core/event=0x1ff/":   "too large",
		"cpu_core/event=x/":       "not a number",
		"cpu_core/nonsense/":      "no event and no field",
		"cpu_core/odd=1/":         "cannot parse",
		"cpu_core/bits=1/":        "cannot parse",
		"cpu_core/loop/":          "no event and no field",
		"cpu_core/=1/":            "term",
		"cpu_core//":              "term",
		"cpu_core/../x/":          "term",
		"cpu_core/slots":          "closing slash",
		"cpu_core/slots/u:k":      "follows the closing slash",
		"cpu_other/slots/":        "no PMU",
		"L1-dcache-load-mistakes": "no such event",
		"L1-dcache-loadsmisses":   "no such event",
		"r":                       "no such event",
		"rxyz":                    "no such event",
		"cs:u":                    "always read 0",
		"cpu-migrations:u":        "always read 0",
		"elapsed":                 "every reading has it",
	} {
		if s, err := parse(e, devices()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v, %v; want %q", e, s, err, want)
		}
	}
}

func TestTypesOfCoresAreFound(t *testing.T) {
	if kinds := coreKinds(devices()); len(kinds) != 2 || kinds[0] != 10 || kinds[1] != 4 {
		t.Errorf("%v", kinds)
	}
	if kinds := coreKinds(fstest.MapFS{}); kinds != nil {
		t.Errorf("none: %v", kinds)
	}
	if events := listed(devices()); len(events) != 3 || events[2] != "power/energy-pkg/" {
		t.Errorf("%q", events)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"cycles:u", "L1-dcache-load-misses", "r1a8", "cpu_core/event=0x3c,umask=1/k", "power/energy-pkg/", "a/b/c:u", "cpu_core/split=0xab/"} {
		f.Add(seed)
	}
	tree := devices()
	f.Fuzz(func(t *testing.T, name string) {
		s, err := parse(Event(name), tree)
		if err == nil && (s.user && s.kernel || s.user && s.inKernel() || s.scale < 0) {
			t.Errorf("%q: %+v", name, s)
		}
		if err != nil && err.Error() == "" {
			t.Errorf("%q: no reason", name)
		}
	})
}

func TestScalingAgreesWithBigNumbers(t *testing.T) {
	for _, c := range [][3]uint64{
		{100, 10, 10}, {100, 10, 5}, {1, 3, 2}, {0, 5, 1}, {7, 0, 0}, {7, 9, 0}, {5, 1, 2}, {math.MaxUint64, 2, 1},
		{1 << 63, 3, 2}, {1 << 40, 1 << 40, 1}, {3, math.MaxUint64, math.MaxUint64 - 1}, {math.MaxUint64, math.MaxUint64, math.MaxUint64 - 1},
	} {
		checkScale(t, c[0], c[1], c[2])
	}
}

func checkScale(t *testing.T, n, enabled, running uint64) {
	t.Helper()
	got := scaleUp(n, enabled, running)
	var want uint64
	switch {
	case running == 0:
	case running >= enabled:
		want = n
	default:
		x := new(big.Int).SetUint64(n)
		x.Mul(x, new(big.Int).SetUint64(enabled))
		x.Add(x, new(big.Int).SetUint64(running/2))
		x.Div(x, new(big.Int).SetUint64(running))
		if want = math.MaxUint64; x.IsUint64() {
			want = x.Uint64()
		}
	}
	if got != want {
		t.Errorf("%d in %d of %d ns: %d, want %d", n, running, enabled, got, want)
	}
}

func FuzzScale(f *testing.F) {
	f.Add(uint64(100), uint64(10), uint64(3))
	f.Add(uint64(math.MaxUint64), uint64(math.MaxUint64), uint64(1))
	f.Fuzz(checkScale)
}

func TestCountersWrapButDoNotGoBack(t *testing.T) {
	for _, c := range []struct {
		begin, end, n uint64
		ok            bool
	}{
		{5, 5, 0, true}, {5, 9, 4, true}, {math.MaxUint64 - 1, 3, 5, true}, {9, 5, 0, false},
	} {
		if n, ok := since(c.begin, c.end); ok != c.ok || ok && n != c.n {
			t.Errorf("%d to %d: %d, %v", c.begin, c.end, n, ok)
		}
	}
}

func TestGroupRecordsAreDecoded(t *testing.T) {
	var s sample
	if !decode([]uint64{2, 100, 50, 7, 8}, []uint8{3, 1}, 2, false, &s) {
		t.Fatal("a good record")
	}
	if !decode([]uint64{2, 100, 50, 1, 2}, []uint8{3, 1}, 2, true, &s) { // the other type of cores
		t.Fatal("a good record")
	}
	if s.n[3] != 8 || s.n[1] != 10 || s.times[2] != (span{100, 100}) {
		t.Errorf("%+v", s)
	}
	for _, bad := range [][]uint64{nil, {}, {2}, {2, 1, 1}, {2, 1, 1, 7}, {3, 1, 1, 7, 8}, {2, 1, 1, 7, 8, 9}, {math.MaxUint64, 1, 1, 7, 8}} {
		if decode(bad, []uint8{0, 1}, 0, false, &s) {
			t.Errorf("%v: taken for a record of two", bad)
		}
	}
}

// reading returns a reading with the given counts.
func reading(n []uint64, t span, events ...Event) Reading {
	p := &plan{}
	for _, e := range events {
		p.rows = append(p.rows, row{event: e, value: Value{Event: e, State: Exact, Scale: 1}})
	}
	r := Reading{plan: p}
	copy(r.n[:], n)
	r.times[0] = t
	return r
}

func TestStatesFollowTheTimesThatCountersRan(t *testing.T) {
	for _, c := range []struct {
		times span
		state State
		count uint64
		share float64
	}{
		{span{100, 100}, Exact, 40, 1},
		{span{100, 50}, Scaled, 80, 0.5},
		{span{100, 0}, NotCounted, 0, 0},
		{span{0, 0}, NotCounted, 0, 0},
	} {
		v := reading([]uint64{40}, c.times, Cycles).Get(Cycles)
		if v.State != c.state || v.Count != c.count || v.Share != c.share || v.Known() == (v.Reason != "") {
			t.Errorf("%+v: %+v", c.times, v)
		}
	}
}

func TestMappedTimesTellWhetherAnythingWasLost(t *testing.T) {
	for _, c := range []struct {
		begin, end, want span
		paged            bool
	}{
		{span{10, 4}, span{30, 14}, span{20, 10}, false},
		{span{10, 4}, span{10, 4}, span{1, 1}, true},  // the thread was never switched away
		{span{10, 4}, span{30, 24}, span{1, 1}, true}, // it was, but no events were lost
		{span{10, 4}, span{30, 23}, span{1, 0}, true}, // the counters were given to others
		{span{10, 10}, span{0, 0}, span{1, 1}, true},
	} {
		if got := c.end.since(c.begin, c.paged); got != c.want {
			t.Errorf("%v to %v, %v: %v", c.begin, c.end, c.paged, got)
		}
	}
}

func TestRatiosAreOfOneGroupAndOneWindow(t *testing.T) {
	r := reading([]uint64{100, 250}, span{10, 5}, Cycles, Instructions)
	if ipc, ok := r.Ratio(Instructions, Cycles); !ok || ipc != 2.5 {
		t.Errorf("IPC %v, %v", ipc, ok)
	}
	other := reading([]uint64{100, 250}, span{10, 5}, Cycles, Instructions)
	other.plan.rows[1].slot = 1
	other.times[1] = span{10, 5}
	if _, ok := other.Ratio(Instructions, Cycles); ok {
		t.Error("a ratio of two windows")
	}
	other.plan.rows[0].slot, other.plan.rows[1].slot = noSlot, noSlot
	if _, ok := other.Ratio(Instructions, Cycles); ok {
		t.Error("a ratio of what was read apart")
	}
	if _, ok := reading([]uint64{0, 250}, span{10, 10}, Cycles, Instructions).Ratio(Instructions, Cycles); ok {
		t.Error("a ratio to nothing")
	}
	if _, ok := reading([]uint64{1, 2}, span{10, 0}, Cycles, Instructions).Ratio(Instructions, Cycles); ok {
		t.Error("a ratio of what never ran")
	}
	half := reading([]uint64{100, 250}, span{10, 10}, Cycles, Instructions)
	half.plan.rows[1].value.UserOnly = true
	if _, ok := half.Ratio(Instructions, Cycles); ok {
		t.Error("a ratio of user mode to all")
	}
}

func TestOverheadIsSubtractedToZeroAtMost(t *testing.T) {
	r := reading([]uint64{100, 5}, span{10, 10}, Cycles, Instructions)
	r.Elapsed = 50
	overhead := reading([]uint64{60, 60}, span{1, 1}, Cycles, Instructions)
	overhead.Elapsed = 80
	if l := r.Less(overhead); l.Get(Cycles).Count != 100 {
		t.Error("the overhead of another group was subtracted")
	}
	overhead.plan = r.plan
	l := r.Less(overhead)
	if l.Get(Cycles).Count != 40 || l.Get(Instructions).Count != 0 || l.Elapsed != 0 {
		t.Errorf("%v, %v, %v", l.Get(Cycles), l.Get(Instructions), l.Elapsed)
	}
	if r.Get(Cycles).Count != 100 {
		t.Error("Less changed its receiver")
	}
	r.times[0] = span{10, 5}
	if l := r.Less(overhead); l.Get(Cycles).Count != 200 {
		t.Errorf("of an estimate: %v", l.Get(Cycles))
	}
}

func TestValuesSayWhatTheyAreWorth(t *testing.T) {
	for want, v := range map[string]Value{
		"2049 instructions":                          {Event: Instructions, Count: 2049, State: Exact, Scale: 1},
		"2049 instructions (user mode)":              {Event: Instructions, Count: 2049, State: Exact, Scale: 1, UserOnly: true},
		"about 80 cycles (counted 50 % of the time)": {Event: Cycles, Count: 80, State: Scaled, Scale: 1, Share: 0.5},
		"no cycles: nothing there; look elsewhere":   {Event: Cycles, State: Unsupported, Scale: 1, Reason: "nothing there", Remedy: "look elsewhere"},
		"no cycles: nothing there":                   {Event: Cycles, State: Denied, Scale: 1, Reason: "nothing there"},
		"1.5 Joules power/energy-pkg/":               {Event: "power/energy-pkg/", Count: 3, State: Exact, Scale: 0.5, Unit: "Joules"},
	} {
		if got := v.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestNarrowCountersAreExtended(t *testing.T) {
	for _, c := range []struct {
		raw   uint64
		width uint16
		want  uint64
	}{
		{5, 48, 5}, {1 << 47, 48, 0xffff8000_00000000}, {1<<48 - 1, 48, math.MaxUint64}, {1<<48 | 7, 48, 7},
		{1 << 31, 32, 0xffffffff_80000000}, {math.MaxUint64, 64, math.MaxUint64}, {7, 0, 7},
	} {
		if got := extend(c.raw, c.width); got != c.want {
			t.Errorf("%#x of %d bits: %#x, want %#x", c.raw, c.width, got, c.want)
		}
	}
}

func TestPagesAreReadAgainWhenTheKernelChangesThem(t *testing.T) {
	p := &page{index: 3, offset: 1000, caps: capCounter, width: 48}
	reads := 0
	n, _, ok := p.read(func(index uint32) uint64 {
		if index != 2 {
			t.Errorf("counter %d", index)
		}
		if reads++; reads == 1 { // the thread is switched away here
			p.lock += 2
			p.offset = 5000
		}
		return 7
	})
	if !ok || n != 5007 || reads != 2 {
		t.Errorf("%d, %v, after %d readings", n, ok, reads)
	}
	for _, closed := range []*page{{index: 0, caps: capCounter}, {index: 1}} {
		if _, _, ok := closed.read(func(uint32) uint64 { t.Error("read"); return 0 }); ok {
			t.Errorf("%+v was read", closed)
		}
	}
}

func FuzzPage(f *testing.F) {
	f.Add(uint32(1), uint64(4), uint16(48), uint64(1<<47), uint64(77))
	f.Fuzz(func(t *testing.T, index uint32, caps uint64, width uint16, raw, offset uint64) {
		p := &page{index: index, offset: offset, caps: caps, width: width}
		n, _, ok := p.read(func(uint32) uint64 { return raw })
		if ok != (index != 0 && caps&4 != 0) {
			t.Fatalf("%+v: %v", p, ok)
		}
		if !ok {
			return
		}
		if w := uint(width); w > 0 && w < 64 { // two reads of a counter that advanced by one differ by one, whether it wrapped or not
			next, _, _ := p.read(func(uint32) uint64 { return raw + 1 })
			mask := uint64(1)<<w - 1
			if (next-n)&mask != 1 {
				t.Errorf("%+v: %d, then %d", p, n, next)
			}
		}
	})
}

func TestCheckGivesEveryEventANumberOrAReason(t *testing.T) {
	seen := map[Event]bool{}
	for _, v := range Check() {
		if v.Event == "" || seen[v.Event] {
			t.Errorf("%q twice", v.Event)
		}
		seen[v.Event] = true
		if !v.Known() && (v.Reason == "" || v.Count != 0) || v.Known() && (v.Source == "" || v.Share <= 0 || v.Share > 1) {
			t.Errorf("%+v", v)
		}
	}
	if len(seen) < 20 {
		t.Errorf("%d events", len(seen))
	}
	if v := Check("nonsense"); len(v) != 1 || v[0].State != Unsupported {
		t.Errorf("%+v", v)
	}
}
