// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// A fakeMac stands in for the frameworks and for the state of the system that they change.
type fakeMac struct {
	forced, counting, counted int32 // as kpc_force_all_ctrs_get and so on report them
	databases, configs        int   // not yet freed
	events                    []string
	fails                     map[string]int32 // what a function answers
	panics                    string           // the function that panics
	far                       bool             // kpep maps events to counters that cannot be
	calls                     []string
	counts                    uint64
}

func newFakeMac() *fakeMac { return &fakeMac{fails: map[string]int32{}} }

// ours is what must be as it was once nothing is open.
func (m *fakeMac) ours() [5]int32 {
	return [5]int32{m.forced, m.counting, m.counted, int32(m.databases), int32(m.configs)}
}

// call answers for a function, which has an effect unless it fails.
func (m *fakeMac) call(name string, effect func()) answer {
	m.calls = append(m.calls, name)
	if m.panics == name {
		panic(name)
	}
	if code := m.fails[name]; code != 0 {
		return answer{name, code, 0}
	}
	effect()
	return answer{name, 0, 7} // with an errno of an earlier call
}

const fakeDB, fakeConfig = kpepDB(1), kpepConfig(2)

func (m *fakeMac) load() (*kperfCalls, error) {
	sets := func(name string, to *int32) func(uint32) answer {
		return func(classes uint32) answer { return m.call(name, func() { *to = int32(classes) }) }
	}
	known := []string{"INST_BRANCH", "BRANCH_MISPREDICT", "FIXED_CYCLES"}
	return &kperfCalls{
		forceGet:          func(to *int32) answer { return m.call("kpc_force_all_ctrs_get", func() { *to = m.forced }) },
		forceSet:          func(on int32) answer { return m.call("kpc_force_all_ctrs_set", func() { m.forced = on }) },
		getCounting:       func() answer { return answer{"kpc_get_counting", m.counting, 0} },
		setCounting:       sets("kpc_set_counting", &m.counting),
		getThreadCounting: func() answer { return answer{"kpc_get_thread_counting", m.counted, 0} },
		setThreadCounting: sets("kpc_set_thread_counting", &m.counted),
		setConfig:         func(uint32, *uint64) answer { return m.call("kpc_set_config", func() {}) },
		threadCounters: func(_, n uint32, to *uint64) answer {
			return m.call("kpc_get_thread_counters", func() {
				for i := range unsafe.Slice(to, n)[:8] {
					m.counts++
					unsafe.Slice(to, n)[i] = m.counts
				}
			})
		},
		dbCreate: func(_ *byte, to *kpepDB) answer {
			return m.call("kpep_db_create", func() { *to, m.databases = fakeDB, m.databases+1 })
		},
		dbFree: func(db kpepDB) answer { return m.call("kpep_db_free", func() { m.databases -= int(db) }) },
		dbEvent: func(_ kpepDB, name *byte, to *kpepEvent) answer {
			at := slices.Index(known, ofC(name))
			if at < 0 {
				return answer{"kpep_db_event", kpepNoEvent, 0}
			}
			return m.call("kpep_db_event", func() { *to = kpepEvent(at) })
		},
		configCreate: func(_ kpepDB, to *kpepConfig) answer {
			return m.call("kpep_config_create", func() { *to, m.configs, m.events = fakeConfig, m.configs+1, nil })
		},
		configFree:  func(c kpepConfig) answer { return m.call("kpep_config_free", func() { m.configs -= int(c) - 1 }) },
		configForce: func(kpepConfig) answer { return m.call("kpep_config_force_counters", func() {}) },
		addEvent: func(_ kpepConfig, e *kpepEvent, flag uint32, _ *uint32) answer {
			return m.call("kpep_config_add_event", func() { m.events = append(m.events, fmt.Sprint(known[*e], flag)) })
		},
		kpcClasses: func(_ kpepConfig, to *uint32) answer { return m.call("kpep_config_kpc_classes", func() { *to = 3 }) },
		kpcCount: func(_ kpepConfig, to *uintptr) answer {
			return m.call("kpep_config_kpc_count", func() { *to = uintptr(len(m.events)) })
		},
		kpcMap: func(_ kpepConfig, to *uintptr, bytes uintptr) answer {
			return m.call("kpep_config_kpc_map", func() {
				for i := range m.events {
					unsafe.Slice(to, bytes/8)[i] = uintptr(2 + 2*i)
					if m.far && i > 0 {
						unsafe.Slice(to, bytes/8)[i] = 1000
					}
				}
			})
		},
		kpcConfig: func(kpepConfig, *uint64, uintptr) answer { return m.call("kpep_config_kpc", func() {}) },
	}, nil
}

