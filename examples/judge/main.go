// SPDX-License-Identifier: BSD-3-Clause

// Command judge imitates a loop that tries changes for speed, one after the other, and has each judged twice: by one run of the
// benchmark before and after it, and by strobe gate.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// tries is how often the naive judge decides on each change.
const tries = 10

func main() {
	dir, err := os.MkdirTemp("", "judge")
	if err == nil {
		defer os.RemoveAll(dir)
		err = loop(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "judge:", err)
		os.RemoveAll(dir)
		os.Exit(1)
	}
}

// loop judges each change in a repository of its own.
func loop(dir string) error {
	for name, text := range map[string]string{"go.mod": "module example.com/sum\n\ngo 1.24\n", "sum.go": base, "sum_test.go": benchmark} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=me", "-c", "user.email=me@example.com", "commit", "-q", "-m", "Sum"}} {
		if _, err := output(dir, "git", args...); err != nil {
			return err
		}
	}
	before, err := build(dir, "before.test")
	if err != nil {
		return err
	}
	fmt.Printf("%-12s  %-18s  %-14s  %s\n", "change", "instructions", "one run", "strobe gate")
	for _, c := range changes {
		if err := os.WriteFile(filepath.Join(dir, "sum.go"), []byte(c.source), 0o666); err != nil {
			return err
		}
		after, err := build(dir, "after.test")
		if err != nil {
			return err
		}
		instructions := "others"
		if before == after {
			instructions = "the same"
		}
		kept, err := naive(dir)
		if err != nil {
			return err
		}
		verdict, err := gate(dir)
		if err != nil {
			return err
		}
		fmt.Printf("%-12s  %-18s  kept %2d of %d   %s\n", c.name, instructions, kept, tries, verdict)
	}
	return nil
}

// build writes the program of the benchmark to a file outside the checkout, and returns the machine code of the function.
func build(dir, name string) (code string, err error) {
	file := filepath.Join(dir, ".git", name)
	if _, err := output(dir, "go", "test", "-c", "-o", file); err != nil {
		return "", err
	}
	text, err := output(dir, "go", "tool", "objdump", "-s", `sum\.Sum$`, file)
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 3 { // file:line, address, bytes, instruction
			code += f[2] + "\n"
		}
	}
	if code == "" {
		err = errors.Join(err, errors.New("the function is not in the program"))
	}
	return code, err
}

// naive runs both programs once and keeps the change if the second one was faster, and so ten times.
func naive(dir string) (kept int, err error) {
	for range tries {
		before, err := once(dir, "before.test")
		if err != nil {
			return 0, err
		}
		after, err := once(dir, "after.test")
		if err != nil {
			return 0, err
		}
		if after < before {
			kept++
		}
	}
	return kept, nil
}

// once returns the time that one run of a benchmark reports.
func once(dir, name string) (ns float64, err error) {
	text, err := output(dir, filepath.Join(dir, ".git", name), "-test.run=^$", "-test.bench=.", "-test.benchtime=100ms")
	if err != nil {
		return 0, err
	}
	words := strings.Fields(text)
	at := slices.Index(words, "ns/op")
	if at < 1 {
		return 0, fmt.Errorf("no time in %q", text)
	}
	return strconv.ParseFloat(words[at-1], 64)
}

// gate returns the verdict on the change. Exit codes 1 and 3 are verdicts too.
func gate(dir string) (string, error) {
	text, err := output(dir, "strobe", "gate", "HEAD", "--json", "--layouts=2", "--max-time=20s")
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && (exit.ExitCode() == 1 || exit.ExitCode() == 3) {
		err = nil
	}
	var report struct{ Benchmarks []struct{ Change string } }
	if err == nil {
		err = json.Unmarshal([]byte(text), &report)
	}
	switch {
	case err != nil:
		return "", err
	case len(report.Benchmarks) == 0:
		return "the same program", nil
	}
	return report.Benchmarks[0].Change, nil
}

// output runs a program in a folder, and returns what it printed on standard output.
func output(dir, name string, args ...string) (string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, exit.Stderr)
	}
	return string(out), err
}
