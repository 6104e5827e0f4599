// SPDX-License-Identifier: BSD-3-Clause

package gotrace

// The kinds of events, as in the file. The comments are their arguments, after the time since the one before for all but the
// structural ones.
const (
	_            = iota
	evEventBatch // generation, thread, time, length
	evStacks     // a table of
	evStack      // number, frames, and of each frame: counter, function, file, line
	evStrings    // a table of
	evString     // number, length, bytes
	evCPUSamples // a table of
	evCPUSample  // time, thread, P, goroutine, stack
	evFrequency  // of the clock

	evProcsChange // GOMAXPROCS, stack
	evProcStart   // P, sequence
	evProcStop
	evProcSteal  // P, sequence, thread
	evProcStatus // P, status

	evGoCreate        // goroutine, its stack, stack
	evGoCreateSyscall // goroutine
	evGoStart         // goroutine, sequence
	evGoDestroy
	evGoDestroySyscall
	evGoStop         // reason, stack
	evGoBlock        // reason, stack
	evGoUnblock      // goroutine, sequence, stack
	evGoSyscallBegin // sequence of the P, stack
	evGoSyscallEnd
	evGoSyscallEndBlocked
	evGoStatus // goroutine, thread, status

	evSTWBegin // reason, stack
	evSTWEnd

	evGCActive           // sequence
	evGCBegin            // sequence, stack
	evGCEnd              // sequence
	evGCSweepActive      // P
	evGCSweepBegin       // stack
	evGCSweepEnd         // bytes swept and reclaimed
	evGCMarkAssistActive // goroutine
	evGCMarkAssistBegin  // stack
	evGCMarkAssistEnd
	evHeapAlloc // bytes
	evHeapGoal  // bytes

	evGoLabel         // string
	evUserTaskBegin   // task, parent, name, stack
	evUserTaskEnd     // task, stack
	evUserRegionBegin // task, name, stack
	evUserRegionEnd   // task, name, stack
	evUserLog         // task, key, value, stack

	evGoSwitch          // goroutine, sequence; since Go 1.23, as those below
	evGoSwitchDestroy   // goroutine, sequence
	evGoCreateBlocked   // goroutine, its stack, stack
	evGoStatusStack     // goroutine, thread, status, stack
	evExperimentalBatch // experiment, generation, thread, time, length

	evSync          // the clock's; since Go 1.25
	evClockSnapshot // CLOCK_MONOTONIC, seconds and nanoseconds of the wall clock

	evEndOfGeneration // since Go 1.26

	firstExperimental = 128 // events of GODEBUG=traceallocfree=1
	lastExperimental  = 136
)

// An event is what a thread did.
type event struct {
	stamp uint64
	args  [4]uint64
	at    int // in the file
	kind  byte
}

const untimed = -1

// arguments has the number of arguments of each kind of event, or untimed for those that are not in the streams of threads.
var arguments = [256]int8{
	evProcsChange: 2, evProcStart: 2, evProcSteal: 3, evProcStatus: 2,
	evGoCreate: 3, evGoCreateSyscall: 1, evGoStart: 2, evGoStop: 2, evGoBlock: 2, evGoUnblock: 3, evGoSyscallBegin: 2, evGoStatus: 3,
	evSTWBegin: 2, evGCActive: 1, evGCBegin: 2, evGCEnd: 1, evGCSweepActive: 1, evGCSweepBegin: 1, evGCSweepEnd: 2,
	evGCMarkAssistActive: 1, evGCMarkAssistBegin: 1, evHeapAlloc: 1, evHeapGoal: 1,
	evGoLabel: 1, evUserTaskBegin: 4, evUserTaskEnd: 2, evUserRegionBegin: 3, evUserRegionEnd: 3, evUserLog: 4,
	evGoSwitch: 2, evGoSwitchDestroy: 2, evGoCreateBlocked: 3, evGoStatusStack: 4,
	firstExperimental: 3, 3, 1, 2, 2, 1, 2, 2, 1,

	0: untimed, evEventBatch: untimed, evStacks: untimed, evStack: untimed, evStrings: untimed, evString: untimed, evCPUSamples: untimed,
	evCPUSample: untimed, evFrequency: untimed, evExperimentalBatch: untimed, evSync: untimed, evClockSnapshot: untimed,
	evEndOfGeneration: untimed,
}

// lastEvent is the last kind of event of a version, apart from those of experiments.
func lastEvent(version int) byte {
	if version < 23 {
		return evUserLog
	}
	return evGoStatusStack
}
