// SPDX-License-Identifier: BSD-3-Clause

package exact

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The machine is not told that it did not run.
func TestUnitsInAMachineThatIsPaused(t *testing.T) {
	strobe, tests := os.Getenv("STROBE"), os.Getenv("STROBE_E2E")
	if strobe == "" || tests == "" {
		t.Skip("a part of another step: ./check emulated builds the programs that STROBE and STROBE_E2E name and runs this")
	}
	cmd := exec.Command(strobe, "exact", "--timeout=5m", "--kernel="+os.Getenv("STROBE_KERNEL"), "--clock=none", "--cpus=2", "--env=STROBE_PAUSED=1",
		tests, "-test.v", "-test.run=^TestWholeMachineThatIsPaused$")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	causes := make(map[string]int)
	var all []string
	for lines := bufio.NewScanner(out); lines.Scan(); {
		line := strings.TrimSpace(lines.Text())
		all = append(all, line)
		var cause string
		switch {
		case line == "pause":
			time.Sleep(30 * time.Millisecond) // of its own code
			if err := pause(cmd.Process.Pid, 300*time.Millisecond); err != nil {
				t.Error(err)
			}
		case strings.HasPrefix(line, "report"):
			if _, err := fmt.Sscanf(line, "report %s", &cause); err == nil {
				causes[cause]++
			}
			if cause == "unclear" && !strings.Contains(line, "no sample found it in the program") {
				t.Error("no reason why it is unclear")
			}
			t.Log(line)
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, strings.Join(all, "\n"))
	}
	// It is preempted if the thread had been displaced just before: by what the machine does for the console, as a rule.
	if causes["stopped"] == 0 || causes["own"] > 0 {
		t.Errorf("of 6 times in which the machine was paused: %v\n%s", causes, strings.Join(all, "\n"))
	}
}

// pause stops the emulator that a process has started, and has it go on.
func pause(parent int, d time.Duration) error {
	children, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return err
	}
	for _, file := range children {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(text), ") ")
		if fields := strings.Fields(rest); len(fields) < 2 || fields[1] != strconv.Itoa(parent) {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			return err
		}
		if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
			return err
		}
		time.Sleep(d)
		return syscall.Kill(pid, syscall.SIGCONT)
	}
	return fmt.Errorf("process %d has started no emulator", parent)
}
