// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The Go runtime opens the null device in place of a closed standard output, so no write fails.
func TestAProcessWithoutStandardOutputSaysSoAndKeepsItsExitCode(t *testing.T) {
	self := binary(t)
	for _, c := range []struct {
		redirect string
		args     []string
		code     int
		lost     bool
	}{
		{">&-", gated(t), 1, true},
		{">&-", []string{"stat"}, 0, true},
		{">/dev/null", []string{"stat"}, 0, false},
		{">>/dev/null", []string{"stat"}, 0, false},
		{"| head -c 1", []string{"stat"}, 0, false},
	} {
		var e bytes.Buffer
		cmd := exec.Command("sh", append([]string{"-c", `"$0" "$@" ` + c.redirect, self}, c.args...)...)
		cmd.Stdin, cmd.Stderr = strings.NewReader("1\n2\n"), &e
		cmd.Run()
		if code := cmd.ProcessState.ExitCode(); code != c.code {
			t.Errorf("%q %s: exit %d, %q", c.args, c.redirect, code, e.String())
		}
		if lost := strings.Contains(e.String(), "the results are lost"); lost != c.lost {
			t.Errorf("%q %s: %q", c.args, c.redirect, e.String())
		}
	}
}

func TestAFullDeviceHasAnExitCodeOfItsOwn(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no device that is always full: ", err)
	}
	defer full.Close()
	var e bytes.Buffer
	cmd := exec.Command(binary(t), "stat", "--json")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader("1\n2\n"), full, &e
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != 5 || !strings.Contains(e.String(), "cannot write the results") {
		t.Errorf("exit %d, %q", code, e.String())
	}
}

// GNU timeout sends its signal twice: to the process and to the group. The second one must not prevent the results that the first
// one asks for, which here take 300 ms.
func TestADoubledInterruptStillPrintsTheResults(t *testing.T) {
	self := binary(t)
	for range 20 {
		if interruptTwice(t, self) {
			return
		}
	}
	t.Error("the two signals were always far apart")
}

// interruptTwice reports whether the second signal came soon enough to count as the same one.
func interruptTwice(t *testing.T, self string) bool {
	mark := filepath.Join(t.TempDir(), "mark")
	var o, e bytes.Buffer
	cmd := exec.Command(self, "bench", "--json", "--shell=default", "--warmup=0", "--precision=0", "--max-time=0", "--cleanup=sleep 0.3", "echo x >>"+mark)
	cmd.Stdout, cmd.Stderr = &o, &e
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for {
		if text, _ := os.ReadFile(mark); len(text) > 4 {
			break
		}
		time.Sleep(2 * time.Millisecond)
	}
	first := time.Now()
	cmd.Process.Signal(syscall.SIGINT)
	time.Sleep(50 * time.Millisecond)
	cmd.Process.Signal(syscall.SIGINT)
	soon := time.Since(first) < time.Second
	cmd.Wait()
	if !soon {
		return false
	}
	var result struct{ Interrupted bool }
	if err := json.Unmarshal(o.Bytes(), &result); err != nil || !result.Interrupted || cmd.ProcessState.ExitCode() != 130 {
		t.Errorf("%v, exit %v, %q, %q", err, cmd.ProcessState, o.String(), e.String())
	}
	return true
}
