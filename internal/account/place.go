// SPDX-License-Identifier: BSD-3-Clause

package account

import (
	"path"
	"strconv"
	"strings"

	"github.com/strobe-go/strobe/internal/gotrace"
)

// A place is where a stack was in the program.
type place struct {
	where  string // line and function of the innermost function of the program; of the outermost one if there is none
	own    bool   // it is one
	inC    bool   // it has called C, whose function stands in where if it is known
	object string // type of package sync through whose method it waits, such as "sync.WaitGroup"
	memory bool   // the call asks the system for memory or gives it back
	gc     bool   // inside runtime.GC
	malloc bool   // inside an allocation
	wait   string // the runtime's reason for a wait there, by the innermost functions; "" if it is not known to wait
	wake   string // and for a wait that a call there ends
}

// place returns the place of a stack.
func (w *Window) place(id gotrace.StackID) place {
	if id == 0 || w.Trace == nil {
		return place{}
	}
	p, known := w.places[id]
	if !known {
		p = placeOf(w.Trace.Stack(id))
		w.places[id] = p
	}
	return p
}

func placeOf(stack []gotrace.Frame) (p place) {
	called := ""
	for _, f := range stack {
		if c, ok := cCall(f.Function); ok && p.where == "" {
			p.inC, called = true, c
			continue
		}
		switch short := f.Function[strings.LastIndexByte(f.Function, '/')+1:]; short {
		case "syscall.mmap", "syscall.munmap", "syscall.Mmap", "syscall.Munmap", "unix.Mmap", "unix.Munmap", "unix.Madvise", "unix.Mremap", "syscall.Madvise":
			p.memory = true
		case "runtime.GC":
			p.gc = true
		case "runtime.mallocgc", "runtime.gcStart", "runtime.gcAssistAlloc":
			p.malloc = true
		}
		if rest, ok := strings.CutPrefix(f.Function, "sync.(*"); ok && p.where == "" {
			name, _, _ := strings.Cut(rest, ")")
			p.object = "sync." + name // the outermost one: a sync.Once has a sync.Mutex
		}
		if p.where == "" && !library(f.Function) {
			if called != "" {
				f.Function = called
			}
			p.where, p.own = Where(f), true
		}
	}
	for _, f := range stack { // a wait that began before the trace has the runtime's own functions, such as runtime.gopark, above
		if p.wait = waitIn(f.Function); p.wait != "" || !strings.HasPrefix(f.Function, "runtime.") {
			break
		}
	}
	if len(stack) > 0 {
		p.wake = wakeIn(stack[0].Function)
	}
	if p.where == "" && len(stack) > 0 {
		p.where = Where(stack[len(stack)-1])
	}
	return p
}

// cCall reports whether a function calls C, by cgo or package purego, and returns the name of C's function, such as "C.usleep"; "" if that
// is unknown.
func cCall(function string) (name string, ok bool) {
	_, last, _ := strings.Cut(function[strings.LastIndexByte(function, '/')+1:], ".")
	for _, prefix := range [...]string{"_Cfunc_", "_C2func_"} {
		if c, ok := strings.CutPrefix(last, prefix); ok {
			return "C." + c, true
		}
	}
	return "", strings.HasPrefix(function, "github.com/ebitengine/purego.")
}

// waitIn returns the reason that the runtime gives for a wait in a function; "" if goroutines do not wait there.
func waitIn(function string) string {
	switch function {
	case "time.Sleep":
		return "sleep"
	case "internal/poll.runtime_pollWait":
		return "network"
	case "runtime.selectgo":
		return "select"
	case "runtime.chansend1":
		return "chan send"
	case "runtime.chanrecv1", "runtime.chanrecv2":
		return "chan receive"
	case "sync.runtime_notifyListWait":
		return "sync.(*Cond).Wait"
	case "runtime.GC":
		return "wait until GC ends"
	}
	if strings.HasPrefix(function, "sync.runtime_Semacquire") || strings.HasPrefix(function, "internal/sync.runtime_Semacquire") {
		return "sync"
	}
	return ""
}

// wakeIn returns the reason that the runtime gives for a wait that a call ends, by the innermost function of the stack that the trace has
// of it; "" if it is not known to end one.
func wakeIn(function string) string {
	first, _, _ := strings.Cut(function, ".(*")
	switch {
	case function == "runtime.chansend1" || function == "runtime.selectnbsend":
		return "chan receive"
	case function == "runtime.chanrecv1" || function == "runtime.chanrecv2" || function == "runtime.selectnbrecv":
		return "chan send"
	case function == "runtime.selectgo":
		return "select"
	case first == "sync" || first == "internal/sync":
		return "sync"
	case first == "internal/poll":
		return "network"
	case !strings.HasPrefix(function, "runtime.") && !strings.HasPrefix(function, "internal/"):
		return "chan receive" // the function closed a channel: the runtime leaves out only its own functions
	}
	return ""
}

// Where returns line and function of a frame, as in "store.go:41 (main.save)".
func Where(f gotrace.Frame) string {
	function := f.Function[strings.LastIndexByte(f.Function, '/')+1:]
	if f.File == "" {
		return function
	}
	return path.Base(strings.ReplaceAll(f.File, `\`, "/")) + ":" + strconv.Itoa(f.Line) + " (" + function + ")"
}

// roots are the first elements of the standard library's packages.
const roots = " archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go hash html image index " +
	"internal io iter log maps math mime net os path plugin reflect regexp runtime simd slices sort strconv strings structs sync syscall testing text time " +
	"unicode unique unsafe vendor weak "

// library reports whether a function belongs to the standard library, to golang.org/x/sys, or to what of strobe waits.
func library(function string) bool {
	const ours = "github.com/strobe-go/strobe"
	if rest, ok := strings.CutPrefix(function, ours); ok {
		return strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, "/pace.")
	}
	if strings.HasPrefix(function, "golang.org/x/sys/") {
		return true
	}
	name, _, _ := strings.Cut(function, "[") // type arguments have paths too
	name, _, _ = strings.Cut(name, "(")
	first, _, within := strings.Cut(name, "/")
	if !within {
		first, _, _ = strings.Cut(name, ".")
	}
	return strings.Contains(roots, " "+first+" ") // those of modules have a dot: go.uber.org
}

// function returns the function of a place, without the line: samples of one function are at many lines.
func (p place) function() string {
	if i := strings.IndexByte(p.where, '('); i >= 0 {
		return strings.TrimSuffix(p.where[i+1:], ")")
	}
	return p.where
}
