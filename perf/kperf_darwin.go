// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"runtime"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/ebitengine/purego"
)

// A kperf reads the processor's counters for the calling thread through the private frameworks kperf and kperfdata, which
// only root may use. Events come from the system's own database, because their numbers differ between processors.
//
// The configuration is one for the whole machine: a second would redirect the first, and closing either would stop both.
// So a program has one at a time.
type kperf struct {
	lib   kperfLib
	stop  func() // takes back what was configured
	n     uint32
	slots []slotOf
	buf   [64]uint64
}

// kperfTaken is set while a kperf is open.
var kperfTaken atomic.Bool

type slotOf struct{ row, at int }

// kperfLib holds the functions of both frameworks, under their names there.
type kperfLib struct {
	forceGet, forceSet, setConfig, setCounting, setThreadCounting, getThreadCounters uintptr

	dbCreate, dbFree, dbEvent, configCreate, configFree, configForce, addEvent uintptr

	kpcClasses, kpcCount, kpcMap, kpcConfig uintptr
}

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

const frameworks = "/System/Library/PrivateFrameworks/"

// load finds all calls.
func (l *kperfLib) load() error {
	for _, f := range []struct {
		path  string
		calls map[string]*uintptr
	}{
		{"kperf.framework/kperf", map[string]*uintptr{
			"kpc_force_all_ctrs_get": &l.forceGet, "kpc_force_all_ctrs_set": &l.forceSet, "kpc_set_config": &l.setConfig,
			"kpc_set_counting": &l.setCounting, "kpc_set_thread_counting": &l.setThreadCounting, "kpc_get_thread_counters": &l.getThreadCounters,
		}},
		{"kperfdata.framework/kperfdata", map[string]*uintptr{
			"kpep_db_create": &l.dbCreate, "kpep_db_free": &l.dbFree, "kpep_db_event": &l.dbEvent, "kpep_config_create": &l.configCreate,
			"kpep_config_free": &l.configFree, "kpep_config_force_counters": &l.configForce, "kpep_config_add_event": &l.addEvent,
			"kpep_config_kpc_classes": &l.kpcClasses, "kpep_config_kpc_count": &l.kpcCount, "kpep_config_kpc_map": &l.kpcMap, "kpep_config_kpc": &l.kpcConfig,
		}},
	} {
		lib, err := purego.Dlopen(frameworks+f.path, purego.RTLD_LAZY)
		if err != nil {
			return err
		}
		for name, at := range f.calls {
			if *at, err = purego.Dlsym(lib, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// call returns what a C function that gives an int returns, and the errno it left. What the arguments point to stays where it
// is meanwhile.
//
//go:uintptrescapes
func call(f uintptr, args ...uintptr) (code, errno int32) {
	r, _, e := purego.SyscallN(f, args...)
	return int32(r), int32(e)
}

// succeeds is call for functions whose failure needs no reason.
//
//go:uintptrescapes
func succeeds(f uintptr, args ...uintptr) bool {
	r, _, _ := purego.SyscallN(f, args...)
	return int32(r) == 0
}

var inUse = refusal{Denied, "another group of this program is using the counters, and macOS has one configuration for all", "close that group first, or open one group with all events"}

// openKperf configures the counters for those of the rows left that have a name in the database.
func openKperf(scope Scope, rows []row, left []int) (*kperf, refusal) {
	none := refusal{state: Unsupported, reason: "strobe cannot count it on macOS"}
	wanted := map[int][]string{}
	for _, i := range left {
		plain, _ := strings.CutSuffix(string(rows[i].event), ":u")
		for _, m := range macEvents() {
			if string(m.event) == plain {
				wanted[i] = m.names
			}
		}
	}
	if len(wanted) == 0 {
		return nil, none
	}
	if scope != Thread {
		return nil, refusal{state: Unsupported, reason: "macOS counts it for the calling thread only", remedy: "use perf.Thread"}
	}
	k := new(kperf)
	if err := k.lib.load(); err != nil {
		return nil, refusal{state: Unsupported, reason: "the framework kperf cannot be loaded: " + err.Error()}
	}
	var forced int32
	if code, errno := call(k.lib.forceGet, uintptr(unsafe.Pointer(&forced))); code != 0 {
		return nil, answer{"kpc_force_all_ctrs_get", code, errno}.refusal()
	}
	if kperfTaken.Swap(true) {
		return nil, inUse
	}
	if r := k.configure(rows, left, wanted); r.reason != "" {
		kperfTaken.Store(false)
		return nil, r
	}
	return k, none
}

// configure makes the calls in the order the system requires. A result with a reason means that it refused.
func (k *kperf) configure(rows []row, left []int, wanted map[int][]string) refusal {
	l := &k.lib
	var db, config uintptr
	var added []int
	free, failed := inOrder([]step{
		{"kpep_db_create", func() (int32, int32) { return call(l.dbCreate, 0, uintptr(unsafe.Pointer(&db))) }, func() { call(l.dbFree, db) }},
		{"kpep_config_create", func() (int32, int32) { return call(l.configCreate, db, uintptr(unsafe.Pointer(&config))) }, func() { call(l.configFree, config) }},
		{"kpep_config_force_counters", func() (int32, int32) { return call(l.configForce, config) }, nil},
	})
	if failed.code != 0 {
		return failed.refusal()
	}
	defer free()
	for _, i := range left {
		if k.add(db, config, &rows[i], wanted[i]) {
			added = append(added, i)
		}
	}
	if len(added) == 0 {
		return refusal{state: Unsupported, reason: "the system's database of this processor has none of these events"}
	}
	var classes uint32
	var count uintptr
	var at, settings [64]uint64
	k.stop, failed = inOrder([]step{
		{"kpep_config_kpc_classes", func() (int32, int32) { return call(l.kpcClasses, config, uintptr(unsafe.Pointer(&classes))) }, nil},
		{"kpep_config_kpc_count", func() (int32, int32) { return call(l.kpcCount, config, uintptr(unsafe.Pointer(&count))) }, nil},
		{"kpep_config_kpc_map", func() (int32, int32) { return call(l.kpcMap, config, uintptr(unsafe.Pointer(&at)), unsafe.Sizeof(at)) }, nil},
		{"kpep_config_kpc", func() (int32, int32) {
			return call(l.kpcConfig, config, uintptr(unsafe.Pointer(&settings)), unsafe.Sizeof(settings))
		}, nil},
		{"kpc_force_all_ctrs_set", func() (int32, int32) { return call(l.forceSet, 1) }, func() { call(l.forceSet, 0) }},
		{"kpc_set_config", func() (int32, int32) { return call(l.setConfig, uintptr(classes), uintptr(unsafe.Pointer(&settings))) }, nil}, // before counting begins
		{"kpc_set_counting", func() (int32, int32) { return call(l.setCounting, uintptr(classes)) }, func() { call(l.setCounting, 0) }},
		{"kpc_set_thread_counting", func() (int32, int32) { return call(l.setThreadCounting, uintptr(classes)) }, func() { call(l.setThreadCounting, 0) }},
	})
	if failed.code != 0 {
		return failed.refusal()
	}
	k.n = uint32(len(k.buf)) // at most; the system fills in what it has
	for n, i := range added {
		if at[n] >= uint64(len(k.buf)) {
			k.stop()
			return refusal{state: Unsupported, reason: "the system maps the counters in an unknown way"}
		}
		k.slots = append(k.slots, slotOf{i, int(at[n])})
		rows[i].value.State, rows[i].value.Source = Exact, "kperf"
		together(kperfSlot, &rows[i])
	}
	return refusal{}
}

// add puts the first of the names that the database has into the configuration.
func (k *kperf) add(db, config uintptr, r *row, names []string) bool {
	user := uintptr(0)
	if strings.HasSuffix(string(r.event), ":u") {
		user = 1
	}
	for _, name := range names {
		text := append([]byte(name), 0)
		var event uintptr
		found := succeeds(k.lib.dbEvent, db, uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(&event)))
		runtime.KeepAlive(text)
		if !found {
			continue
		}
		var clash uint32
		if !succeeds(k.lib.addEvent, config, uintptr(unsafe.Pointer(&event)), user, uintptr(unsafe.Pointer(&clash))) {
			continue
		}
		r.value.UserOnly, r.value.Reason = user == 1, "counted as "+name
		return true
	}
	return false
}

func (k *kperf) read(s *sample) {
	if !succeeds(k.lib.getThreadCounters, 0, uintptr(k.n), uintptr(unsafe.Pointer(&k.buf))) {
		s.fault = isTorn
	}
	for _, slot := range k.slots {
		s.n[slot.row] = k.buf[slot.at]
	}
}

func (k *kperf) close() {
	k.stop()
	kperfTaken.Store(false)
}