// ofC returns a string that ends with a zero byte.
func ofC(at *byte) (s string) {
	for ; *at != 0; at = (*byte)(unsafe.Add(unsafe.Pointer(at), 1)) {
		s += string(rune(*at))
	}
	return s
}

// opened opens events as counters_darwin.go does.
func (m *fakeMac) opened(on mac, scope Scope, events ...Event) (*kperf, []row) {
	rows, left := make([]row, len(events)), make([]int, len(events))
	for i, e := range events {
		rows[i], left[i] = row{event: e, slot: noSlot, value: Value{Event: e, Scale: 1}}, i
	}
	return openKperf(m.load, on, scope, rows, left), rows
}

func TestEventsOfKperfAreCountedUntilClosed(t *testing.T) {
	m := newFakeMac()
	k, rows := m.opened(mac{}, Thread, Branches, "bus-cycles", BranchMisses+":u", "cache-misses")
	if k == nil || m.ours() != [5]int32{1, 3, 3, 0, 0} || !slices.Equal(m.events, []string{"INST_BRANCH0", "BRANCH_MISPREDICT1"}) {
		t.Fatalf("%+v", m)
	}
	for i, want := range []Value{
		{State: Exact, Source: "kperf", Reason: "counted as INST_BRANCH"},
		{State: Unsupported, Reason: "strobe cannot count it on macOS"},
		{State: Exact, Source: "kperf", Reason: "counted as BRANCH_MISPREDICT", UserOnly: true},
		{State: Unsupported, Reason: "kpep_db_event failed: the database of this processor has no such event (11)"},
	} {
		want.Event, want.Scale = rows[i].event, 1
		if rows[i].value != want {
			t.Errorf("%+v, want %+v", rows[i].value, want)
		}
	}
	var s sample
	if k.read(&s); s.n != [maxEvents]uint64{0: 3, 2: 5} || s.fault != 0 {
		t.Errorf("%+v", s)
	}
	m.fails["kpc_get_thread_counters"] = -1
	if k.read(&s); s.fault != isTorn {
		t.Errorf("a failed read: %+v", s)
	}
	k.close()
	if m.ours() != [5]int32{} {
		t.Errorf("left: %+v", m)
	}
	before := len(m.calls)
	if k.close(); len(m.calls) != before {
		t.Errorf("a second close calls %q", m.calls[before:])
	}
}

// Each function fails or panics in turn. What stays must be as it was, whether or not others had used the counters before.
func TestNothingStaysClaimedAfterAFailure(t *testing.T) {
	whole := newFakeMac()
	k, _ := whole.opened(mac{}, Thread, Branches)
	k.close()
	names := map[string]bool{}
	for _, name := range whole.calls {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		for _, before := range [][3]int32{{}, {1, 1, 0}, {0, 3, 3}} {
			if strings.HasSuffix(name, "_free") { // cannot fail
				continue
			}
			for _, panics := range []bool{false, true} {
				m := newFakeMac()
				m.forced, m.counting, m.counted = before[0], before[1], before[2]
				if m.fails[name] = 5; panics {
					m.panics = name
				}
				k, rows, panicked := m.openedOrPanics(Branches)
				if k != nil || panicked != panics || m.ours() != [5]int32{before[0], before[1], before[2]} || kperfTaken.Load() {
					t.Errorf("%s fails, panic %v, %v before: %+v", name, panics, before, m)
				}
				if !panics && (rows[0].value.State == Exact || rows[0].value.Reason == "" || !strings.Contains(rows[0].value.Reason, name)) {
					t.Errorf("%s fails: %+v", name, rows[0].value)
				}
			}
		}
	}
}

func (m *fakeMac) openedOrPanics(events ...Event) (k *kperf, rows []row, panicked bool) {
	defer func() { panicked = recover() != nil }()
	k, rows = m.opened(mac{}, Thread, events...)
	return k, rows, false
}

// The power manager's class is its own: the system gives it back when the counters are released.
func TestClosingLeavesCountingAsItWas(t *testing.T) {
	for _, before := range [][3]int32{{0, 0, 0}, {0, 1, 3}, {1, 1, 0}, {0, 1 | kpcPower, 0}} {
		m := newFakeMac()
		m.forced, m.counting, m.counted = before[0], before[1], before[2]
		k, _ := m.opened(mac{}, Thread, Branches)
		if m.forced != 1 || m.counting != 3 || m.counted != 3 {
			t.Errorf("open: %+v", m)
		}
		k.close()
		if want := [5]int32{before[0], before[1] &^ kpcPower, before[2]}; m.ours() != want {
			t.Errorf("%v before: left %v, want %v", before, m.ours(), want)
		}
	}
}

