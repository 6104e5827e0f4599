// SPDX-License-Identifier: BSD-3-Clause

// Package benchtext reads the text that Go benchmarks print.
//
// The format is https://golang.org/design/14313-benchmark-format, with the units of benchstat: ns/op is read as sec/op, MB/s as
// B/s. Other lines, such as what tests print, are ignored.
package benchtext

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A File is what was read.
type File struct {
	Results  []Result
	Units    map[string]Unit // what the file says about units, by tidied name
	Skipped  []string        // benchmark lines that could not be read, each with its number and what is wrong
	Failures []string        // lines that say that a benchmark, a test or a package failed, each with its number
}

// A Result is one line of a benchmark.
type Result struct {
	Name   string            // without "Benchmark", with parameters and GOMAXPROCS
	Iters  int               // calls
	Values []Value           // in the order of the line
	Config map[string]string // goos, pkg and so on, from the lines above; shared, must not be changed
}

// A Value is a number with its unit.
type Value struct {
	Unit  string
	Value float64
}

// Cost returns the cost of a call: the value in sec/op, or in instructions/op as strobe exact counts them. ok is false if there
// is none, because the benchmark removes ns/op or panics. While it panics, package testing may still print a result, and may even
// end the process with exit code 0 first.
func (r *Result) Cost() (v Value, ok bool) {
	for _, v := range r.Values {
		switch v.Unit {
		case "sec/op", "instructions/op", "machine-instructions/op":
			return v, true
		}
	}
	return Value{}, false
}

// Broken reports whether a line is a result with only the number of calls, and perhaps memory, and returns the name of the
// benchmark.
func Broken(line string) (name string, ok bool) {
	words := strings.Fields(line)
	if len(words) < 2 || !strings.HasPrefix(line, "Benchmark") {
		return "", false
	}
	name = strings.TrimPrefix(words[0], "Benchmark")
	if len(words) == 2 {
		n, err := strconv.Atoi(words[1])
		first, _ := utf8.DecodeRuneInString(name)
		return name, err == nil && n > 0 && !unicode.IsLower(first)
	}
	r, ok, err := parse(line)
	if err != nil || !ok || len(r.Values) == 0 {
		return "", false
	}
	return name, !slices.ContainsFunc(r.Values, func(v Value) bool { return v.Unit != "B/op" && v.Unit != "allocs/op" })
}

// A Unit is what a line such as "Unit ns/op better=lower" says.
type Unit struct {
	Better string // "lower", "higher" or empty
	Exact  bool   // values do not vary
}

// most bounds the length of a line.
const most = 1 << 20

// Read reads all of r. The error is that of r, or says that a line is too long.
func Read(r io.Reader) (*File, error) {
	f := &File{Units: map[string]Unit{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, most)
	config := map[string]string{}
	number := 0
	for lines.Scan() {
		number++
		line := strings.TrimRight(lines.Text(), " \t\r")
		switch key, value, isConfig := configLine(line); {
		case failed(line):
			f.Failures = append(f.Failures, fmt.Sprintf("line %d: %s", number, strings.TrimSpace(line)))
		case strings.HasPrefix(line, "Benchmark"):
			res, ok, err := parse(line)
			if err != nil {
				f.Skipped = append(f.Skipped, fmt.Sprintf("line %d: %v", number, err))
			} else if ok {
				res.Config = config
				f.Results = append(f.Results, res)
			}
		case strings.HasPrefix(line, "Unit ") || strings.HasPrefix(line, "Unit\t"):
			f.unit(strings.Fields(line))
		case isConfig && key != "testing" && config[key] != value: // not "testing: warning: no tests to run"
			next := make(map[string]string, len(config)+1) // results above keep their map
			for k, v := range config {
				next[k] = v
			}
			if next[key] = value; value == "" {
				delete(next, key)
			}
			config = next
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d is longer than %d bytes: this is not benchmark text", number+1, most)
	}
	return f, lines.Err()
}

// failures are the beginnings of lines that say that something failed: those of the go command and of the runtime.
var failures = [...]string{"FAIL\t", "FAIL ", "panic: ", "fatal error: ", "signal: ", "SIGQUIT: ", "*** Test killed "}

// failed reports whether a line says that something failed.
func failed(line string) bool {
	return line == "FAIL" || strings.HasPrefix(strings.TrimLeft(line, " \t"), "--- FAIL: ") || // this line is indented for sub-benchmarks
		slices.ContainsFunc(failures[:], func(start string) bool { return strings.HasPrefix(line, start) })
}

// configLine reads "key: value". A key begins with a lower-case letter and has neither blanks nor upper-case letters.
func configLine(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(line, ":")
	first, _ := utf8.DecodeRuneInString(key)
	if !ok || !unicode.IsLower(first) || strings.ContainsFunc(key, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsUpper(r) }) {
		return "", "", false
	}
	if value != "" && value[0] != ' ' && value[0] != '\t' {
		return "", "", false
	}
	return key, strings.TrimLeft(value, " \t"), true
}

// unit reads the words of a line such as "Unit ns/op better=lower".
func (f *File) unit(words []string) {
	if len(words) < 3 {
		return
	}
	_, name := Tidy(0, words[1])
	u := f.Units[name]
	for _, w := range words[2:] {
		switch key, value, _ := strings.Cut(w, "="); key {
		case "better":
			if value == "lower" || value == "higher" {
				u.Better = value
			}
		case "assume":
			u.Exact = value == "exact"
		}
	}
	f.Units[name] = u
}

// parse reads a line of a benchmark. ok is false for a line that only has its name.
func parse(line string) (r Result, ok bool, err error) {
	words := strings.Fields(line)
	r.Name = strings.TrimPrefix(words[0], "Benchmark")
	if len(words) == 1 {
		return r, false, nil // a name printed before its result
	}
	if r.Iters, err = strconv.Atoi(words[1]); err != nil || r.Iters <= 0 {
		// The go command does not run a benchmark whose name continues in lower case, but other programs write such names.
		// Without a number after it, the word belongs to a sentence: "Benchmarking ...".
		if first, _ := utf8.DecodeRuneInString(r.Name); unicode.IsLower(first) {
			return r, false, nil
		}
		return r, false, fmt.Errorf("%q is not a number of iterations", words[1])
	}
	if len(words) < 4 || len(words)%2 == 1 {
		return r, false, errors.New("numbers and units do not come in pairs")
	}
	for i := 2; i < len(words); i += 2 {
		v, err := strconv.ParseFloat(words[i], 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
			return r, false, fmt.Errorf("%q is not a number", words[i])
		}
		v, unit := Tidy(v, words[i+1])
		r.Values = append(r.Values, Value{unit, v})
	}
	return r, true, nil
}

// Tidy converts nanoseconds to seconds and MB to B, also in units such as p99-ns/op.
func Tidy(v float64, unit string) (float64, string) {
	over, under, _ := strings.Cut(unit, "/")
	head, last := "", over
	if i := strings.LastIndexByte(over, '-'); i >= 0 {
		head, last = over[:i+1], over[i+1:]
	}
	switch last {
	case "ns":
		v, last = v*1e-9, "sec"
	case "MB":
		if math.Abs(v) > math.MaxFloat64/1e6 {
			return v, unit
		}
		v, last = v*1e6, "B"
	default:
		return v, unit
	}
	if under != "" {
		under = "/" + under
	}
	return v, head + last + under
}
