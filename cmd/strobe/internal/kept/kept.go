// SPDX-License-Identifier: BSD-3-Clause

// Package kept remembers what benchmarks cost on this machine, so that a later run can tell whether the machine is as fast as it was.
package kept

import (
	"cmp"
	"encoding/json"
	"io"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/strobe-go/strobe/stat"
)

const (
	mostRecords = 5000
	mostBytes   = 8 << 20
	longest     = 30 * 24 * time.Hour // a machine may have changed for good
	schema      = 1
)

// A Key says what was measured, how, and on which machine. Only costs of equal keys can be compared.
type Key struct {
	Machine    string `json:"machine"`
	Program    string `json:"program"` // hash of the test program
	Commit     string `json:"commit"`  // with the files that it opens
	Package    string `json:"package"`
	Benchmark  string `json:"benchmark"`
	Processors int    `json:"processors"` // GOMAXPROCS
}

// A Record is the cost of a call, as it was measured at a time.
type Record struct {
	At   time.Time     `json:"at"`
	Cost stat.Interval `json:"cost_ns"`
}

// A Store holds records. It is not safe for concurrent use.
type Store struct{ all map[Key]Record }

// A file is the JSON of a store.
type file struct {
	Schema  int     `json:"schema"`
	Records []entry `json:"records"`
}

type entry struct {
	Key
	Record
}

// Read returns the store in a file, an empty one if it cannot be read: what it holds can be measured again.
func Read(name string) *Store {
	s := &Store{all: map[Key]Record{}}
	in, err := os.Open(name)
	if err != nil {
		return s
	}
	defer in.Close()
	var f file
	if json.NewDecoder(io.LimitReader(in, mostBytes)).Decode(&f) != nil || f.Schema != schema {
		return s
	}
	for _, e := range f.Records {
		if c := e.Cost; c.Bounded() && c.Lo > 0 && c.Center >= c.Lo && c.Hi >= c.Center {
			s.all[e.Key] = e.Record
		}
	}
	return s
}

// Look returns the record of a key at a time, if there is one that is not older than 30 days.
func (s *Store) Look(k Key, now time.Time) (r Record, ok bool) {
	r, ok = s.all[k]
	return r, ok && now.Sub(r.At) <= longest
}

// Keep keeps a record, unless the store has one of the last 30 days that is more accurate. Records without bounds are not kept.
func (s *Store) Keep(k Key, r Record) {
	if !r.Cost.Bounded() || r.Cost.Lo <= 0 {
		return
	}
	if old, ok := s.Look(k, r.At); ok && spread(old.Cost) < spread(r.Cost) {
		return
	}
	s.all[k] = r
}

func spread(iv stat.Interval) float64 { return (iv.Hi - iv.Lo) / iv.Center }

// Write writes the latest 5000 records.
func (s *Store) Write(w io.Writer) error {
	f := file{Schema: schema, Records: []entry{}}
	keys := slices.SortedFunc(maps.Keys(s.all), func(a, b Key) int {
		return cmp.Or(s.all[b].At.Compare(s.all[a].At), cmp.Compare(a.Package, b.Package), cmp.Compare(a.Benchmark, b.Benchmark), cmp.Compare(a.Program, b.Program))
	})
	for _, k := range keys[:min(len(keys), mostRecords)] {
		f.Records = append(f.Records, entry{k, s.all[k]})
	}
	return json.NewEncoder(w).Encode(f)
}
