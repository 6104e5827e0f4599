// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"unsafe"
)

// A kperf reads the processor's counters for the calling thread through the private frameworks kperf and kperfdata, which
// only root may use. Events come from the system's own database, because their numbers differ between processors.
//
// The configuration is one for the whole machine: a second would redirect the first, and closing either would stop both.
// So a program has one at a time. If the program ends without closing it, the kernel releases the counters.
type kperf struct {
	calls *kperfCalls
	mac   mac
	undo  rollback // takes back what was changed
	slots []slotOf
	buf   [64]uint64 // more than the system has
}

// A mac is what decides which counters a program may use.
type mac struct {
	root    bool
	arch    string // GOARCH
	release string // of the kernel, such as 24.4.0 for macOS 15.4
}

// userOnly reports whether the system counts in user mode alone, whatever is asked for: on Apple's processors since macOS 15.
// Only what the counters of fixed events count includes the kernel.
func (m mac) userOnly(name string) bool {
	major, _, _ := strings.Cut(m.release, ".")
	version, err := strconv.Atoi(major)
	return m.arch == "arm64" && !strings.HasPrefix(name, "FIXED_") && err == nil && version >= 24
}

// kperfTaken is set while a kperf is open.
var kperfTaken atomic.Bool

type slotOf struct{ row, at int }

// macNames are the names of an event in the databases of Apple's and Intel's processors; the first that exists is used.
type macNames struct {
	event Event
	names []string
}

func macEvents() []macNames {
	return []macNames{
		{Cycles, []string{"FIXED_CYCLES", "CPU_CLK_UNHALTED.THREAD"}},
		{Instructions, []string{"FIXED_INSTRUCTIONS", "INST_RETIRED.ANY"}},
		{Branches, []string{"INST_BRANCH", "BR_INST_RETIRED.ALL_BRANCHES"}},
		{BranchMisses, []string{"BRANCH_MISPRED_NONSPEC", "BRANCH_MISPREDICT", "BR_MISP_RETIRED.ALL_BRANCHES"}},
		{"L1-dcache-load-misses", []string{"L1D_CACHE_MISS_LD_NONSPEC", "L1D_CACHE_MISS_LD", "MEM_LOAD_RETIRED.L1_MISS"}},
		{"cache-misses", []string{"L2_CACHE_MISS_DATA", "LONGEST_LAT_CACHE.MISS"}},
	}
}

