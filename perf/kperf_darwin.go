// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"os"
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"
)

const (
	frameworks = "/System/Library/PrivateFrameworks/"
	libSystem  = "/usr/lib/libSystem.B.dylib"
)

func thisMac() mac {
	release, _ := unix.Sysctl("kern.osrelease")
	return mac{root: os.Geteuid() == 0, arch: runtime.GOARCH, release: release}
}

// loadKperf finds the functions of both frameworks.
func loadKperf() (*kperfCalls, error) {
	c := new(kperfCalls)
	l := open(frameworks + "kperf.framework/kperf")
	bind1(l, "kpc_force_all_ctrs_get", &c.forceGet)
	bind1(l, "kpc_force_all_ctrs_set", &c.forceSet)
	bind0(l, "kpc_get_counting", &c.getCounting)
	bind1(l, "kpc_set_counting", &c.setCounting)
	bind0(l, "kpc_get_thread_counting", &c.getThreadCounting)
	bind1(l, "kpc_set_thread_counting", &c.setThreadCounting)
	bind2(l, "kpc_set_config", &c.setConfig)
	bind3(l, "kpc_get_thread_counters", &c.threadCounters)
	if l.err != nil {
		return nil, l.err
	}
	l = open(frameworks + "kperfdata.framework/kperfdata")
	bind2(l, "kpep_db_create", &c.dbCreate)
	bind1(l, "kpep_db_free", &c.dbFree)
	bind3(l, "kpep_db_event", &c.dbEvent)
	bind2(l, "kpep_config_create", &c.configCreate)
	bind1(l, "kpep_config_free", &c.configFree)
	bind1(l, "kpep_config_force_counters", &c.configForce)
	bind4(l, "kpep_config_add_event", &c.addEvent)
	bind2(l, "kpep_config_kpc_classes", &c.kpcClasses)
	bind2(l, "kpep_config_kpc_count", &c.kpcCount)
	bind3(l, "kpep_config_kpc_map", &c.kpcMap)
	bind3(l, "kpep_config_kpc", &c.kpcConfig)
	return c, l.err
}

// loadCounts finds the function that reports to a thread, or else that for processes.
func loadCounts(ofThread bool) (*countCalls, error) {
	c := new(countCalls)
	l := open(libSystem)
	if ofThread {
		bind3(l, "thread_selfcounts", &c.selfcounts)
	} else {
		bind3(l, "proc_pid_rusage", &c.pidRusage)
	}
	return c, l.err
}

// A library is one that was loaded; err is the first error.
type library struct {
	at  uintptr
	err error
}

func open(path string) *library {
	l := new(library)
	l.at, l.err = purego.Dlopen(path, purego.RTLD_LAZY|purego.RTLD_GLOBAL)
	return l
}

// find returns a function of the library, or one that must not be called if err is set.
func (l *library) find(name string) function {
	f := function{name: name}
	if l.err == nil {
		f.at, l.err = purego.Dlsym(l.at, name)
	}
	return f
}

// A function takes words and returns an int.
type function struct {
	name string
	at   uintptr
}

func (f function) call(args ...uintptr) answer {
	r, _, errno := purego.SyscallN(f.at, args...)
	return answer{f.name, int32(r), int32(errno)}
}

// The functions below make a Go function of a C function, whose arguments are those of the variable that it is assigned to, in
// the same order.

func bind0(l *library, name string, to *func() answer) {
	f := l.find(name)
	*to = func() answer { return f.call() }
}

func bind1[A any](l *library, name string, to *func(A) answer) {
	f := l.find(name)
	*to = func(a A) answer {
		r := f.call(word(&a))
		runtime.KeepAlive(a)
		return r
	}
}

func bind2[A, B any](l *library, name string, to *func(A, B) answer) {
	f := l.find(name)
	*to = func(a A, b B) answer {
		r := f.call(word(&a), word(&b))
		runtime.KeepAlive(a)
		runtime.KeepAlive(b)
		return r
	}
}

func bind3[A, B, C any](l *library, name string, to *func(A, B, C) answer) {
	f := l.find(name)
	*to = func(a A, b B, c C) answer {
		r := f.call(word(&a), word(&b), word(&c))
		runtime.KeepAlive(a)
		runtime.KeepAlive(b)
		runtime.KeepAlive(c)
		return r
	}
}

func bind4[A, B, C, D any](l *library, name string, to *func(A, B, C, D) answer) {
	f := l.find(name)
	*to = func(a A, b B, c C, d D) answer {
		r := f.call(word(&a), word(&b), word(&c), word(&d))
		runtime.KeepAlive(a)
		runtime.KeepAlive(b)
		runtime.KeepAlive(c)
		runtime.KeepAlive(d)
		return r
	}
}

// word returns an argument, an integer of 4 or 8 bytes or a pointer, as it is passed in a register.
func word[T any](v *T) uintptr {
	if unsafe.Sizeof(*v) == 4 {
		return uintptr(*(*int32)(unsafe.Pointer(v))) // signs are extended; for an uint32 the callee ignores that
	}
	return *(*uintptr)(unsafe.Pointer(v))
}
