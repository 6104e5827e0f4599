// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package capture

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/internal/child"
	"github.com/strobe-go/strobe/internal/race"
)

// refusedDir is the variable with the folder of processes that may not be able to remove one.
const refusedDir = "STROBE_CAPTURE_DIR"

// A refused program has units that wait for a lock, and reports of them.
type refused struct {
	*testing.T
	root     *strobe.Zone
	dir      string
	log      bytes.Buffer // read after stop
	reports  chan Report
	capturer *Capturer
}

func startRefused(t *testing.T, dir string) *refused {
	r := &refused{T: t, root: strobe.NewRootZone("unit"), dir: dir, reports: make(chan Report, 100)}
	r.capturer = Start(Options{Roots: []*strobe.Zone{r.root}, Budget: 40 * time.Millisecond, Cost: -1, Dir: dir,
		Log: slog.New(slog.NewTextHandler(&r.log, nil)), On: func(report Report) { r.reports <- report }})
	return r
}

// report returns the report of a unit that has waited for a lock, as soon as it has a cause: right after its start the flight recorder may
// have nothing.
func (r *refused) report(cause Cause) Report {
	r.Helper()
	var got Report
	for range 10 {
		for range 3 {
			r.root.Do(func() {}) // what is usual
		}
		var lock sync.Mutex
		lock.Lock()
		r.root.Do(func() {
			time.AfterFunc(60*time.Millisecond, lock.Unlock)
			lock.Lock()
		})
		select {
		case got = <-r.reports:
		case <-time.After(patient):
			r.Fatal("no report")
		}
		if got.Cause == cause {
			break
		}
	}
	return got
}

func (r *refused) files() (whole, begun int) {
	all, _ := os.ReadDir(r.dir)
	for _, e := range all {
		if strings.HasSuffix(e.Name(), ".html") {
			whole++
		} else {
			begun++
		}
	}
	return whole, begun
}

func folderOfTheParent(t *testing.T) {
	if os.Getenv(refusedDir) == "" {
		t.Setenv(refusedDir, t.TempDir())
	}
}

// The other system calls of this package cannot be refused: the runtime or package os need them, or end or hang without.
func TestCaptureSaysWhichCallIsRefused(t *testing.T) {
	renameat := map[string]uint32{"amd64": 264, "386": 302, "arm": 329, "arm64": 38, "ppc64le": 293, "s390x": 295}[runtime.GOARCH] // newer ones have none
	const noSwitches, noFile = "records of switches are missing", "cannot write a file"
	folderOfTheParent(t)
	for _, c := range []struct {
		name  string
		calls []uint32
		cause Cause
		says  []string // in the log
		files bool     // package os uses the call, and tries again without end if it is interrupted
	}{
		{"perf_event_open", []uint32{unix.SYS_PERF_EVENT_OPEN}, Lock, []string{noSwitches}, false},
		{"ioctl", []uint32{unix.SYS_IOCTL}, Lock, []string{noSwitches}, false},
		{"sched_getaffinity", []uint32{unix.SYS_SCHED_GETAFFINITY}, Lock, []string{noSwitches, "allow sched_getaffinity"}, false},
		{"getrusage", []uint32{unix.SYS_GETRUSAGE}, Lock, []string{"process-time is missing: getrusage is refused; allow it"}, false},
		{"clock_gettime", []uint32{unix.SYS_CLOCK_GETTIME}, Unclear, []string{"flight recorder is missing", "clock_gettime is refused", "allow it"}, false},
		{"prlimit64", []uint32{unix.SYS_PRLIMIT64, unix.SYS_UNAME}, Lock, nil, false},
		{"openat", []uint32{unix.SYS_OPENAT}, Lock, []string{noSwitches, "mount /proc, and allow openat", noFile}, true},
		{"getdents64", []uint32{unix.SYS_GETDENTS64}, Lock, []string{noSwitches, "allow openat and getdents64", noFile}, true},
		{"mkdirat", []uint32{unix.SYS_MKDIRAT}, Lock, []string{noFile, "mkdir"}, true},
		{"renameat", []uint32{renameat, unix.SYS_RENAMEAT2}, Lock, []string{noFile, "rename"}, true},
		{"unlinkat", []uint32{unix.SYS_UNLINKAT, renameat, unix.SYS_RENAMEAT2}, Lock, []string{noFile, "rename"}, true},
		{"all", []uint32{unix.SYS_PERF_EVENT_OPEN, unix.SYS_SCHED_GETAFFINITY, unix.SYS_GETRUSAGE, unix.SYS_CLOCK_GETTIME, unix.SYS_MKDIRAT}, Unclear,
			[]string{noSwitches, "flight recorder is missing", "getrusage is refused", noFile}, true},
	} {
		for _, e := range child.Errors(!testing.Short() && !race.Enabled) {
			if c.files && e == unix.EINTR {
				continue
			}
			t.Run(c.name+" "+unix.ErrnoName(e), func(t *testing.T) {
				if !child.Process(t) {
					return
				}
				if c.files && testing.CoverMode() != "" {
					t.Skip("coverage is written into a file")
				}
				child.Refuse(t, e, c.calls...)
				r := startRefused(t, filepath.Join(os.Getenv(refusedDir), c.name+e.Error()))
				got := r.report(c.cause)
				r.capturer.Stop()
				log := r.log.String()
				if got.Cause != c.cause && !(c.cause == Lock && strings.Contains(log, "flight recorder is missing")) { // Go 1.24 has none
					t.Errorf("%v: %q", got, got.Degrees)
				}
				for _, what := range c.says {
					if !strings.Contains(log, what) {
						t.Errorf("the log does not say %q:\n%s", what, log)
					}
				}
				if c.says != nil && c.name != "getrusage" && !strings.Contains(log, e.Error()) {
					t.Errorf("the log does not say %q:\n%s", e, log)
				}
				whole, begun := r.files()
				written := !strings.Contains(log, noFile)
				if written != (whole > 0) || written != strings.Contains(log, "file=") || begun > 0 && c.name != "unlinkat" {
					t.Errorf("%d files and %d that were begun:\n%s", whole, begun, log)
				}
			})
		}
	}
}

func TestCaptureWithoutDescriptors(t *testing.T) {
	folderOfTheParent(t)
	for _, limit := range []int{5, 64, 1024} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			if !child.Process(t) {
				return
			}
			giveBack := child.ExhaustDescriptors(t, limit)
			r := startRefused(t, filepath.Join(os.Getenv(refusedDir), t.Name()))
			got := r.report(Lock)
			degrees := strings.Join(got.Degrees, "\n")
			if got.Cause != Lock && !strings.Contains(degrees, "flight recorder is missing") || !strings.Contains(degrees, "switches are missing") || !strings.Contains(degrees, "ulimit -n") {
				t.Errorf("%v: %q", got, got.Degrees)
			}
			if whole, begun := r.files(); whole+begun > 0 {
				t.Errorf("%d files and %d that were begun", whole, begun)
			}
			giveBack()
			r.report(Lock)
			r.capturer.Stop()
			if log := r.log.String(); strings.Count(log, "cannot write a file") != 1 || !strings.Contains(log, "too many open files") {
				t.Error(log)
			}
			if whole, begun := r.files(); limit > 5 && (whole == 0 || begun > 0) { // 5 were open before
				t.Errorf("%d files and %d that were begun once there are descriptors", whole, begun)
			}
		})
	}
}
