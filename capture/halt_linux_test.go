// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package capture

import (
	"bufio"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/internal/child"
	"github.com/strobe-go/strobe/internal/pressure"
)

// freezer returns what freezes this process for a while, as a container that is paused.
func freezer(t *testing.T) (freeze func(time.Duration)) {
	const root = "/sys/fs/cgroup/freezer"
	dir, err := os.MkdirTemp(root, "strobe-frozen-")
	if err != nil {
		t.Skipf("there are no control groups of version 1 that can be frozen: %v", err)
	}
	script := fmt.Sprintf("cd %s; echo $$ >../cgroup.procs; echo; while read d; do echo FROZEN >freezer.state; sleep $d; echo THAWED >freezer.state; echo; done; cd ..", dir)
	cmd := exec.Command("sh", "-c", script)
	in, err1 := cmd.StdinPipe()
	out, err2 := cmd.StdoutPipe()
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	answers := bufio.NewReader(out)
	answers.ReadByte()
	move := func(to string) {
		if err := os.WriteFile(filepath.Join(to, "cgroup.procs"), fmt.Append(nil, os.Getpid()), 0); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(func() {
		in.Close()
		cmd.Wait()
		move(root)
		os.Remove(dir)
	})
	move(dir)
	return func(d time.Duration) {
		from := time.Now()
		fmt.Fprintf(in, "%f\n", d.Seconds())
		if _, err := answers.ReadByte(); err != nil || time.Since(from) < d {
			t.Errorf("this process was not frozen for %v: %v", d, err)
		}
	}
}

// A process that is frozen is not told of it: what it did at the time is not what took long.
func TestAFrozenProcessBlamesNothingOfItsOwn(t *testing.T) {
	if !child.Process(t) {
		return
	}
	freeze := freezer(t)
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"sleeps", func() { time.Sleep(5 * time.Millisecond) }},
		{"computes", func() { work(5 * time.Millisecond) }},
	} {
		for _, left := range []blind{{}, {switches: true}} {
			z := strobe.NewRootZone(c.name)
			reports := make(chan Report, 1000)
			capturer := Start(Options{Roots: []*strobe.Zone{z}, Budget: 40 * time.Millisecond, Cost: -1, Log: slog.New(slog.DiscardHandler),
				On: func(r Report) { reports <- r }, without: left})
			counters := pressure.Open(pressure.Options{})
			var before, after pressure.Reading
			counters.Read(&before)
			from := time.Now()
			frozen := make(chan bool)
			go func() {
				defer close(frozen)
				for range 5 {
					time.Sleep(400 * time.Millisecond)
					freeze(120 * time.Millisecond)
				}
				time.Sleep(200 * time.Millisecond)
			}()
			repeat(z, c.do, frozen)
			counters.Read(&after)
			counters.Close()
			waited, known := after.Since(&before).Value(pressure.Waited)
			busy := !known || time.Duration(waited) > time.Since(from)/20 // so that other programs may be the reason
			capturer.Stop()
			close(reports)
			stopped, wrong, blindly := 0, 0, false
			for r := range reports {
				t.Log(r.String(), r.Degrees)
				blindly = blindly || slices.ContainsFunc(r.Degrees, func(d string) bool { return strings.Contains(d, "flight recorder is missing") })
				switch {
				case r.Took < 100*time.Millisecond: // for another reason
				case r.Cause == Stopped:
					stopped++
				case slices.Contains([]Cause{Own, Sleep, Syscall}, r.Cause):
					wrong++
				}
			}
			t.Logf("%s, %+v: %d right, %d wrong; it waited %v for a processor", c.name, left, stopped, wrong, time.Duration(waited))
			if (wrong > stopped || stopped == 0 && !blindly) && !busy {
				t.Errorf("%s, %+v: %d right, %d wrong", c.name, left, stopped, wrong)
			}
		}
	}
}
