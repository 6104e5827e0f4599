// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// A run is what happened to the tests on one platform.
type run struct {
	Platform string // GOOS/GOARCH, and build tags
	By       string // what ran the programs
	Go       string
	Date     string

	passed, failed  []string // packages
	tests, skipped  int      // tests and examples of the packages that passed, without subtests
	counts, omitted map[string]int
}

// module begins the path of every package.
const module = "github.com/strobe-go/strobe"

// An event is a line of go test -json; see go doc test2json.
type event struct{ Action, Package, Test string }

// read reads the file of a run. Packages without tests, and packages that never ended, have not passed.
func read(in io.Reader) (run, error) {
	r := run{counts: map[string]int{}, omitted: map[string]int{}}
	lines := bufio.NewReader(in)
	first, err := lines.ReadBytes('\n')
	if err := json.Unmarshal(first, &r); err != nil {
		return r, fmt.Errorf("the first line does not describe the run: %w", err)
	}
	if r.Platform == "" || r.By == "" || r.Go == "" || r.Date == "" {
		return r, errors.New("the first line lacks Platform, By, Go or Date")
	}
	ends := map[string]string{} // by package
	for err == nil {
		var line []byte
		line, err = lines.ReadBytes('\n')
		var e event
		if json.Unmarshal(line, &e) != nil || e.Package == "" {
			continue // what the go command itself prints
		}
		if ends[e.Package] == "" {
			ends[e.Package] = "fail" // until it has passed
		}
		r.add(e, ends)
	}
	if err != io.EOF {
		return r, err
	}
	for _, path := range slices.Sorted(maps.Keys(ends)) {
		name := strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
		if name == "" {
			name = "strobe"
		}
		switch ends[path] {
		case "pass":
			r.passed = append(r.passed, name)
			r.tests += r.counts[path]
			r.skipped += r.omitted[path]
		case "fail":
			r.failed = append(r.failed, name)
		}
	}
	if len(ends) == 0 {
		return r, errors.New("no package was tested")
	}
	return r, nil
}

func (r *run) add(e event, ends map[string]string) {
	end := e.Action == "pass" || e.Action == "fail" || e.Action == "skip"
	switch {
	case !end:
	case e.Test == "":
		ends[e.Package] = e.Action
	case strings.Contains(e.Test, "/"): // a part of another
	case e.Action == "pass":
		r.counts[e.Package]++
	case e.Action == "skip":
		r.omitted[e.Package]++
	}
}
