// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && arm64

package e2e

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/strobe-go/strobe/capture"
)

// A program that reaches memory.high is not killed: the kernel lets it wait whenever it needs more.
func TestMemoryThatAGroupWaitsForIsNamed(t *testing.T) {
	g := confine(t, "memory")
	request, reports := watched(t)
	memory, err := unix.Mmap(-1, 0, 128<<20, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	use := func(from, to int, d time.Duration) (took time.Duration) {
		began := time.Now()
		for i := from; i < to && took < d; i += os.Getpagesize() {
			memory[i] = 1
			took = time.Since(began)
		}
		return took
	}
	use(0, 96<<20, time.Minute) // the more there is, the less the kernel minds a page more
	if err := g.set("memory.high", fmt.Sprint(g.number(t, "memory.current"))); err != nil {
		t.Fatal(err)
	}
	s := request.Enter()
	took := use(96<<20, len(memory), 100*time.Millisecond)
	s.Exit()
	defer func() {
		if err := errors.Join(g.set("memory.high", "max"), unix.Munmap(memory)); err != nil {
			t.Error(err)
		}
	}()
	t.Logf("waited for memory for %v", took)
	r := next(t, reports, took)
	if r.Cause != capture.Paging || !strings.HasPrefix(r.Next, "raise memory.high of the control group, or use less: nearly all of its ") {
		t.Errorf("%v; %s\n%+v\n%v", r, r.Next, r.Account, r.Degrees)
	}
	t.Logf("%v; %s", r, r.Next)
}
