// SPDX-License-Identifier: BSD-3-Clause

package switches

import (
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

var recorded = []struct {
	name    string
	options Options
	on      bool
}{
	{"nothing", Options{}, false},
	{"switches", Options{Samples: -1, Faults: -1, Threads: true}, true},
	{"and-faults", Options{Samples: -1, Threads: true}, true},
	{"and-stacks", Options{Faults: -1, Threads: true}, true},
	{"all", Options{Threads: true}, true},
	{"processors", Options{}, true},
	{"paused", Options{Threads: true}, true},
}

// BenchmarkSwitch sends a byte there and back between two threads on one processor: each of them leaves it and comes back once.
func BenchmarkSwitch(b *testing.B) {
	for _, c := range recorded {
		b.Run(c.name, func(b *testing.B) {
			if c.on {
				r := opened(b, c.options)
				if c.name == "paused" {
					r.Pause(true)
				}
			}
			bounce(b, b.N)
		})
	}
}

// BenchmarkWork computes without leaving the processor by itself.
func BenchmarkWork(b *testing.B) {
	for _, c := range recorded {
		b.Run(c.name, func(b *testing.B) {
			if c.on {
				opened(b, c.options)
			}
			x := 1
			for b.Loop() {
				for i := range 1_000_000 {
					x = x*31 + i
				}
			}
			sink = x
		})
	}
}

var sink int

// BenchmarkFault touches a fresh page.
func BenchmarkFault(b *testing.B) {
	for _, c := range recorded {
		b.Run(c.name, func(b *testing.B) {
			if c.on {
				opened(b, c.options)
			}
			size := 256 * os.Getpagesize()
			memory, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
			if err != nil {
				b.Fatal(err)
			}
			defer unix.Munmap(memory)
			unix.Madvise(memory, unix.MADV_NOHUGEPAGE)
			i := 0
			for b.Loop() {
				if i == size {
					unix.Madvise(memory, unix.MADV_DONTNEED)
					i = 0
				}
				memory[i] = 1
				i += os.Getpagesize()
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	r := opened(b, Options{})
	onThread(func() {
		for range 20_000 { // fills the rings
			unix.Nanosleep(&unix.Timespec{Nsec: 1}, nil)
		}
	})
	to := now()
	got, err := r.Read(to-int64(60*time.Millisecond), to)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := r.Read(to-int64(60*time.Millisecond), to); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(got.Off)), "times")
}

func BenchmarkOpen(b *testing.B) {
	for b.Loop() {
		r, err := Open(Options{})
		if err != nil {
			b.Skip(err)
		}
		r.Close()
	}
}
