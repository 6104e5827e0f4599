// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/gotrace"
	"github.com/strobe-go/strobe/internal/pressure"
	"github.com/strobe-go/strobe/internal/switches"
)

// Each unit is goroutine 1 from 0 to 60 ms, of which 2 ms on a processor are usual.
func TestEachCauseIsNamed(t *testing.T) {
	calm := fake{pressure.ProcessTime: 60 * msec, pressure.MinorFaults: 0}
	for _, c := range []struct {
		name  string
		scene *scene
		links []Link
		cause Cause
		where string
		by    string // goroutine, main cause and zone of the waker
	}{
		{"own code", newScene(t, "1: run 0").exact(), nil, Own, "", ""},
		{"own code, switches unknown", newScene(t, "1: run 0").counters(0, 61, calm), nil, Own, "", ""},
		{"own code, nothing else known", newScene(t, "1: run 0"), nil, Unclear, "", ""},
		{"displaced, and counted", newScene(t, "1: run 0").counters(0, 61, fake{pressure.ProcessTime: 10 * msec}), nil, Preempted, "", ""},
		{"displaced for half, and counted", newScene(t, "1: run 0").counters(0, 61, fake{pressure.ProcessTime: 30 * msec}), nil, Unclear, "", ""},
		{"page faults, counted only", func() *scene {
			s := newScene(t, "1: run 0").counters(0, 61, fake{pressure.ProcessTime: 60 * msec, pressure.MinorFaults: 50_000})
			s.Fault = time.Microsecond
			return s
		}(), nil, PageFaults, "", ""},
		{"perhaps page faults", func() *scene {
			s := newScene(t, "1: run 0").counters(0, 61, fake{pressure.ProcessTime: 60 * msec, pressure.MinorFaults: 25_000})
			s.Fault = time.Microsecond
			return s
		}(), nil, Unclear, "", ""},
		{"page faults", newScene(t, "1: run 0").faults(2, 55), nil, PageFaults, "", ""},
		{"memory from the system", newScene(t, "1: run 0, call 1 6, run 59").exact(), nil, PageFaults, "map.go:3 (main.grow)", ""},
		{"displaced", newScene(t, "1: run 0").off(1, 1, 58, true), nil, Preempted, "", ""},
		{"throttled", newScene(t, "1: run 0").off(1, 1, 58, true).counters(0, 61, fake{pressure.Throttlings: 3, pressure.Throttled: 50 * msec}), nil, Throttled, "", ""},
		{"stolen", newScene(t, "1: run 0").exact().counters(0, 61, fake{pressure.ProcessTime: 9 * msec}), nil, Stolen, "", ""},
		{"stopped", newScene(t, "1: run 0, ready 59.5, run 59.6").off(1, 1, 58, false).counters(0, 61, fake{pressure.Continued: 1}), nil, Stopped, "", ""},
		{"ready, and the others did not run either", newScene(t, "1: run 0, ready 5, run 55", "2: run 0", "3: run 0").counters(0, 61, fake{pressure.ProcessTime: 12 * msec}), nil, Preempted, "", ""},
		{"the same before what the records of switches reach back to", newScene(t, "1: run 0, ready 5, run 55", "2: run 0", "3: run 0").covered(100).counters(0, 61, fake{pressure.ProcessTime: 12 * msec}), nil, Preempted, "", ""},
		{"stopped before what the records of switches reach back to", newScene(t, "1: run 0, ready 59.5, run 59.6").covered(100).counters(0, 61, fake{pressure.Continued: 1}), nil, Stopped, "", ""},
		{"stopped, and they reach back to a part of it", newScene(t, "1: run 0, ready 59.5, run 59.6").off(1, 30, 58, false).covered(30).counters(0, 61, fake{pressure.Continued: 1}), nil, Stopped, "", ""},
		{"stopped in a call that they do not reach back to", newScene(t, "1: run 0, call 1 3, run 59").covered(100).counters(0, 61, fake{pressure.Continued: 1}), nil, Stopped, "", ""},
		{"stopped while it waited", newScene(t, "1: run 0, wait 1 sleep 2, ready 58, run 59").exact().counters(0, 61, fake{pressure.Continued: 1}), nil, Stopped, "", ""},
		{"a call that the runtime does not know", newScene(t, "1: run 0").off(1, 1, 58, false), nil, Syscall, "", ""},
		{"memory that had to be read", newScene(t, "1: run 0").off(1, 1, 58, false).counters(0, 61, fake{pressure.MajorFaults: 9}), nil, Paging, "", ""},
		{"one page that was read does not take so long", newScene(t, "1: run 0").off(1, 1, 58, false).counters(0, 61, fake{pressure.MajorFaults: 1}), nil, Syscall, "", ""},
		{"nor is it read again and again", newScene(t, "1: run 0").off(1, 1, 20, false).off(1, 20.1, 39, false).off(1, 39.1, 58, false).counters(0, 61, fake{pressure.MajorFaults: 1}), nil, Syscall, "", ""},
		{"memory that had to be freed", newScene(t, "1: run 0").off(1, 1, 58, false).counters(0, 61, fake{pressure.Stalled: 50 * msec}), nil, Paging, "", ""},
		{"displaced, while others read memory", newScene(t, "1: run 0").off(1, 1, 58, true).counters(0, 61, fake{pressure.MajorFaults: 9, pressure.Stalled: 50 * msec}), nil, Preempted, "", ""},
		{"memory for an allocation", newScene(t, "1: run 0").off(1, 20, 58, false).allocates(1, 1, 20, 1500, 16<<10).counters(0, 61, fake{pressure.Stalled: 55 * msec}), nil, Paging, "", ""},
		{"perhaps the system, in search of memory", newScene(t, "1: run 0").exact().counters(0, 61, fake{pressure.ProcessTime: 60 * msec, pressure.Stalled: 30 * msec}), nil, Unclear, "", ""},
		{"memory that was read, switches unknown", newScene(t, "1: run 0").counters(0, 61, fake{pressure.ProcessTime: 10 * msec, pressure.MajorFaults: 900, pressure.Waited: msec}), nil, Paging, "", ""},
		{"displaced, or memory was read, switches unknown", newScene(t, "1: run 0").counters(0, 61, fake{pressure.ProcessTime: 10 * msec, pressure.MajorFaults: 900, pressure.Waited: 50 * msec}), nil, Unclear, "", ""},
		{"memory that was read, switches and waits unknown", newScene(t, "1: run 0").counters(0, 61, fake{pressure.ProcessTime: 10 * msec, pressure.MajorFaults: 900}), nil, Unclear, "", ""},
		{"displaced, and hardly any memory was read, switches unknown", newScene(t, "1: run 0").counters(0, 61, fake{pressure.ProcessTime: 5 * msec, pressure.MajorFaults: 1, pressure.Waited: 50 * msec}), nil, Preempted, "", ""},
		{"a lock, while memory was read", newScene(t, "1: run 0, wait 1 sync 1, ready 58 by 35, run 58.1", "35: run 0").off(35, 2, 57, false).counters(0, 61, fake{pressure.MajorFaults: 900}), nil,
			Lock, "store.go:41 (main.save)", "35 paging -1"},
		{"C code that computes", newScene(t, "1: run 0, call 1 9, run 59").exact(), nil, Own, "draw.go:23 (C.draw)", ""},
		{"C code that uses memory for the first time", newScene(t, "1: run 0, call 1 9, run 59").faults(2, 58), nil, PageFaults, "", ""},
		{"C code that waits", newScene(t, "1: run 0, call 1 9, run 59").off(1, 2, 57, false), nil, Syscall, "draw.go:23 (C.draw)", ""},
		{"C code, switches unknown", newScene(t, "1: run 0, call 1 9, run 59").counters(0, 61, calm), nil, Syscall, "draw.go:23 (C.draw)", ""},
		{"system call", newScene(t, "1: run 0, call 1 3, run 59").off(1, 2, 57, false), nil, Syscall, "store.go:55 (main.flush)", ""},
		{"lock, holder in a call", newScene(t, "1: run 0, wait 1 sync 1, ready 58 by 35, run 58.1", "35: run 0, call 1 3, run 57.9").span(35, 4, 0, 70, 0), nil,
			Lock, "store.go:41 (main.save)", "35 syscall 4"},
		{"lock, holder displaced", newScene(t, "1: run 0, wait 1 sync 1, ready 58 by 35, run 58.1", "35: run 0").off(35, 2, 57, true), nil,
			Lock, "store.go:41 (main.save)", "35 preempted -1"},
		{"lock, holder computes", newScene(t, "1: run 0, wait 1 sync 1, ready 58 by 35, run 58.1", "35: run 0").exact(), nil,
			Lock, "store.go:41 (main.save)", "35 own -1"},
		{"channel", newScene(t, "1: run 0, wait 1 chan_receive 4, ready 58 by 9, run 59", "9: wait 0 sleep 0, run 57"), nil, Channel, "pool.go:7 (main.wait)", "9 sleep -1"},
		{"channel of a timer", newScene(t, "1: run 0, wait 1 chan_receive 4, ready 58, run 59"), nil, Sleep, "pool.go:7 (main.wait)", ""},
		{"sleep", newScene(t, "1: run 0, wait 1 sleep 4, ready 58, run 59"), nil, Sleep, "pool.go:7 (main.wait)", ""},
		{"network", newScene(t, "1: run 0, wait 1 network 4, ready 58, run 59"), nil, Network, "pool.go:7 (main.wait)", ""},
		{"other goroutines, or other programs", newScene(t, "1: run 0, ready 1, run 59", "2: run 0", "3: run 0"), nil, Unclear, "", ""},
		{"other goroutines", newScene(t, "1: run 0, ready 1, run 59", "2: run 0", "3: run 0").exact(), nil, NoProcessor, "", ""},
		{"other goroutines, or other programs, and it is not counted", newScene(t, "1: run 0, ready 1, run 59", "2: run 0", "3: run 0").counters(0, 61, fake{pressure.Pauses: 0}), nil, Unclear, "", ""},
		{"own code, counted late", newScene(t, "1: run 0").counters(0, 61, fake{pressure.ProcessTime: 46 * msec}).lag(15), nil, Unclear, "", ""},
		{"own code, counted late and to the end", newScene(t, "1: run 0, wait 60 sleep 4").counters(0, 61, fake{pressure.ProcessTime: 61 * msec}).lag(20), nil, Unclear, "", ""},
		{"own code, counted late in one other thread", newScene(t, "1: run 0", "2: run 0, wait 59 sleep 4").counters(0, 61, fake{pressure.ProcessTime: 119 * msec}).lag(10).self(1), nil, Own, "", ""},
		{"own code, or a stranger that is counted late", newScene(t, "1: run 0, wait 60 sleep 4").counters(0, 61, fake{pressure.ProcessTime: 5 * msec}).lag(10), nil, Preempted, "", ""},
		{"allocation, counted late", newScene(t, "1: run 0").allocates(1, 1, 58, 3000, 16<<10).counters(0, 61, fake{pressure.ProcessTime: 46 * msec}).lag(15), nil, Unclear, "", ""},
		{"other goroutines, counted late", newScene(t, "1: run 0, ready 1, run 59", "2: run 0", "3: run 0").counters(0, 61, fake{pressure.ProcessTime: 91 * msec}).lag(15), nil, Unclear, "", ""},
		{"explaining", newScene(t, "1: run 0, ready 1, run 59", "2: run 0", "3: run 0").exact().self(2), nil, Capture, "", ""},
		{"explaining, for less than half of it off the processor", newScene(t, "1: run 0, ready 1, run 59", "2: run 0", "3: run 0").off(2, 5, 30, false).self(2), nil, Capture, "", ""},
		{"explaining, which did not run", newScene(t, "1: run 0, ready 1, run 59", "2: run 0", "3: run 0").off(2, 5, 58, false).self(2), nil, Unclear, "", ""},
		{"other goroutines' threads displaced, and counted late", newScene(t, "1: run 0, ready 1, run 59", "2: run 0", "3: run 0").counters(0, 61, fake{pressure.ProcessTime: 5 * msec}).lag(10), nil, Preempted, "", ""},
		{"other goroutines' threads displaced", newScene(t, "1: run 0, ready 1, run 59", "2: run 0", "3: run 0").off(2, 0, 59, true).off(3, 0, 50, true), nil, Preempted, "", ""},
		{"other goroutines' threads displaced, and counted", newScene(t, "1: run 0, ready 1, run 59", "2: run 0", "3: run 0").counters(0, 61, fake{pressure.ProcessTime: 40 * msec}), nil, Preempted, "", ""},
		{"other goroutines' threads displaced for half, and counted", newScene(t, "1: run 0, ready 1, run 59", "2: run 0", "3: run 0").counters(0, 61, fake{pressure.ProcessTime: 60 * msec}), nil, Unclear, "", ""},
		{"other goroutines' threads wait in the runtime", newScene(t, "1: run 0, ready 1, run 59", "2: run 0", "3: run 0").off(2, 0, 59, false).off(3, 0, 50, false), nil, NoProcessor, "", ""},
		{"other goroutines' threads wait for memory", newScene(t, "1: run 0, ready 1, run 59", "2: run 0", "3: run 0").off(2, 0, 59, false).off(3, 0, 50, false).counters(0, 61, fake{pressure.Stalled: 59 * msec}), nil, Paging, "", ""},
		{"another thread of the program has its processor", newScene(t, "1: run 0", "2: run 0").machine(1).shared(1, 2), nil, NoProcessor, "", ""},
		{"another thread of the program has its processor, and other programs have another one", newScene(t, "1: run 0", "2: run 0").machine(2).shared(1, 2), nil, Preempted, "", ""},
		{"another thread of the program has its processor, and how many there are is unknown", newScene(t, "1: run 0", "2: run 0").shared(1, 2), nil, Preempted, "", ""},
		{"another thread of the program has its processor in a call", newScene(t, "1: call 0 3", "2: run 0").machine(1).shared(1, 2), nil, NoProcessor, "", ""},
		{"another thread of the program has its processor, for C", newScene(t, "1: run 0", "2: call 0 9").machine(1).shared(1, 2), nil, NoProcessor, "", ""},
		{"a worker of the collector has its processor", newScene(t, "1: run 0", "2: gc 0").machine(1).shared(1, 2), nil, GC, "", ""},
		{"another thread of the program has the processor of others", newScene(t, "1: run 0, ready 1, run 59", "2: run 0", "3: run 0").machine(1).shared(2, 3), nil, NoProcessor, "", ""},
		{"the world is stopped, and another thread of the program has the processor of one that is to stop", newScene(t, "1: run 0, ready 1, run 59", "2: run 0", "3: run 0").within(gotrace.Stopped, "stop-the-world (GC sweep termination)", 2, 1, 58).machine(1).shared(2, 3), nil, GC, "GC sweep termination", ""},
		{"more goroutines than the machine has processors", newScene(t, "1: run 0", "2: run 0", "3: run 0", "4: run 0").machine(2).counters(0, 61, fake{pressure.ProcessTime: 120 * msec}), nil, NoProcessor, "", ""},
		{"more goroutines than the machine has processors, and other programs", newScene(t, "1: run 0", "2: run 0", "3: run 0", "4: run 0").machine(3).counters(0, 61, fake{pressure.ProcessTime: 120 * msec}), nil, Unclear, "", ""},
		{"as many goroutines as the machine has processors, and other programs", newScene(t, "1: run 0", "2: run 0", "3: run 0", "4: run 0").machine(4).counters(0, 61, fake{pressure.ProcessTime: 120 * msec}), nil, Preempted, "", ""},
		{"other goroutines, more than the machine has processors", newScene(t, "1: run 0, ready 1, run 59", "2: run 0", "3: run 0", "4: run 0").machine(1).counters(0, 61, fake{pressure.ProcessTime: 60 * msec}), nil, NoProcessor, "", ""},
		{"another thread of the program has some processor", newScene(t, "1: run 0", "2: run 0").machine(1).shared(1, 2).nowhere(), nil, Preempted, "", ""},
		{"other goroutines, more than the machine has processors, which are not always off", newScene(t, "1: run 0, ready 1, run 59", "2: run 0", "3: run 0", "4: run 0").machine(2).counters(0, 61, fake{pressure.ProcessTime: 115 * msec}), nil, NoProcessor, "", ""},
		{"other goroutines, and counted", newScene(t, "1: run 0, ready 1, run 59", "2: run 0", "3: run 0").counters(0, 61, fake{pressure.ProcessTime: 120 * msec}), nil, NoProcessor, "", ""},
		{"stopped in a call, switches unknown", newScene(t, "1: run 0, call 1 3, run 59").counters(0, 61, fake{pressure.Continued: 1}), nil, Stopped, "", ""},
		{"nobody woke a thread", newScene(t, "1: run 0, ready 1, run 59", "2: run 0, wait 3 sleep 0").exact(), nil, Preempted, "", ""},
		{"workers of the collector", newScene(t, "1: run 0, ready 1, run 59", "2: gc 0", "3: gc 0").exact(), nil, GC, "", ""},
		{"runtime.GC", newScene(t, "1: run 0, wait 1 wait_until_GC_ends 7, ready 40 by 2, run 40.1, yield 50 7, run 50.1, yield 58 7, run 58.1", "2: run 0").exact(), nil, GC, "main.go:5 (main.tidy)", ""},
		{"world stopped", newScene(t, "1: run 0, ready 1, run 59", "2: run 0").within(gotrace.Stopped, "stop-the-world (all goroutines stack trace)", 2, 1, 58), nil, StoppedWorld, "debug.go:9 (main.dump)", ""},
		{"world stopped by itself", newScene(t, "1: run 0").exact().within(gotrace.Stopped, "stop-the-world (read mem stats)", 1, 1, 58), nil, StoppedWorld, "debug.go:9 (main.dump)", ""},
		{"world stopped for a collection", newScene(t, "1: run 0, ready 1, run 59", "2: run 0").within(gotrace.Stopped, "stop-the-world (GC mark termination)", 2, 1, 58), nil, GC, "GC mark termination", ""},
		{"world stopped for a collection by itself, asleep", newScene(t, "1: run 0").within(gotrace.Stopped, "stop-the-world (GC sweep termination)", 1, 1, 58).off(1, 2, 58, false), nil, GC, "debug.go:9 (main.dump)", ""},
		{"world stopped by itself, and other programs had the processor of one that was to stop", newScene(t, "1: run 0", "3: run 0, ready 57").within(gotrace.Stopped, "stop-the-world (GC sweep termination)", 1, 1, 58).off(1, 2, 58, false).off(3, 1, 57, true), nil, Preempted, "", ""},
		{"world stopped, and other programs had the processor of one that was to stop", newScene(t, "1: run 0, ready 1, run 59", "2: run 0", "3: run 0, ready 57").within(gotrace.Stopped, "stop-the-world (GC sweep termination)", 2, 1, 58).off(3, 1, 57, true), nil, Preempted, "", ""},
		{"world stopped, and other programs had the processor of the one that stopped it", newScene(t, "1: run 0, ready 1, run 59", "2: run 0").within(gotrace.Stopped, "stop-the-world (read mem stats)", 2, 1, 58).off(2, 1, 57, true), nil, Preempted, "", ""},
		{"world stopped, and one that was to stop waited in the runtime", newScene(t, "1: run 0, ready 1, run 59", "2: run 0", "3: run 0, ready 57").within(gotrace.Stopped, "stop-the-world (GC sweep termination)", 2, 1, 58).off(3, 1, 57, false), nil, GC, "GC sweep termination", ""},
		{"world stopped, threads displaced, and counted", newScene(t, "1: run 0, ready 1, run 59", "2: run 0").within(gotrace.Stopped, "stop-the-world (GC mark termination)", 2, 1, 58).counters(0, 61, fake{pressure.ProcessTime: 5 * msec}), nil, Preempted, "", ""},
		{"world stopped, threads displaced for half, and counted", newScene(t, "1: run 0, ready 1, run 59", "2: run 0").within(gotrace.Stopped, "stop-the-world (GC mark termination)", 2, 1, 58).counters(0, 61, fake{pressure.ProcessTime: 30 * msec}), nil, Unclear, "", ""},
		{"allocation", newScene(t, "1: run 0").exact().allocates(1, 1, 58, 3000, 16<<10), nil, Allocation, "", ""},
		{"little allocation", newScene(t, "1: run 0").exact().allocates(1, 1, 58, 300, 8<<10), nil, Own, "", ""},
		{"allocation that helps the collector", newScene(t, "1: run 0").exact().allocates(1, 1, 30, 1500, 16<<10).within(gotrace.Assist, "GC mark assist", 1, 30, 58), nil, Allocation, "", ""},
		{"allocation that waits for a collection to begin", newScene(t, "1: run 0, wait 20 sync 8, ready 58 by 9, run 58.1", "9: gc 0").exact().allocates(1, 1, 20, 1500, 16<<10), nil, Allocation, "list.go:8 (main.add)", ""},
		{"allocation that waits for the runtime's lock", newScene(t, "1: run 0").off(1, 20, 58, false).allocates(1, 1, 20, 1500, 16<<10), nil, Allocation, "", ""},
		{"its stack is looked at", newScene(t, "1: run 0, wait 1 preempted 4, ready 58 by 9, run 58.1", "9: gc 0").exact(), nil, GC, "pool.go:7 (main.wait)", ""},
		{"its stack is looked at, and other programs had the processor", newScene(t, "1: run 0, wait 1 preempted 4, ready 58 by 9, run 58.1", "9: gc 0").off(9, 1, 57, true), nil, Preempted, "", ""},
		{"its stack is looked at, and other programs had the processor of another one", newScene(t, "1: run 0, wait 1 preempted 4, ready 58 by 9, run 58.1", "2: run 0", "9: gc 0").off(2, 1, 57, true), nil, GC, "pool.go:7 (main.wait)", ""},
		{"a wait for the collector, and other programs had the processor of another one", newScene(t, "1: run 0, wait 1 GC_assist_wait 4, ready 58, run 58.1", "2: run 0").off(2, 1, 57, true), nil, GC, "pool.go:7 (main.wait)", ""},
		{"allocation by others", newScene(t, "1: run 0").exact().allocates(2, 1, 58, 3000, 16<<10).within(gotrace.Assist, "GC mark assist", 1, 3, 58), nil, GC, "", ""},
		{"allocation, and the collections that it makes", newScene(t, "1: run 0, ready 30, run 59", "2: gc 0", "3: gc 0").exact().allocates(1, 1, 30, 1500, 16<<10), nil, Allocation, "", ""},
		{"a child that waits for a lock", newScene(t, "1: run 0, wait 1 sync 4, ready 58 by 7, run 58.1", "7: run 1, wait 3 sync 1, ready 57 by 35, run 57.1", "35: call 0 3, run 56"),
			[]Link{link(7, 2, 57.5)}, Lock, "store.go:41 (main.save)", "35 syscall -1"},
		{"a child that computes", newScene(t, "1: run 0, wait 1 chan_receive 4, ready 58 by 7, run 58.1", "7: run 1").exact().span(7, 3, 2, 57, 0),
			[]Link{link(7, 2, 57.5)}, Own, "", ""},
		{"a child of a child", newScene(t, "1: run 0, wait 1 sync 4, ready 58 by 7, run 58.1", "7: run 1, wait 3 sync 4, ready 57 by 8, run 57.1", "8: run 2.5, call 3 3, run 56"),
			[]Link{link(7, 1, 57.5), link(8, 2.5, 57)}, Syscall, "store.go:55 (main.flush)", ""},
		{"a child behind a goroutine between", newScene(t, "1: run 0, wait 1 chan_receive 4, ready 58 by 6, run 58.1", "6: wait 0 sync 4, ready 57 by 7, run 57.2", "7: run 1, call 3 3, run 56"),
			[]Link{link(7, 1, 57)}, Syscall, "store.go:55 (main.flush)", ""},
		{"the last of many children", newScene(t, "1: run 0, wait 1 sync 4, ready 58 by 9, run 58.1", "7: run 1, wait 5 sleep 0", "8: run 1, wait 8 sleep 0", "9: run 1, wait 3 network 4, ready 57, run 57.1"),
			[]Link{link(7, 1, 5), link(8, 1, 8), link(9, 1, 58)}, Network, "pool.go:7 (main.wait)", ""},
		{"a goroutine that did not work for the unit", newScene(t, "1: run 0, wait 1 chan_receive 4, ready 58 by 7, run 58.1", "7: run 1"),
			[]Link{link(8, 2, 57.5)}, Channel, "pool.go:7 (main.wait)", "7 own -1"},
		{"two causes", newScene(t, "1: run 0, wait 1 sync 1, ready 30 by 2, run 30.1, wait 31 network 4, ready 59, run 59.1", "2: run 0"), nil, Unclear, "", ""},
		{"two causes, one larger", newScene(t, "1: run 0, wait 1 sync 1, ready 44 by 2, run 44.1, wait 45 network 4, ready 59, run 59.1", "2: run 0"), nil, Lock, "store.go:41 (main.save)", "2 own -1"},
		{"a goroutine that the trace lacks", newScene(t, "2: run 0").exact(), nil, Unclear, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := c.scene.of(1, 0, 60, c.links...)
			var sum time.Duration
			for _, p := range a.Parts {
				sum += p.Took
			}
			if sum != 60*ms || a.Took != sum {
				t.Errorf("the parts add up to %v of %v", sum, a.Took)
			}
			v := Judge(&a, usually(), 2*ms, nil)
			if v.Cause != c.cause {
				t.Fatalf("%v, %+v; want %v; account: %+v", v.Cause, v, c.cause, a)
			}
			if v.Cause == Unclear {
				return
			}
			p := &a.Parts[v.Part]
			if p.Cause != c.cause || p.Where != c.where {
				t.Errorf("at %q, want %q; account: %+v", p.Where, c.where, a)
			}
			if v.Share < enough || v.Share > 1 || v.Spent < 30*ms || v.Spent > 60*ms {
				t.Errorf("explains %v, %v", v.Share, v.Spent)
			}
			if by := p.By; c.by != "" {
				if got := fmt.Sprint(by.Goroutine, by.Main.Cause, by.Main.Zone); got != c.by {
					t.Errorf("by %q, want %q; %+v", got, c.by, by)
				}
			}
		})
	}
}

