// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/strobe-go/strobe/cmd/strobe/internal/benchtext"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// A key names what is measured.
type key struct{ pkg, name, unit string }

func (k key) String() string {
	if k.pkg == "" {
		return k.name + " " + k.unit
	}
	return k.pkg + " " + k.name + " " + k.unit
}

// measured are the values of a file, in the order in which they came first.
type measured struct {
	order   []key
	values  map[key][]float64
	units   map[string]benchtext.Unit
	config  map[string]string // of the first result
	skipped []string          // lines that could not be read, with file, line and reason
}

func (m *measured) add(k key, v float64) {
	if _, ok := m.values[k]; !ok {
		m.order = append(m.order, k)
	}
	m.values[k] = append(m.values[k], v)
}

// readMeasured reads a file, Go benchmark text or JSON.
func readMeasured(s *session.Session, name string) (*measured, error) {
	r, name, _, err := s.Open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	in := bufio.NewReader(r)
	m := &measured{values: map[key][]float64{}, units: map[string]benchtext.Unit{}, config: map[string]string{}}
	read := m.text
	if first, err := firstByte(in); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	} else if first == '{' {
		read = m.json
	}
	skipped, err := read(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i, line := range skipped {
		m.skipped = append(m.skipped, name+": "+line)
		switch {
		case i < 3:
			s.Warn("%s: %s: skipped", name, line)
		case i == 3:
			s.Warn("%s: %d more lines skipped", name, len(skipped)-i)
		}
	}
	if len(m.order) == 0 {
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

func (m *measured) text(r io.Reader) (skipped []string, err error) {
	f, err := benchtext.Read(r)
	if err != nil {
		return nil, err
	}
	for i, res := range f.Results {
		if i == 0 {
			m.config = res.Config
		}
		for _, v := range res.Values {
			m.add(key{res.Config["pkg"], res.Name, v.Unit}, v.Value)
		}
	}
	m.units = f.Units
	return f.Skipped, nil
}

// json reads what strobe bench or hyperfine wrote.
func (m *measured) json(r io.Reader) ([]string, error) {
	var o struct {
		Schema   int `json:"schema"`
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
		return nil, fmt.Errorf("not the JSON of strobe bench: %w", err)
	}
	if o.Schema > session.Schema {
		return nil, fmt.Errorf("its schema is %d, this strobe reads up to %d: use a newer one", o.Schema, session.Schema)
	}
	if o.Schema == 0 {
		for _, c := range o.Results {
			for _, t := range c.Times {
				m.add(key{"", c.Command, "sec/op"}, min(math.MaxFloat64, t))
			}
		}
		return nil, nil
	}
	for _, c := range o.Commands {
		name := c.Name
		if name == "" {
			name = c.Command
		}
		for _, t := range c.Times {
			m.add(key{"", name, "sec/op"}, t*1e-9)
		}
	}
	return nil, nil
}
