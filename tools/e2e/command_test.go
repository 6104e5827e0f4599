// SPDX-License-Identifier: BSD-3-Clause

//go:build linux && arm64

package e2e

import (
	"bytes"
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/strobe-go/strobe/perf"
)

// program writes a minimal program: 2 moves, a loop of 2n instructions, 2 moves, and the system call that ends it. It has no libc
// and no runtime, so it always runs 2n+5 instructions.
func program(t testing.TB, n uint32) string {
	const base = 0x400000
	code := []uint32{
		0xd2800000 | (n&0xffff)<<5, // movz x0, #low
		0xf2a00000 | (n>>16)<<5,    // movk x0, #high, lsl #16
		0xf1000400,                 // subs x0, x0, #1
		0x54ffffe1,                 // b.ne -4
		0xd2800000,                 // movz x0, #0
		0xd2800ba8,                 // movz x8, #93
		0xd4000001,                 // svc #0
	}
	size := uint64(64 + 56 + 4*len(code))
	var b bytes.Buffer
	b.WriteString("\x7fELF\x02\x01\x01" + string(make([]byte, 9)))
	for _, v := range []any{
		uint16(2), uint16(183), uint32(1), uint64(base + 120), uint64(64), uint64(0), uint32(0), // executable, arm64, entry, segments
		uint16(64), uint16(56), uint16(1), uint16(0), uint16(0), uint16(0),
		uint32(1), uint32(5), uint64(0), uint64(base), uint64(base), size, size, uint64(4096), // load all, read and execute
		code,
	} {
		binary.Write(&b, binary.LittleEndian, v)
	}
	file := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(file, b.Bytes(), 0o755); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestCountsOfACommandAreExact(t *testing.T) {
	file := program(t, 1_000_000)
	g := open(t, perf.Command, user, perf.TaskClock, perf.PageFaults)
	for range 5 {
		m := g.Start()
		if out, err := exec.Command(file).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		loop(1_000_000) // must not count: it is not part of the command
		r := m.Stop()
		if v := r.Get(user); v.State != perf.Exact || v.Count != 2_000_005 {
			t.Errorf("a program of 2 000 005 instructions: %v", v)
		}
		if v := r.Get(perf.TaskClock); !v.Known() || v.Count < 2_000_005 {
			t.Errorf("at an instruction a ns: %v", v)
		}
		if v := r.Get(perf.PageFaults); !v.Known() || v.Count == 0 {
			t.Errorf("%v", v)
		}
	}
}

// spawn is the main function of the child process: it runs another program twice.
func spawn(file string) {
	for range 2 {
		if err := exec.Command(file).Run(); err != nil {
			os.Exit(1)
		}
	}
	os.Exit(0)
}

func TestCountsOfACommandHoldItsChildren(t *testing.T) {
	file := program(t, 20_000_000)
	g := open(t, perf.Command, user)
	m := g.Start()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "E2E_SPAWN="+file)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const want = 2 * 40_000_005
	if v := m.Stop().Get(user); v.State != perf.Exact || v.Count < want || v.Count > want*11/10 {
		t.Errorf("%d instructions by two children of a child: %v", want, v)
	}
}

func TestACommandThatWasNeverStartedHasNoCounts(t *testing.T) {
	g := open(t, perf.Command, user)
	m := g.Start()
	loop(1000)
	if v := m.Stop().Get(user); v.State != perf.NotCounted || v.Count != 0 || v.Reason == "" {
		t.Errorf("%+v", v)
	}
}

func TestCountsOfAnotherProcess(t *testing.T) {
	file := program(t, 400_000_000)
	cmd := exec.Command(file)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	g := open(t, perf.PID(cmd.Process.Pid), user)
	m := g.Start()
	var v perf.Value
	for range 1000 { // there is one processor, which runs the other thread when this goroutine waits
		elsewhere(100_000)
		if v = m.Stop().Get(user); v.Count > 1_000_000 {
			return
		}
	}
	t.Errorf("a process that runs: %v", v)
}
