// SPDX-License-Identifier: BSD-3-Clause

package switches

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"os"
	"runtime"
	"slices"

	"golang.org/x/sys/unix"
)

// attempts is how often Open begins again because the process has new threads, of which it does not know whether they have
// inherited all events.
const attempts = 5

// Open begins to record, on the processors on which the process may run now. Where the system permits it, as it does with CAP_PERFMON,
// whole processors are recorded: a switch then costs much less than where each thread has events of its own, which are begun
// and ended at each switch. Otherwise the threads that the process has now are recorded, and those that they start. That takes
// some milliseconds, more with many threads and processors.
//
// The error says what the system refuses, and what to do about it.
func Open(o Options) (*Recorder, error) {
	o, err := o.settled(runtime.NumCPU())
	if err != nil {
		return nil, fmt.Errorf("switches: %w", err)
	}
	var name unix.Utsname
	if unix.Uname(&name) == nil && !tellsPreempted(unix.ByteSliceToString(name.Release[:])) {
		return nil, fmt.Errorf("switches: Linux %s does not tell a thread that was displaced from one that waits; run Linux 4.17 or newer", unix.ByteSliceToString(name.Release[:]))
	}
	wanted := o.Bytes
	for try := 1; ; {
		r, complete, err := open(o)
		switch {
		case errors.Is(err, errLocked) && o.Bytes/2 >= smallest():
			o.Bytes /= 2
		case err != nil:
			return nil, fmt.Errorf("switches: %w", explain(err))
		case complete || try == attempts:
			if !complete {
				r.left = append(r.left, "threads that began while the recorder was opened, perhaps: the process starts them all the time")
			}
			if o.Bytes < wanted {
				r.left = append(r.left, fmt.Sprintf("older records: %d bytes for each processor had to do instead of %d; %s", o.Bytes, wanted, usedUp))
			}
			return r, nil
		default:
			r.Close()
			try++
		}
	}
}

// settled returns o with the defaults for so many processors.
func (o Options) settled(processors int) (Options, error) {
	if o.Bytes < 0 || o.Bytes > 1<<30 || o.Samples > 10_000 || o.Faults > 1<<30 || o.Descriptors < 0 {
		return o, fmt.Errorf("invalid options %+v: Bytes is at most 1 GiB, Samples 10,000", o)
	}
	o.Bytes = max(cmp.Or(o.Bytes, min(512<<10, 16<<20/processors)), smallest())
	o.Bytes = 1 << (bits.Len(uint(o.Bytes)) - 1)
	o.Samples = max(0, cmp.Or(o.Samples, 97))
	if o.Descriptors == 0 {
		o.Descriptors = 8192
		var limit unix.Rlimit
		if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) == nil {
			o.Descriptors = int(min(8192, limit.Cur/4))
		}
	}
	return o, nil
}

// smallest is the least memory of a ring.
func smallest() int { return max(32<<10, 2*os.Getpagesize()) }

// all stands for all threads of all programs, as perf_event_open has it.
const all = -1

// open opens everything once. complete is whether the process had no new thread meanwhile that may be missing.
func open(o Options) (r *Recorder, complete bool, err error) {
	threads, err := tids()
	if err != nil {
		return nil, false, err
	}
	processors, err := processors(threads)
	if err != nil {
		return nil, false, err
	}
	if !o.Threads {
		if r, err = openOn(processors, []int{all}, o); err == nil || errors.Is(err, errLocked) {
			return r, true, err
		}
	}
	if r, err = openOn(processors, threads, o); err != nil {
		return nil, false, err
	}
	later, err := tids()
	return r, err == nil && !slices.ContainsFunc(later, func(t int) bool { return !slices.Contains(threads, t) }), nil
}

// openOn opens the events of threads on processors.
func openOn(processors, threads []int, o Options) (*Recorder, error) {
	o.Threads = threads[0] != all
	if o.Faults == 0 {
		o.Faults = 8
		if !o.Threads { // those of other programs fill the ring, too
			o.Faults = 64
		}
	}
	o.Faults = max(0, o.Faults)
	r := &Recorder{options: o, process: uint32(os.Getpid())}
	events, err := r.afford(len(threads), len(processors))
	for _, processor := range processors {
		if err == nil {
			err = r.openProcessor(events, threads, processor)
		}
	}
	if err == nil && len(r.rings) == 0 {
		err = unix.ENODEV
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	r.opened = now()
	return r, nil
}

// afford returns the events for which there are enough descriptors, and notes which are left out.
func (r *Recorder) afford(threads, processors int) ([]unix.PerfEventAttr, error) {
	o := &r.options
	each := threads * processors
	if each > o.Descriptors {
		return nil, fmt.Errorf("%d threads on %d processors need %d file descriptors, and the limit is %d; raise Options.Descriptors or ulimit -n", threads, processors, each, o.Descriptors)
	}
	events := forms(*o)
	if missing := len(events)*each - o.Descriptors; missing > 0 { // one of them is enough
		o.Samples = 0
		r.left = append(r.left, fmt.Sprintf("stacks: they need %d more file descriptors than the limit of %d; raise Options.Descriptors or ulimit -n", missing, o.Descriptors))
		events = forms(*o)
	}
	return events, nil
}

// openProcessor opens the events of all threads on a processor, which write into one ring.
func (r *Recorder) openProcessor(events []unix.PerfEventAttr, threads []int, processor int) error {
	var to *ring
	for _, thread := range threads {
		for _, event := range events {
			fd, err := openEvent(event, thread, processor)
			switch {
			case errors.Is(err, unix.ESRCH): // the thread has ended
				continue
			case errors.Is(err, unix.ENODEV): // the processor is off
				return nil
			case err != nil:
				return err
			}
			r.fds = append(r.fds, fd)
			if to == nil {
				if to, err = mapRing(fd, r.options.Bytes); err != nil {
					return fmt.Errorf("%w: %w", errLocked, err)
				}
				r.rings = append(r.rings, to)
			} else if err := unix.IoctlSetInt(fd, unix.PERF_EVENT_IOC_SET_OUTPUT, to.fd); err != nil {
				return err
			}
		}
	}
	return nil
}