// The kernel records a page fault just before the thread that has to wait for the page leaves its processor.
func TestPagingIsInTheFunctionOfTheFault(t *testing.T) {
	s := newScene(t, "1: run 0").off(1, 10, 40, false).counters(0, 61, fake{pressure.MajorFaults: 9})
	s.Switches.Faults = []switches.Fault{{Thread: 101, At: 1 * msec, PCs: []uintptr{1}}, {Thread: 101, At: 10*msec - 1000, PCs: []uintptr{2}}, {Thread: 101, At: 50 * msec, PCs: []uintptr{1}}}
	s.Frames = func(pcs []uintptr) []gotrace.Frame {
		return []gotrace.Frame{{Function: []string{"", "main.other", "main.load"}[pcs[0]], File: "load.go", Line: 7}}
	}
	if a := s.of(1, 0, 60); a.Sum(Paging) != 30*ms || !slices.ContainsFunc(a.Parts, func(p Part) bool { return p.Cause == Paging && p.Where == "main.load" }) {
		t.Errorf("%+v", a)
	}
}

func TestPartsHaveTheInnermostZone(t *testing.T) {
	s := newScene(t, "1: run 0, wait 20 sync 1, ready 50 by 2, run 50", "2: run 0").span(1, 0, 0, 60, 0).span(1, 1, 10, 40, 1).span(1, 2, 12, 18, 2)
	a := s.of(1, 0, 60)
	got := make(map[string]time.Duration)
	for _, p := range a.Parts {
		got[fmt.Sprint(p.Cause, p.Zone)] += p.Took
	}
	for key, want := range map[string]time.Duration{"own 0": 20 * ms, "own 1": 4 * ms, "own 2": 6 * ms, "lock 1": 20 * ms, "lock 0": 10 * ms} {
		if got[key] != want {
			t.Errorf("%s: %v, want %v; all: %v", key, got[key], want, got)
		}
	}
	if w := s.window(); w.Zone(1, 13*msec) != 2 || w.Zone(1, 45*msec) != 0 || w.Zone(1, 70*msec) != -1 || w.Zone(9, 0) != -1 {
		t.Errorf("zones: %v", w.zones)
	}
}

