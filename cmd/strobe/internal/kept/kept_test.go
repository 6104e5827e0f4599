// SPDX-License-Identifier: BSD-3-Clause

package kept

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/strobe-go/strobe/stat"
)

var now = time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)

func cost(center, half float64) stat.Interval {
	return stat.Interval{Center: center, Lo: center - half, Hi: center + half, Level: 0.99, Method: "order statistics", N: 20, NEff: 20}
}

// saved returns the store as a later process reads it.
func saved(t *testing.T, s *Store) *Store {
	t.Helper()
	var b bytes.Buffer
	if err := s.Write(&b); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return Read(name)
}

func TestABetterRecordIsNotReplacedByAWorseOne(t *testing.T) {
	s, k := Read(filepath.Join(t.TempDir(), "none")), Key{Machine: "m", Commit: "c", Package: "p", Benchmark: "B"}
	if _, ok := s.Look(k, now); ok {
		t.Error("an empty store has a record")
	}
	s.Keep(k, Record{now, cost(100, 2)})
	s.Keep(k, Record{now.Add(time.Hour), cost(300, 90)})
	s.Keep(k, Record{now.Add(time.Hour), stat.Unknown("no rounds")})
	s.Keep(Key{Benchmark: "C"}, Record{now, stat.Point(5, 1, "", "one round")})
	s = saved(t, s)
	if r, ok := s.Look(k, now); !ok || r.Cost.Center != 100 || !r.At.Equal(now) || len(s.all) != 1 {
		t.Errorf("%+v, %d records", r, len(s.all))
	}
	s.Keep(k, Record{now.Add(2 * time.Hour), cost(101, 1)})
	if r, _ := s.Look(k, now); r.Cost.Center != 101 {
		t.Errorf("a better record is not kept: %+v", r)
	}
	other := k
	other.Machine = "another"
	if _, ok := s.Look(other, now); ok {
		t.Error("a record of another machine is found")
	}
}

func TestOldRecordsDoNotCount(t *testing.T) {
	s, k, later := Read(""), Key{Benchmark: "B"}, now.Add(31*24*time.Hour)
	s.Keep(k, Record{now, cost(100, 1)})
	if _, ok := s.Look(k, later); ok {
		t.Error("a record of last month is found")
	}
	s.Keep(k, Record{later, cost(200, 50)})
	if r, ok := s.Look(k, later); !ok || r.Cost.Center != 200 {
		t.Errorf("%+v", r)
	}
}

func TestTheStoreIsBounded(t *testing.T) {
	s := Read("")
	for i := range mostRecords + 10 {
		s.Keep(Key{Benchmark: fmt.Sprint(i)}, Record{now.Add(time.Duration(i) * time.Second), cost(100, 1)})
	}
	s = saved(t, s)
	if _, ok := s.Look(Key{Benchmark: "9"}, now); ok || len(s.all) != mostRecords {
		t.Errorf("%d records, the oldest ones among them", len(s.all))
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"schema":1,"records":[{"machine":"m","at":"2001-02-03T04:05:06Z","cost_ns":{"center":1,"lo":-1,"hi":2}}]}`))
	f.Add([]byte(`{"schema":2}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		name := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, r := range Read(name).all {
			if c := r.Cost; !(c.Lo > 0 && c.Lo <= c.Center && c.Center <= c.Hi) {
				t.Errorf("%+v", c)
			}
		}
	})
}
