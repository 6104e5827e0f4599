// SPDX-License-Identifier: BSD-3-Clause

package exact

import (
	"bytes"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/benchtext"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// An exactObject is the JSON of strobe exact.
type exactObject struct {
	Schema      int              `json:"schema"`            // version of this format
	Interrupted bool             `json:"interrupted"`       // the run was ended by a signal
	Failure     string           `json:"failure,omitempty"` // why the exit code is not 0
	Kernel      string           `json:"kernel,omitempty"`  // with --setup, the file that will be booted
	Benchmarks  []exactBenchmark `json:"benchmarks"`        // in the order run
	Skipped     []string         `json:"skipped,omitempty"` // benchmark lines that could not be read
	Output      []string         `json:"output,omitempty"`  // all other lines that the tests or the program printed
}

type exactBenchmark struct {
	Package    string       `json:"package,omitempty"` // import path
	Name       string       `json:"name"`              // without "Benchmark"
	Iterations int          `json:"iterations"`        // how often the body ran
	Values     []exactValue `json:"values"`            // in the order printed
}

type exactValue struct {
	Unit  string  `json:"unit"`  // such as instructions/op
	Value float64 `json:"value"` // per operation
}

// objectOf reads the output of go test or of a program. failure is the error that decides the exit code.
func objectOf(printed []byte, failure error, interrupted bool) (o exactObject, err error) {
	o = exactObject{Schema: session.Schema, Interrupted: interrupted, Benchmarks: []exactBenchmark{}}
	if failure != nil && !interrupted {
		o.Failure = failure.Error()
	}
	f, err := benchtext.Read(bytes.NewReader(printed))
	if err != nil {
		return o, err
	}
	for _, r := range f.Results {
		b := exactBenchmark{Package: r.Config["pkg"], Name: r.Name, Iterations: r.Iters}
		for _, v := range r.Values {
			b.Values = append(b.Values, exactValue(v))
		}
		o.Benchmarks = append(o.Benchmarks, b)
	}
	o.Skipped = f.Skipped
	for line := range strings.Lines(string(printed)) {
		if line = strings.TrimRight(line, "\r\n"); !isBenchmark(line) {
			o.Output = append(o.Output, line)
		}
	}
	return o, nil
}

// isBenchmark reports whether a line is a result, or about results.
func isBenchmark(line string) bool {
	for _, start := range []string{"Benchmark", "Unit ", "goos: ", "goarch: ", "pkg: ", "cpu: "} {
		if strings.HasPrefix(line, start) {
			return true
		}
	}
	return false
}