// openKperf counts those of the rows left that it can, and refuses the others. It returns nil if it counts none.
func openKperf(load func() (*kperfCalls, error), on mac, scope Scope, rows []row, left []int) *kperf {
	var wanted []int
	for _, i := range left {
		switch {
		case macNamesOf(rows[i].event) == nil:
			rows[i].refuse(refusal{state: Unsupported, reason: "strobe cannot count it on macOS"})
		case scope != Thread:
			rows[i].refuse(refusal{Unsupported, "macOS counts it for the calling thread only", "use perf.Thread"})
		default:
			wanted = append(wanted, i)
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	k := &kperf{mac: on}
	why := k.claim(load, rows, wanted)
	for _, i := range wanted {
		if rows[i].value.State == NotCounted {
			rows[i].refuse(why)
		}
	}
	if k.slots == nil {
		return nil
	}
	return k
}

func macNamesOf(e Event) []string {
	plain, _ := strings.CutSuffix(string(e), ":u")
	for _, m := range macEvents() {
		if string(m.event) == plain {
			return m.names
		}
	}
	return nil
}

var inUse = refusal{Denied, "another group of this program is using the counters, and macOS has one configuration for all", "close that group first, or open one group with all events"}

// claim takes the counters for this program and configures them. Unless it succeeds, nothing stays changed.
func (k *kperf) claim(load func() (*kperfCalls, error), rows []row, wanted []int) refusal {
	var err error
	if k.calls, err = load(); err != nil {
		return refusal{state: Unsupported, reason: "the framework kperf cannot be loaded: " + err.Error()}
	}
	var forced int32
	if a := k.calls.forceGet(&forced); a.failed() {
		return a.refusal(k.mac.root)
	}
	if kperfTaken.Swap(true) {
		return inUse
	}
	k.undo = append(k.undo, func() { kperfTaken.Store(false) })
	defer func() {
		if k.slots == nil { // refused, or a panic
			k.undo.run()
		}
	}()
	return k.configure(rows, wanted, forced != 0)
}

// configure makes the calls in the order the system requires. forced says that this process has claimed the counters before, which
// is then not ours to take back: the system would refuse it if another process had.
func (k *kperf) configure(rows []row, wanted []int, forced bool) refusal {
	c := k.calls
	var db kpepDB
	var config kpepConfig
	var meanwhile rollback
	defer meanwhile.run()
	if a := meanwhile.inOrder([]step{
		{func() answer { return c.dbCreate(nil, &db) }, func() { c.dbFree(db) }},
		{func() answer { return c.configCreate(db, &config) }, func() { c.configFree(config) }},
		{func() answer { return c.configForce(config) }, nil},
	}); a.failed() {
		return a.refusal(k.mac.root)
	}
	added := map[int]string{} // the name of each row's event
	var order []int
	for _, i := range wanted {
		name, why := k.add(db, config, rows[i].event)
		if name == "" {
			rows[i].refuse(why)
			continue
		}
		order, added[i] = append(order, i), name
	}
	if len(order) == 0 {
		return refusal{}
	}
	var classes uint32
	var n uintptr
	var at [64]uintptr
	var settings [64]uint64
	var release func()
	if !forced {
		release = func() { c.forceSet(0) }
	}
	counting, counted := uint32(c.getCounting().code)&^kpcPower, uint32(c.getThreadCounting().code)&^kpcPower
	if a := k.undo.inOrder([]step{
		{func() answer { return c.kpcClasses(config, &classes) }, nil},
		{func() answer { return c.kpcCount(config, &n) }, nil},
		{func() answer { return c.kpcMap(config, &at[0], unsafe.Sizeof(at)) }, nil},
		{func() answer { return c.kpcConfig(config, &settings[0], unsafe.Sizeof(settings)) }, nil},
		{func() answer { return c.forceSet(1) }, release},
		{func() answer { return c.setConfig(classes, &settings[0]) }, nil}, // before counting begins
		{func() answer { return c.setCounting(classes) }, func() { c.setCounting(counting) }},
		{func() answer { return c.setThreadCounting(classes) }, func() { c.setThreadCounting(counted) }},
	}); a.failed() {
		return a.refusal(k.mac.root)
	}
	var slots []slotOf
	for e, i := range order {
		if at[e] >= uintptr(len(k.buf)) {
			return refusal{Unsupported, "the system maps the counters in an unknown way", report}
		}
		slots = append(slots, slotOf{i, int(at[e])})
	}
	k.slots = slots
	for _, i := range order {
		k.counts(&rows[i], added[i])
	}
	return refusal{}
}

// add puts the first name of an event that the system's database has into the configuration.
func (k *kperf) add(db kpepDB, config kpepConfig, e Event) (name string, why refusal) {
	flag := uint32(0)
	if strings.HasSuffix(string(e), ":u") {
		flag = kpepUserOnly
	}
	last := answer{"kpep_db_event", kpepNoEvent, 0}
	for _, name := range macNamesOf(e) {
		text := append([]byte(name), 0)
		var event kpepEvent
		a := k.calls.dbEvent(db, &text[0], &event)
		runtime.KeepAlive(text)
		if !a.failed() {
			var clashes uint32
			a = k.calls.addEvent(config, &event, flag, &clashes)
		}
		if !a.failed() {
			return name, refusal{}
		}
		if a.code != kpepNoEvent { // says more than that the processor has another name for it
			last = a
		}
	}
	return "", last.refusal(k.mac.root)
}

// counts says of a row that it is counted as the event of a name.
func (k *kperf) counts(r *row, name string) {
	v := &r.value
	v.State, v.Source, v.Reason = Exact, "kperf", "counted as "+name
	v.UserOnly = strings.HasSuffix(string(r.event), ":u")
	if !v.UserOnly && k.mac.userOnly(name) {
		v.UserOnly, v.Reason = true, v.Reason+"; since macOS 15 Apple's processors count in user mode only"
	}
	together(kperfSlot, r)
}

// The slots: one system call reads cycles and instructions, another the counters of kperf.
const (
	selfSlot = iota
	kperfSlot
)

func (k *kperf) read(s *sample) {
	if k.calls.threadCounters(0, kpcMost, &k.buf[0]).failed() {
		s.fault = isTorn
	}
	for _, slot := range k.slots {
		s.n[slot.row] = k.buf[slot.at]
	}
}

func (k *kperf) close() { k.undo.run() }
