// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/strobe-go/strobe/cmd/strobe/internal/benchtext"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// measured is the content of a file.
type measured struct {
	name     string             // of the file
	results  []*benchfmt.Result // each has the key .file
	units    map[string]benchtext.Unit
	skipped  []string // lines that could not be read, with file, line and reason
	failures []string // lines that report a failure, with file and line
}

// readAll reads the files. A file that is named twice counts as two.
func readAll(s *session.Session, files []string) (all []*measured, err error) {
	if n := len(slices.DeleteFunc(slices.Clone(files), func(f string) bool { return f != "-" })); n > 1 {
		return nil, errors.New("only one file can be standard input: give the others as files")
	}
	times := map[string]int{}
	for _, file := range files {
		label := file
		if times[file]++; times[file] > 1 {
			label = fmt.Sprintf("%s (%d)", file, times[file])
		}
		m, err := readMeasured(s, file, label)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// readMeasured reads a file, Go benchmark text or JSON. The label tells its results from those of others.
func readMeasured(s *session.Session, file, label string) (*measured, error) {
	r, name, _, err := s.Open(file)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	in := bufio.NewReader(r)
	m := &measured{name: label, units: map[string]benchtext.Unit{}}
	read := m.text
	if first, err := firstByte(in); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	} else if first == '{' {
		read = m.json
	}
	if err := read(in); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for _, list := range [][]string{m.skipped, m.failures} {
		for i := range list {
			list[i] = name + ": " + list[i]
		}
	}
	for i, line := range m.skipped {
		switch {
		case i < 3:
			s.Warn("%s: skipped", line)
		case i == 3:
			s.Warn("%s: %d more lines skipped", name, len(m.skipped)-i)
		}
	}
	if len(m.failures) > 0 {
		s.Warn("%s: a test or benchmark failed in these results", m.failures[0])
	}
	if len(m.results) == 0 {
		return nil, fmt.Errorf("%s: contains no benchmark; give the output of go test -bench, or of strobe bench --json", name)
	}
	return m, nil
}

// firstByte returns the first byte that is not white space without consuming it, 0 at the end of the input.
func firstByte(in *bufio.Reader) (byte, error) {
	for {
		b, err := in.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return 0, nil
		case err != nil:
			return 0, err
		case b != ' ' && b != '\t' && b != '\r' && b != '\n':
			return b, in.UnreadByte()
		}
	}
}

// add adds a result with its file as one more key of its configuration.
func (m *measured) add(name string, config map[string]string, values ...benchtext.Value) {
	r := &benchfmt.Result{Name: benchfmt.Name(name), Iters: 1}
	for _, k := range slices.Sorted(maps.Keys(config)) {
		r.Config = append(r.Config, benchfmt.Config{Key: k, Value: []byte(config[k]), File: true})
	}
	r.Config = append(r.Config, benchfmt.Config{Key: ".file", Value: []byte(m.name)})
	for _, v := range values {
		written := strings.Replace(strings.Replace(v.Unit, "sec", "ns", 1), "B/s", "MB/s", 1) // so that filters by .unit find it
		r.Values = append(r.Values, benchfmt.Value{Value: v.Value, Unit: v.Unit, OrigUnit: written})
	}
	m.results = append(m.results, r)
}

func (m *measured) text(r io.Reader) error {
	f, err := benchtext.Read(r)
	if err != nil {
		return err
	}
	for _, res := range f.Results {
		m.add(res.Name, res.Config, res.Values...)
	}
	m.units, m.skipped, m.failures = f.Units, f.Skipped, f.Failures
	return nil
}

// json reads what strobe bench or hyperfine wrote.
func (m *measured) json(r io.Reader) error {
	var o struct {
		Schema   int    `json:"schema"`
		Failure  string `json:"failure"`
		Commands []struct {
			Command, Name string
			Times         []float64 `json:"times_ns"`
		} `json:"commands"`
		Results []struct {
			Command string
			Times   []float64 `json:"times"` // seconds
		} `json:"results"`
	}
	if err := json.NewDecoder(r).Decode(&o); err != nil {
		return fmt.Errorf("not the JSON of strobe bench: %w", err)
	}
	if o.Schema > session.Schema {
		return fmt.Errorf("its schema is %d, this version of strobe reads up to %d: use a newer one", o.Schema, session.Schema)
	}
	add := func(name string, seconds float64) {
		m.add(name, nil, benchtext.Value{Unit: "sec/op", Value: min(math.MaxFloat64, seconds)})
	}
	if o.Schema == 0 {
		for _, c := range o.Results {
			for _, t := range c.Times {
				add(c.Command, t)
			}
		}
		return nil
	}
	if o.Failure != "" {
		m.failures = []string{o.Failure}
	}
	for _, c := range o.Commands {
		name := c.Name
		if name == "" {
			name = c.Command
		}
		for _, t := range c.Times {
			add(name, t*1e-9)
		}
	}
	return nil
}
