// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/sys/unix"
)

// A fake is a kernel with a given number of counters, which may refuse to open events.
type fake struct {
	system
	counters int // that a group may use; a larger group is refused with EINVAL
	refuse   func(attr *unix.PerfEventAttr, pid int) error
	starving int // a larger group than this opens but never runs; 0 means none

	next    int
	groups  map[int][]int // hardware events of the group, by its leader
	leader  map[int]int
	kind    map[int]uint32
	opened  []string
	closed  []int
	threads []int
}

func newFake(counters int) *fake {
	f := &fake{counters: counters, next: 10, groups: map[int][]int{}, leader: map[int]int{}, kind: map[int]uint32{}, threads: []int{7}}
	f.system = system{
		open: func(attr *unix.PerfEventAttr, pid, group int) (int, error) {
			if f.refuse != nil {
				if err := f.refuse(attr, pid); err != nil {
					return -1, err
				}
			}
			lead := group
			if group < 0 {
				lead = f.next
			}
			if attr.Type != kindSoftware && len(f.groups[lead]) == f.counters {
				return -1, unix.EINVAL
			}
			fd := f.next
			f.next++
			f.leader[fd], f.kind[fd] = lead, attr.Type
			if attr.Type != kindSoftware {
				f.groups[lead] = append(f.groups[lead], fd)
			}
			f.opened = append(f.opened, fmt.Sprintf("%d:%#x pid %d bits %#x", attr.Type, attr.Config, pid, attr.Bits))
			return fd, nil
		},
		close: func(fd int) {
			f.closed = append(f.closed, fd)
			lead := f.leader[fd]
			f.groups[lead] = slices.DeleteFunc(f.groups[lead], func(x int) bool { return x == fd })
			delete(f.leader, fd)
		},
		enable:    func(fd int) error { return nil },
		starve:    func(fd int) bool { return f.starving > 0 && len(f.groups[fd]) > f.starving },
		tids:      func(pid int) ([]int, error) { return f.threads, nil },
		mapped:    func(int) (*page, func(), error) { return nil, nil, unix.EACCES },
		devices:   fstest.MapFS{},
		explainer: explainer{paranoid: "2"},
	}
	return f
}

func rowsOf(events ...Event) []row {
	rows := make([]row, len(events))
	for i, e := range events {
		rows[i] = row{event: e, slot: noSlot, value: Value{Event: e, Scale: 1}}
	}
	return rows
}

func TestEveryRefusalHasACauseAndARemedy(t *testing.T) {
	for _, c := range []struct {
		err     error
		virtual bool
		state   State
		reason  string
		remedy  string
	}{
		{unix.EACCES, false, Denied, "perf_event_paranoid is 2 (EACCES)", "CAP_PERFMON"},
		{unix.EPERM, false, Denied, "seccomp", "profile"},
		{unix.ENOENT, false, Unsupported, "this processor has no such counter (ENOENT)", ""},
		{unix.ENOENT, true, Unsupported, "virtual machine", "PMU"},
		{unix.ENODEV, false, Unsupported, "processor", ""},
		{unix.EOPNOTSUPP, false, Unsupported, "processor", ""},
		{unix.ENOSYS, false, Unsupported, "without performance events", "CONFIG_PERF_EVENTS"},
		{unix.EINVAL, false, Unsupported, "does not support", "newer kernel"},
		{unix.E2BIG, false, Unsupported, "does not support", "newer kernel"},
		{unix.EMFILE, false, Denied, "too many open files", "ulimit"},
		{unix.ENFILE, false, Denied, "too many open files", "ulimit"},
		{unix.EBUSY, false, Denied, "another program", "nmi_watchdog"},
		{unix.ESRCH, false, Unsupported, "no such process", "process number"},
		{unix.ENOMEM, false, Denied, "memory", "fewer"},
		{unix.EIO, false, Unsupported, "input/output error (EIO)", ""},
	} {
		got := explainer{paranoid: "2", hypervisor: c.virtual}.explain(fmt.Errorf("open: %w", c.err))
		if got.state != c.state || !strings.Contains(got.reason, c.reason) || !strings.Contains(got.remedy, c.remedy) || strings.Contains(got.reason+got.remedy, "\n") {
			t.Errorf("%v: %+v", c.err, got)
		}
	}
	if r := (explainer{}).explain(unix.EACCES); strings.Contains(r.reason, "paranoid is") {
		t.Errorf("a level that is not known: %q", r.reason)
	}
}

