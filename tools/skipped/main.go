// SPDX-License-Identifier: BSD-3-Clause

// Skipped reads the output of go test -json, prints it as go test does without -v, and adds to a file which tests were skipped and
// why. ./check uses it, so that its last lines can say what was left out.
//
//	go test -json ./... | skipped FILE
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// An event is a line of go test -json; see go doc test2json.
type event struct {
	Action, Package, Test, Output string
}

// part begins the reason of a test that is skipped because it runs elsewhere: in a process that another test starts, or in
// another step of check, which is listed if it is left out.
const part = "a part of another "

// A reader collects the output of tests until they end.
type reader struct {
	out     io.Writer
	printed map[[2]string][]string // by package and test
	reasons []string               // of skipped tests, in the order of the first
	tests   map[string][]string    // by reason
	failed  bool
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go test -json ./... | skipped FILE")
		os.Exit(2)
	}
	r := &reader{out: os.Stdout, printed: map[[2]string][]string{}, tests: map[string][]string{}}
	err := r.read(os.Stdin)
	if err == nil {
		err = r.save(os.Args[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "skipped:", err)
		os.Exit(2)
	}
	if r.failed {
		os.Exit(1)
	}
}

// read reads all events. It prints other lines, which the go command sometimes prints, unchanged.
func (r *reader) read(in io.Reader) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadString('\n')
		if e := (event{}); line != "" && json.Unmarshal([]byte(line), &e) == nil && e.Action != "" {
			r.add(e)
		} else {
			io.WriteString(r.out, line)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// add handles an event. The output of a test is shown if it failed or never ended, as in a panic.
func (r *reader) add(e event) {
	key := [2]string{e.Package, e.Test}
	switch e.Action {
	case "output", "build-output":
		if e.Test != "" {
			r.printed[key] = append(r.printed[key], e.Output)
		} else if e.Output != "PASS\n" {
			io.WriteString(r.out, e.Output)
		}
	case "skip":
		if e.Test != "" { // a package without tests counts as skipped as well
			r.skip(e, reason(r.printed[key]))
		}
		delete(r.printed, key)
	case "pass":
		if e.Test == "" {
			r.flush(e.Package)
		}
		delete(r.printed, key)
	case "fail", "build-fail":
		r.failed = true
		r.flush(e.Package)
	}
}

// flush prints the output of the tests of a package that have not passed.
func (r *reader) flush(pkg string) {
	var keys [][2]string
	for key := range r.printed {
		if key[0] == pkg {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b [2]string) int { return strings.Compare(a[1], b[1]) })
	for _, key := range keys {
		for _, text := range r.printed[key] {
			if !strings.HasPrefix(text, "=== ") {
				io.WriteString(r.out, text)
			}
		}
		delete(r.printed, key)
	}
}

// place matches the file and line at the beginning of a log message.
var place = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*[\w./-]+\.go:\d+: `) })

// reason returns the last log message of a test, which is why it was skipped.
func reason(printed []string) string {
	text := ""
	for _, line := range printed {
		switch at := place().FindString(line); {
		case at != "":
			text = line[len(at):]
		case strings.HasPrefix(line, "=== "), strings.HasPrefix(strings.TrimSpace(line), "--- SKIP"):
		case text != "":
			text += line
		}
	}
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return "no reason given"
	}
	return text
}

func (r *reader) skip(e event, why string) {
	if strings.HasPrefix(why, part) {
		return
	}
	if r.tests[why] == nil {
		r.reasons = append(r.reasons, why)
	}
	r.tests[why] = append(r.tests[why], e.Package[strings.LastIndexByte(e.Package, '/')+1:]+"."+e.Test)
}

// shown is the number of tests that are named for one reason.
const shown = 3

// save appends a line for each reason to file.
func (r *reader) save(file string) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return err
	}
	for _, why := range r.reasons {
		tests := r.tests[why]
		names := strings.Join(tests[:min(len(tests), shown)], ", ")
		if more := len(tests) - shown; more > 0 {
			names += fmt.Sprintf(" and %d more", more)
		}
		fmt.Fprintf(f, "%s: %s\n", names, why)
	}
	return f.Close()
}
