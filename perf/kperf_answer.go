// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"fmt"
	"strings"
)

// An answer is what a C function of macOS returned, and the errno it left. The frameworks count errors in their own ways: functions
// called kpc_ return an errno, or -1 and leave it; those called kpep_ return their own error numbers.
type answer struct {
	function string
	code     int32
	errno    int32
}

func (a answer) failed() bool { return a.code != 0 }

// report is the remedy for what cannot happen as far as is known.
const report = "please report it with the file that strobe probe --bundle writes"

// The error numbers of kperfdata.
const (
	kpepInvalidArgument = iota + 1
	kpepOutOfMemory
	kpepIO
	kpepBufferTooSmall
	kpepSystemUnknown
	kpepPathInvalid
	kpepNoDatabase
	kpepOtherArchitecture
	kpepOtherVersion
	kpepCorrupt
	kpepNoEvent
	kpepConflict
	kpepNotForced
	kpepNoCounter
	kpepErrno // see errno
)

// kpepErrors says what they mean, and what helps.
var kpepErrors = [...]struct{ reason, remedy string }{
	kpepInvalidArgument:   {"invalid argument", report},
	kpepOutOfMemory:       {"out of memory", "free some memory and try again"},
	kpepIO:                {"the database of the processor's events could not be read", "see whether the files in /usr/share/kpep can be read"},
	kpepBufferTooSmall:    {"buffer too small", report},
	kpepSystemUnknown:     {"this version of macOS does not know the processor", "update macOS"},
	kpepPathInvalid:       {"invalid path of the database of the processor's events", "see whether /usr/share/kpep exists"},
	kpepNoDatabase:        {"macOS has no database of this processor's events", "run the program on the machine itself, not in a virtual one, or update macOS"},
	kpepOtherArchitecture: {"the database of events is for another architecture", "build the program for this processor, so that it does not run in Rosetta"},
	kpepOtherVersion:      {"the database of events has an unknown version", "update macOS"},
	kpepCorrupt:           {"the database of events is damaged", "reinstall macOS"},
	kpepNoEvent:           {"the database of this processor has no such event", ""},
	kpepConflict:          {"the processor cannot count these events at once", "open a group with fewer events"},
	kpepNotForced:         {"not all counters were claimed", report},
	kpepNoCounter:         {"the processor cannot count this event", ""},
}

// refusal makes a reason of a failure.
func (a answer) refusal(root bool) refusal {
	kpep := strings.HasPrefix(a.function, "kpep_")
	switch {
	case kpep && a.code == kpepErrno: // about a file, not about permission to count
		return refusal{Unsupported, fmt.Sprintf("%s failed with errno %d", a.function, a.errno), "see whether the files in /usr/share/kpep can be read"}
	case kpep && a.code > 0 && int(a.code) < len(kpepErrors):
		e := kpepErrors[a.code]
		return refusal{Unsupported, fmt.Sprintf("%s failed: %s (%d)", a.function, e.reason, a.code), e.remedy}
	case kpep:
		return refusal{Unsupported, fmt.Sprintf("%s failed (%d)", a.function, a.code), report}
	case a.code == -1:
		return a.refusalOf(a.errno, root)
	}
	return a.refusalOf(a.code, root)
}

// refusalOf makes a reason of the errno of a function of kperf. What each means is in the source of macOS's kernel, xnu.
func (a answer) refusalOf(errno int32, root bool) refusal {
	switch {
	case errno == macEPERM && !root:
		return refusal{Denied, "macOS lets only root count branches and misses", "run the program with sudo"}
	case errno == macEPERM:
		return refusal{Denied, a.function + " failed: macOS does not allow one of these events to be counted (EPERM)", "open each event in a group of its own"}
	case errno == macEACCES: // of kpc_force_all_ctrs_set
		return refusal{Denied, "another program has claimed the counters, such as Instruments or powermetrics", "end it and try again"}
	case errno == macEBUSY:
		return refusal{Denied, "another program or the system itself is using the counters", "end programs such as Instruments and try again"}
	case errno == macENOTSUP, errno == macENOENT:
		return refusal{Unsupported, fmt.Sprintf("%s failed: the system offers no counters of this processor (errno %d)", a.function, errno),
			"run the program on the machine itself, not in a virtual one"}
	case errno == macEINVAL:
		return refusal{Unsupported, a.function + " failed: macOS does not accept the configuration (EINVAL)", report}
	}
	return refusal{Unsupported, fmt.Sprintf("%s failed with errno %d", a.function, errno), report}
}