func TestACallThatFailsAtTheEndDoesNotKeepTheCountersClaimed(t *testing.T) {
	for _, panics := range []bool{false, true} {
		m := newFakeMac()
		k, _ := m.opened(mac{}, Thread, Branches)
		m.fails["kpc_set_thread_counting"], m.fails["kpc_set_counting"] = 5, 5
		if panics {
			m.panics = "kpc_set_thread_counting"
		}
		func() {
			defer func() { _ = recover() }()
			k.close()
		}()
		if m.forced != 0 || kperfTaken.Load() {
			t.Errorf("panic %v: %+v", panics, m)
		}
	}
}

func TestASecondGroupOfPrivilegedCountersIsRefusedAndDisturbsNothing(t *testing.T) {
	m := newFakeMac()
	first, _ := m.opened(mac{}, Thread, Branches)
	before, calls := m.ours(), len(m.calls)
	second, rows := m.opened(mac{}, Thread, BranchMisses)
	if second != nil || rows[0].value.State != Denied || rows[0].value.Reason != inUse.reason || m.ours() != before || len(m.calls) != calls+1 {
		t.Errorf("%+v, %q", rows[0].value, m.calls[calls:])
	}
	first.close()
	third, rows := m.opened(mac{}, Thread, BranchMisses)
	if third == nil || rows[0].value.State != Exact || m.forced != 1 {
		t.Fatalf("after the first is closed: %+v", rows[0].value)
	}
	if first.close(); m.forced != 1 || !kperfTaken.Load() {
		t.Error("closing the first again took the counters from the third")
	}
	third.close()
	if m.ours() != [5]int32{} {
		t.Errorf("%+v", m)
	}
}

func TestNoRowIsCountedIfOneIsMappedToNoCounter(t *testing.T) {
	m := newFakeMac()
	m.far = true
	k, rows := m.opened(mac{}, Thread, Branches, BranchMisses)
	if k != nil || rows[0].counted() || rows[1].counted() || m.ours() != [5]int32{} || rows[0].value.UserOnly || rows[0].slot != noSlot {
		t.Errorf("%+v, %+v", rows, m)
	}
}

func TestKperfIsRefusedWithoutFrameworksOrForOthers(t *testing.T) {
	m := newFakeMac()
	if k, rows := m.opened(mac{}, Process, Branches); k != nil || rows[0].value.Remedy != "use perf.Thread" || len(m.calls) != 0 {
		t.Errorf("%+v, %q", rows[0].value, m.calls)
	}
	rows := []row{{event: Branches, slot: noSlot, value: Value{Event: Branches, Scale: 1}}}
	missing := func() (*kperfCalls, error) { return nil, errors.New("image not found") }
	if k := openKperf(missing, mac{}, Thread, rows, []int{0}); k != nil || !strings.Contains(rows[0].value.Reason, "image not found") || kperfTaken.Load() {
		t.Errorf("%+v", rows[0].value)
	}
	m.fails["kpc_force_all_ctrs_get"] = macEPERM
	if _, rows := m.opened(mac{}, Thread, Branches, Cycles); rows[0].value.State != Denied || rows[1].value.Remedy != "run the program with sudo" {
		t.Errorf("%+v", rows)
	}
}

func TestEventsThatClashSayWhyAndTheOthersCount(t *testing.T) {
	m := newFakeMac()
	m.fails["kpep_config_add_event"] = kpepConflict
	k, rows := m.opened(mac{}, Thread, Branches)
	if k != nil || !strings.Contains(rows[0].value.Reason, "cannot count these events at once") || rows[0].value.Remedy == "" || m.ours() != [5]int32{} {
		t.Errorf("%+v", rows[0].value)
	}
}

func TestApplesProcessorsCountInUserModeSinceMacOS15(t *testing.T) {
	for want, on := range map[bool][]mac{
		true:  {{arch: "arm64", release: "24.0.0"}, {arch: "arm64", release: "25.1.0"}},
		false: {{arch: "arm64", release: "23.6.0"}, {arch: "amd64", release: "24.0.0"}, {arch: "arm64"}},
	} {
		for _, on := range on {
			m := newFakeMac()
			k, rows := m.opened(on, Thread, Branches, Cycles+":u", Cycles)
			if v := rows[0].value; v.UserOnly != want || strings.Contains(v.Reason, "user mode only") != want || !rows[1].value.UserOnly || rows[2].value.UserOnly {
				t.Errorf("%+v: %+v", on, rows)
			}
			k.close()
		}
	}
}

func TestReadingKperfDoesNotAllocate(t *testing.T) {
	m := newFakeMac()
	k, _ := m.opened(mac{}, Thread, Branches)
	defer k.close()
	k.calls.threadCounters = func(_, n uint32, to *uint64) answer { *to = 1; return answer{"kpc_get_thread_counters", 0, 0} }
	var s sample
	if n := testing.AllocsPerRun(100, func() { k.read(&s) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
