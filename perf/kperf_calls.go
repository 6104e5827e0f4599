// SPDX-License-Identifier: BSD-3-Clause

package perf

// Functions and data of macOS, for which Apple publishes no header or one that Go cannot read. They are declared on every system,
// so that tests can stand in for them, and tools/arch compares them with what is published.

// kperfCalls are the functions of the private frameworks kperf, called kpc_, and kperfdata, called kpep_. What a pointer points to
// is on the heap, since the functions are called through variables, and so stays where it is.
type kperfCalls struct {
	forceGet          func(forced *int32) answer
	forceSet          func(force int32) answer
	getCounting       func() answer // the classes, as a code
	setCounting       func(classes uint32) answer
	getThreadCounting func() answer
	setThreadCounting func(classes uint32) answer
	setConfig         func(classes uint32, settings *uint64) answer
	threadCounters    func(thread, n uint32, counts *uint64) answer

	dbCreate     func(name *byte, db *kpepDB) answer
	dbFree       func(kpepDB) answer
	dbEvent      func(db kpepDB, name *byte, event *kpepEvent) answer
	configCreate func(db kpepDB, config *kpepConfig) answer
	configFree   func(kpepConfig) answer
	configForce  func(kpepConfig) answer
	addEvent     func(config kpepConfig, event *kpepEvent, flag uint32, clashes *uint32) answer
	kpcClasses   func(config kpepConfig, classes *uint32) answer
	kpcCount     func(config kpepConfig, n *uintptr) answer
	kpcMap       func(config kpepConfig, at *uintptr, bytes uintptr) answer
	kpcConfig    func(config kpepConfig, settings *uint64, bytes uintptr) answer
}

// Addresses of C structs that only the frameworks read.
type (
	kpepDB     uintptr
	kpepConfig uintptr
	kpepEvent  uintptr
)

const (
	kpcPower     = 1 << 2 // the class of the counters that the power manager uses
	kpcMost      = 32     // counters that can be read at once
	kpepUserOnly = 1      // flag of an event
)

// The errnos of macOS, which a test on another system can use.
const (
	macEPERM   = 1
	macENOENT  = 2
	macEACCES  = 13
	macEBUSY   = 16
	macEINVAL  = 22
	macENOTSUP = 45
)
