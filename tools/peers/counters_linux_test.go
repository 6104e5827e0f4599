// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"runtime"
	"syscall"
	"testing"
	"unsafe"

	goperfevent "github.com/aclements/go-perfevent/perf"
	perfutils "github.com/hodgesds/perf-utils"
	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe/perf"
)

// The four software events that every row counts.
var softwareEvents = [...]softwareEvent{
	{perf.TaskClock, unix.PERF_COUNT_SW_TASK_CLOCK}, {perf.PageFaults, unix.PERF_COUNT_SW_PAGE_FAULTS},
	{perf.ContextSwitches, unix.PERF_COUNT_SW_CONTEXT_SWITCHES}, {"cpu-migrations", unix.PERF_COUNT_SW_CPU_MIGRATIONS},
}

type softwareEvent struct {
	name perf.Event
	id   uint64
}

func (e softwareEvent) String() string { return string(e.name) }

func (e softwareEvent) SetAttrs(a *unix.PerfEventAttr) error {
	a.Type, a.Config = unix.PERF_TYPE_SOFTWARE, e.id
	return nil
}

// openRaw opens the events as one group of this thread, running, and returns its leader.
func openRaw(b *testing.B) (leader int) {
	runtime.LockOSThread()
	b.Cleanup(runtime.UnlockOSThread)
	leader = -1
	for _, e := range softwareEvents {
		attr := unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Config: e.id,
			Read_format: unix.PERF_FORMAT_GROUP | unix.PERF_FORMAT_TOTAL_TIME_ENABLED | unix.PERF_FORMAT_TOTAL_TIME_RUNNING}
		attr.Size = uint32(unsafe.Sizeof(attr))
		fd, err := unix.PerfEventOpen(&attr, 0, -1, leader, unix.PERF_FLAG_FD_CLOEXEC)
		if err != nil {
			b.Skip(err)
		}
		if leader < 0 {
			leader = fd
		} else {
			b.Cleanup(func() { unix.Close(fd) })
		}
	}
	return leader
}

var (
	keptReading perf.Reading
	keptCounts  [4]goperfevent.Count
)

func countersRows() []row {
	return []row{
		{"perf.Group", func(b *testing.B) {
			g, err := perf.Open(perf.Thread, softwareEvents[0].name, softwareEvents[1].name, softwareEvents[2].name, softwareEvents[3].name)
			if err != nil {
				b.Skip(err)
			}
			defer g.Close()
			for b.Loop() {
				keptReading = g.Start().Stop()
			}
		}},
		{"two-raw-reads", func(b *testing.B) { // the lower limit: the system calls alone, without the time, checks or a result
			fd := openRaw(b)
			defer unix.Close(fd)
			var words [3 + len(softwareEvents)]uint64
			for b.Loop() {
				for range 2 {
					if _, _, e := syscall.RawSyscall(unix.SYS_READ, uintptr(fd), uintptr(unsafe.Pointer(&words)), unsafe.Sizeof(words)); e != 0 {
						b.Fatal(e)
					}
				}
			}
		}},
		{"go-perfevent-Start-Stop-ReadGroup", func(b *testing.B) {
			c, err := goperfevent.OpenCounter(goperfevent.TargetThisGoroutine, softwareEvents[0], softwareEvents[1], softwareEvents[2], softwareEvents[3])
			if err != nil {
				b.Skip(err)
			}
			defer c.Close()
			for b.Loop() {
				c.Start()
				c.Stop()
				if err := c.ReadGroup(keptCounts[:]); err != nil {
					b.Fatal(err)
				}
			}
		}},
		{"perf-utils.GroupProfiler", func(b *testing.B) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			var attrs []unix.PerfEventAttr
			for _, e := range softwareEvents {
				attrs = append(attrs, unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Config: e.id})
			}
			p, err := perfutils.NewGroupProfiler(0, -1, 0, attrs...)
			if err != nil {
				b.Skip(err)
			}
			defer p.Close()
			var value perfutils.GroupProfileValue
			for b.Loop() {
				for _, step := range []func() error{p.Reset, p.Start, p.Stop} {
					if err := step(); err != nil {
						b.Fatal(err)
					}
				}
				if err := p.Profile(&value); err != nil {
					b.Fatal(err)
				}
			}
		}},
	}
}