func TestPermissionLadder(t *testing.T) {
	const kernelToo = unix.PerfBitExcludeKernel
	user := func(attr *unix.PerfEventAttr, _ int) error { // level 2
		if attr.Bits&kernelToo == 0 {
			return unix.EACCES
		}
		return nil
	}
	none := func(*unix.PerfEventAttr, int) error { return unix.EACCES }
	for _, c := range []struct {
		name     string
		refuse   func(*unix.PerfEventAttr, int) error
		event    Event
		state    State
		userOnly bool
		source   string
	}{
		{"all", nil, Cycles, Exact, false, "pmu-syscall"},
		{"all", nil, "cycles:u", Exact, true, "pmu-syscall"},
		{"user", user, Cycles, Exact, true, "pmu-syscall"},
		{"user", user, "cycles:u", Exact, true, "pmu-syscall"},
		{"user", user, "cycles:k", Denied, false, ""},
		{"user", user, ContextSwitches, Exact, false, "rusage"},
		{"user", user, "cpu-migrations", Denied, false, ""},
		{"user", user, PageFaults, Exact, false, "rusage"},
		{"user", user, "faults:u", Exact, true, "software"},
		{"user", user, TaskClock, Exact, false, "clock"},
		{"none", none, Cycles, Denied, false, ""},
		{"none", none, "faults:u", Denied, false, ""},
		{"none", none, "major-faults", Exact, false, "rusage"},
	} {
		f := newFake(6)
		f.refuse = c.refuse
		rows := rowsOf(c.event)
		sets := f.openSets(Thread, rows)
		if v := rows[0].value; v.State != c.state || v.UserOnly != c.userOnly || v.Source != c.source || (v.State != Exact) != (v.Count == 0 && v.Reason != "" && v.State != Exact) {
			t.Errorf("%s, %s: %+v", c.name, c.event, v)
		}
		f.closeSets(sets)
		if len(f.leader) != 0 {
			t.Errorf("%s, %s: %d events stay open", c.name, c.event, len(f.leader))
		}
	}
}

func TestPermissionIsNoRemedyWhereThereIsNoCounter(t *testing.T) {
	f := newFake(6)
	f.hypervisor = true
	f.refuse = func(attr *unix.PerfEventAttr, _ int) error { // level 2 for an ordinary user, on a machine without a PMU
		if attr.Bits&unix.PerfBitExcludeKernel == 0 {
			return unix.EACCES
		}
		return unix.ENOENT
	}
	rows := rowsOf(Cycles)
	f.openSets(Thread, rows)
	if v := rows[0].value; v.State != Unsupported || !strings.Contains(v.Reason, "virtual machine") || strings.Contains(v.Remedy, "paranoid") {
		t.Errorf("level 2: %+v", v)
	}
	f.refuse = func(*unix.PerfEventAttr, int) error { return unix.EACCES } // level 3 hides that there is none
	f.noPMU = !hasCore(fstest.MapFS{"software/type": {Data: []byte("1")}})
	rows = rowsOf(Cycles, "LLC-loads", "r1a8")
	f.openSets(Thread, rows)
	for _, r := range rows[:2] {
		if v := r.value; v.State != Unsupported || strings.Contains(v.Remedy, "paranoid") || !strings.Contains(v.Reason, "(EACCES)") { // the kernel's error
			t.Errorf("level 3: %+v", v)
		}
	}
	if rows[2].value.State != Denied {
		t.Errorf("%+v", rows[2].value)
	}
	if !hasCore(fstest.MapFS{}) || !hasCore(fstest.MapFS{"cpu/type": {}}) || !hasCore(devices()) {
		t.Error("a PMU that is there, or may be, is missed")
	}
}

// A bit-field's first bit is the highest of the word on big-endian machines.
func TestInheritThreadFollowsTheByteOrder(t *testing.T) {
	want := uint64(1) << 35
	if binary.NativeEndian.Uint16([]byte{0, 1}) == 1 {
		want = 1 << (63 - 35)
	}
	if inheritThread != want {
		t.Errorf("%#x, want %#x", uint64(inheritThread), want)
	}
}

func TestSwitchesAreNeverOpenedForUserModeAlone(t *testing.T) {
	f := newFake(6)
	f.refuse = func(attr *unix.PerfEventAttr, _ int) error {
		if attr.Type == kindSoftware && attr.Config == softSwitches && attr.Bits&unix.PerfBitExcludeKernel != 0 {
			t.Error("opened so that it reads 0")
		}
		return unix.EACCES
	}
	f.openSets(Thread, rowsOf(ContextSwitches, "cs:u", "cpu-migrations", "cgroup-switches"))
}

func TestEventsThatDoNotFitTakeTurnsWithPairsTogether(t *testing.T) {
	events := []Event{Cycles, Branches, "ref-cycles", BranchMisses, Instructions, "bus-cycles", PageFaults}
	for _, starving := range []bool{false, true} {
		f := newFake(3)
		if starving { // this kernel accepts groups that can never run
			f.counters, f.starving = 99, 3
		}
		rows := rowsOf(events...)
		sets := f.openSets(Thread, rows)
		slot := func(e Event) uint8 {
			for _, r := range rows {
				if r.event == e {
					if !r.counted() || r.slot == noSlot {
						t.Errorf("%s: %+v", e, r)
					}
					return r.slot
				}
			}
			return noSlot
		}
		if len(sets) < 2 || slot(Cycles) != slot(Instructions) || slot(Branches) != slot(BranchMisses) || slot(PageFaults) != 0 || slot("bus-cycles") == noSlot {
			t.Errorf("%d sets: %+v", len(sets), rows)
		}
		if !strings.Contains(rows[0].value.Reason, "take turns") {
			t.Errorf("%+v", rows[0].value)
		}
		for _, s := range sets {
			if n := len(f.groups[s.fd]); n > 3 {
				t.Errorf("%d events in a group", n)
			}
		}
		f.closeSets(sets)
		if len(f.leader) != 0 {
			t.Errorf("%d events stay open", len(f.leader))
		}
	}
}