func TestAGoroutineIsFoundByWhenItRan(t *testing.T) {
	goroutines := []string{"1: run 0, wait 5 sync 1, ready 40, run 41, gone 60", "2: run 0, wait 50 sync 1", "3: wait 0 sync 1, ready 61, run 61", "4: run 4, wait 9 sync 1, ready 41, run 41.5, wait 43 sync 1"}
	w := newScene(t, goroutines...).window()
	for _, c := range []struct {
		from, to float64
		want     int64
	}{
		{1, 55, 1},
		{1, 42, 0},  // two did
		{20, 55, 0}, // none did at the beginning
		{1, 1001, 0},
	} {
		if got := w.Who(Time(c.from*msec), Time(c.to*msec)); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	if got := (&Window{}).Who(0, 1); got != 0 {
		t.Errorf("without a trace: %d", got)
	}
	w = newScene(t, goroutines...).span(0, 4, 1, 55, 0).span(0, 5, 4.5, 42, 1).span(3, 6, 61.5, 62, 1).window()
	for at, want := range map[Time]int{0: -1, 2 * msec: 4, 20 * msec: 4, 50 * msec: 4, 56 * msec: -1} {
		if got := w.Zone(1, at); got != want {
			t.Errorf("at %d ms: zone %d, want %d", at/msec, got, want)
		}
	}
	if w.Zone(3, 61*msec+msec*3/4) != 6 || w.Zone(0, 20*msec) != -1 {
		t.Errorf("zones %d and %d", w.Zone(3, 61*msec+msec*3/4), w.Zone(0, 20*msec))
	}
}

func TestWhatIsUsualIsSubtracted(t *testing.T) {
	part := func(c Cause, where string, d time.Duration) Part {
		return Part{Key: Key{Cause: c, Zone: -1, Where: where}, Took: d}
	}
	account := func(parts ...Part) (a Account) {
		a.States, a.Exact = true, true
		for _, p := range parts {
			a.Took += p.Took
		}
		a.Parts = parts
		return a
	}
	var usual []Account
	for i := range 5 {
		usual = append(usual, account(part(Network, "a.go:1", 30*ms+time.Duration(i)*ms), part(Sleep, "b.go:2", 20*ms), part(Own, "", 5*ms)))
	}
	slow := account(part(Network, "a.go:1", 33*ms), part(Own, "", 30*ms), part(Sleep, "b.go:2", 0))
	v := Judge(&slow, usual, 57*ms, nil)
	if v.Cause != Own || v.Spent != 25*ms || v.Part != 1 || v.Usual[0] != 32*ms || v.Share < 0.9 {
		t.Errorf("%+v", v)
	}
	if v := Judge(&slow, usual[:2], 57*ms, nil); v.Cause != Unclear {
		t.Errorf("what is usual is hardly known, and the verdict is %+v", v)
	}
	long := account(part(Lock, "c.go:3", 400*ms), part(Own, "", 10*ms))
	if v := Judge(&long, nil, 57*ms, nil); v.Cause != Lock || v.Spent != 343*ms {
		t.Errorf("whatever is usual, it was the lock: %+v", v)
	}
	quick := account(part(Own, "", 5*ms))
	if v := Judge(&quick, usual, 57*ms, nil); v.Cause != Unclear || v.Part != -1 {
		t.Errorf("nothing took longer than usual: %+v", v)
	}
}

// Whatever the sources have, the parts add up to the unit's time.
func TestPartsAddUpToTheUnit(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	reasons := []string{"sync", "chan receive", "select", "sleep", "network", "wait until GC ends", "GC mark assist wait for work", "preempted", "strange"}
	for n := range 300 {
		s := &scene{procs: 1 + random.IntN(3), t: t}
		s.Trace = &gotrace.Trace{From: Time(random.IntN(20)) * msec, To: 100 * msec}
		for id := range int64(6) {
			g := gotrace.Goroutine{ID: id + 1}
			for at := Time(random.IntN(30)) * msec / 2; at < 100*msec; at += 1 + Time(random.IntN(5*msec)) {
				g.Steps = append(g.Steps, gotrace.Step{At: at, State: gotrace.State(random.IntN(6)), Reason: reasons[random.IntN(len(reasons))], Thread: 100 + int64(random.IntN(4)),
					By: int64(random.IntN(8)), Stack: gotrace.StackID(random.IntN(8))})
			}
			s.Trace.Goroutines = append(s.Trace.Goroutines, g)
		}
		for range random.IntN(6) {
			from := random.Float64() * 90
			s.within(gotrace.RangeKind(1+random.IntN(4)), "stop-the-world (x)", int64(random.IntN(4)), from, from+random.Float64()*20)
		}
		slices.SortFunc(s.Trace.Ranges, func(a, b gotrace.Range) int { return int(a.From - b.From) })
		if n%2 == 0 {
			for thread := range int64(4) {
				for at := 0.0; at < 95; at += 1 + random.Float64()*20 {
					end := at + random.Float64()
					s.off(thread, at, end, random.IntN(2) == 0)
				}
			}
		}
		for range 10 {
			from := random.Float64() * 90
			s.span(int64(1+random.IntN(6)), random.IntN(4), from, from+random.Float64()*30, random.IntN(3))
		}
		s.allocates(1, 10, 60, random.IntN(100), 1<<16)
		s.counters(0, 100, fake{pressure.Continued: int64(random.IntN(2)), pressure.ProcessTime: int64(random.IntN(200 * msec)), pressure.Throttlings: 1, pressure.Throttled: 20 * msec})
		var links []Link
		for id := range int64(6) {
			links = append(links, link(id+1, random.Float64()*50, 50+random.Float64()*50))
		}
		a := s.of(1, 3, 90, links...)
		var sum time.Duration
		for _, p := range a.Parts {
			if p.Took <= 0 {
				t.Fatalf("scene %d: %+v", n, p)
			}
			sum += p.Took
		}
		if sum != 87*ms {
			t.Fatalf("scene %d: %v of 87 ms: %+v", n, sum, a)
		}
		Judge(&a, usually(), 2*ms, nil)
	}
}

// The trace has no reason for what waited when it began, but mostly a stack.
func TestAStackTellsTheReasonOfAWait(t *testing.T) {
	for function, want := range map[string]Cause{
		"time.Sleep": Sleep, "internal/poll.runtime_pollWait": Network, "runtime.chanrecv1": Channel, "runtime.chansend1": Channel, "runtime.selectgo": Channel,
		"sync.runtime_SemacquireMutex": Lock, "internal/sync.runtime_SemacquireMutex": Lock, "sync.runtime_notifyListWait": Lock, "main.work": Unclear,
	} {
		p := placeOf([]gotrace.Frame{{Function: function}, {Function: "main.f", File: "f.go", Line: 1}})
		if got := waitFor(p.wait, 7); got != want {
			t.Errorf("a wait in %s: %v, want %v", function, got, want)
		}
	}
}

// Hosts of modules begin with names of packages of the standard library, as in go.uber.org.
func TestTheStandardLibraryIsKnownByItsNames(t *testing.T) {
	for function, want := range map[string]bool{
		"time.Sleep": true, "sync.(*Mutex).Lock": true, "net/http.(*conn).serve": true, "go/ast.Inspect": true, "internal/poll.(*FD).Read": true,
		"slices.SortFunc[go.shape.struct { example.com/m.n int }]": true, "sync.(*Map[go.shape.string]).Load": true,
		"go.etcd.io/etcd/server/v3/etcdserver.(*EtcdServer).Put": false, "go.uber.org/zap.New": false, "log.example.com/m.F": false,
		"main.f": false, "main.(*x).f": false, "main.g[time.Time]": false, "example.com/time.F": false,
	} {
		if got := library(function); got != want {
			t.Errorf("%s: %v, want %v", function, got, want)
		}
	}
}

func TestPlacesAreOfTheProgram(t *testing.T) {
	for want, stack := range map[string][]gotrace.Frame{
		"sync.Mutex":     {{Function: "sync.(*Mutex).lockSlow"}, {Function: "sync.(*Mutex).Lock"}, {Function: "main.f"}, {Function: "sync.(*Once).doSlow"}},
		"sync.Once":      {{Function: "internal/sync.(*Mutex).lockSlow"}, {Function: "sync.(*Mutex).Lock"}, {Function: "sync.(*Once).doSlow"}, {Function: "main.f"}},
		"sync.WaitGroup": {{Function: "sync.runtime_SemacquireWaitGroup"}, {Function: "sync.(*WaitGroup).Wait"}, {Function: "main.f"}},
		"":               {{Function: "runtime.chanrecv1"}, {Function: "main.f"}},
	} {
		if got := placeOf(stack).object; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, c := range []struct {
		stack  []gotrace.Frame
		where  string
		memory bool
		gc     bool
	}{
		{[]gotrace.Frame{{Function: "sync.(*Mutex).Lock", File: "/go/src/sync/mutex.go", Line: 46}, {Function: "example.com/shop/store.(*Store).Save", File: "/src/shop/store/store.go", Line: 41}},
			"store.go:41 (store.(*Store).Save)", false, false},
		{[]gotrace.Frame{{Function: "syscall.Munmap"}, {Function: "golang.org/x/sys/unix.Munmap"}, {Function: "main.drop", File: `C:\x\main.go`, Line: 3}}, "main.go:3 (main.drop)", true, false},
		{[]gotrace.Frame{{Function: "runtime.GC"}, {Function: "main.tidy", File: "main.go", Line: 5}}, "main.go:5 (main.tidy)", false, true},
		{[]gotrace.Frame{{Function: "runtime.gopark", File: "/go/src/runtime/proc.go", Line: 1}, {Function: "runtime.bgsweep", File: "/go/src/runtime/mgcsweep.go", Line: 2}}, "mgcsweep.go:2 (runtime.bgsweep)", false, false},
		{[]gotrace.Frame{{Function: "github.com/strobe-go/strobe/pace.Sleep"}, {Function: "github.com/strobe-go/strobe.(*Zone).Do"}, {Function: "github.com/strobe-go/strobe/examples/game.run"}}, "game.run", false, false},
		{[]gotrace.Frame{{Function: "example.com/gl._Cfunc_draw", File: "_cgo_gotypes.go", Line: 63}, {Function: "example.com/gl.Draw", File: "/src/gl/draw.go", Line: 23}}, "draw.go:23 (C.draw)", false, false},
		{[]gotrace.Frame{{Function: "main._C2func_stat"}}, "main._C2func_stat", false, false},
		{[]gotrace.Frame{{Function: "github.com/ebitengine/purego.SyscallN", File: "func.go", Line: 1}, {Function: "main.main", File: "main.go", Line: 2}}, "main.go:2 (main.main)", false, false},
		{nil, "", false, false},
	} {
		p := placeOf(c.stack)
		if p.where != c.where || p.memory != c.memory || p.gc != c.gc {
			t.Errorf("%+v, want %+v", p, c)
		}
	}
}

// A function of Go that C calls back is in no call of C.
func TestACallbackIsNotInC(t *testing.T) {
	c := []gotrace.Frame{{Function: "main._Cfunc_walk", File: "_cgo_gotypes.go", Line: 5}, {Function: "main.main", File: "main.go", Line: 2}}
	if p := placeOf(c); !p.inC {
		t.Errorf("%+v", p)
	}
	if p := placeOf(append([]gotrace.Frame{{Function: "main.visit", File: "main.go", Line: 9}}, c...)); p.inC || p.where != "main.go:9 (main.visit)" {
		t.Errorf("%+v", p)
	}
}