func TestLeadersAreClosedLast(t *testing.T) {
	f := newFake(6)
	sets := f.openSets(Thread, rowsOf(Cycles, Instructions, PageFaults))
	leader, n := sets[0].fd, len(sets[0].fds)
	f.closed = nil
	f.closeSets(sets)
	if n != 3 || len(f.closed) != 3 || f.closed[2] != leader {
		t.Errorf("closed %d, leader %d", f.closed, leader)
	}
}

func TestProcessesAreCountedOnEveryThreadUntilNoneIsNew(t *testing.T) {
	f := newFake(6)
	f.threads = []int{1, 2}
	looks := 0
	f.tids = func(int) ([]int, error) {
		if looks++; looks == 2 { // a thread was started meanwhile
			f.threads = append(f.threads, 3)
		}
		return f.threads, nil
	}
	ended := false
	f.refuse = func(_ *unix.PerfEventAttr, pid int) error {
		if pid == 2 {
			ended = true
			return unix.ESRCH
		}
		return nil
	}
	sets := f.openSets(Process, rowsOf(Cycles))
	if len(sets) != 2 || looks != 3 || !ended {
		t.Errorf("%d sets after %d looks", len(sets), looks)
	}
	for _, line := range f.opened[len(f.opened)-2:] {
		_, text, _ := strings.Cut(line, "bits ")
		if bits, err := strconv.ParseUint(text, 0, 64); err != nil || bits&inheritThread == 0 { // children are not threads of the process
			t.Errorf("%s", line)
		}
	}
}

func TestTypesOfCoresAreCountedEachAndAddedUp(t *testing.T) {
	f := newFake(6)
	f.devices = devices()
	rows := rowsOf(Cycles, Instructions, PageFaults)
	sets := f.openSets(Thread, rows)
	if len(sets) != 3 || sets[0].alternate || !sets[1].alternate || sets[0].slot != sets[1].slot || rows[2].slot == rows[0].slot {
		t.Fatalf("%+v", sets)
	}
	var s sample
	decode([]uint64{2, 100, 30, 5, 6}, sets[0].events, sets[0].slot, sets[0].alternate, &s)
	decode([]uint64{2, 100, 70, 50, 60}, sets[1].events, sets[1].slot, sets[1].alternate, &s)
	if s.n[0] != 55 || s.n[1] != 66 || s.times[0] != (span{100, 100}) {
		t.Errorf("%+v", s)
	}
	kinds := strings.Join(f.opened, "\n")
	if !strings.Contains(kinds, "0:0xa00000000 ") || !strings.Contains(kinds, "0:0x400000001 ") {
		t.Errorf("%s", kinds)
	}
}

func TestFilesThatRunOutRefuseEverythingAndLeaveNothing(t *testing.T) {
	f := newFake(6)
	f.threads = []int{1, 2, 3}
	f.refuse = func(_ *unix.PerfEventAttr, pid int) error {
		if pid == 3 {
			return unix.EMFILE
		}
		return nil
	}
	rows := rowsOf(Cycles, Instructions)
	if sets := f.openSets(Process, rows); len(sets) != 0 || rows[0].value.State != Denied || !strings.Contains(rows[1].value.Remedy, "ulimit") || len(f.leader) != 0 {
		t.Errorf("%d sets, %d open, %+v", len(sets), len(f.leader), rows)
	}
}

func TestCountersOfAnotherPMUMayRefuseToLeaveTheHypervisorOut(t *testing.T) {
	f := newFake(6)
	f.devices = devices()
	f.refuse = func(attr *unix.PerfEventAttr, _ int) error {
		if attr.Bits&unix.PerfBitExcludeHv != 0 {
			return unix.EINVAL
		}
		return nil
	}
	rows := rowsOf("power/energy-pkg/")
	if f.openSets(Thread, rows); !rows[0].counted() || rows[0].value.Unit != "Joules" || rows[0].value.Scale >= 1 {
		t.Errorf("%+v", rows[0])
	}
}

func TestOpenSaysAllReasonsInOneLine(t *testing.T) {
	_, err := Open(Thread, "cyles", "instructons")
	if !errors.Is(err, ErrUnavailable) || strings.Count(err.Error(), "no such event") != 1 || !strings.Contains(err.Error(), "cyles, instructons") {
		t.Errorf("%v", err)
	}
}
