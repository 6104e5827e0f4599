// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobesql

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
)

// everything uses a database in all ways, and returns what it got.
func everything(db *sql.DB) (got []string) {
	say := func(what string, args ...any) { got = append(got, what+": "+fmt.Sprintln(args...)) }
	ctx := context.Background()
	db.SetMaxOpenConns(1)
	say("ping", db.PingContext(ctx))
	for _, args := range [][]any{nil, {1}, {"x", 2.5}, {odd{7}}, {sql.Named("n", 3)}, {struct{}{}}, {time.Unix(0, 0).UTC()}} {
		for _, query := range []string{"exec", "skip"} {
			r, err := db.ExecContext(ctx, query, args...)
			say("exec", r != nil, err)
		}
		rows, err := db.QueryContext(ctx, "query", args...)
		say("query", err)
		if err == nil {
			types, err := rows.ColumnTypes()
			length, hasLength := types[0].Length()
			nullable, known := types[0].Nullable()
			precision, scale, decimal := types[0].DecimalSize()
			say("types", types[0].ScanType(), types[0].DatabaseTypeName(), length, hasLength, nullable, known, precision, scale, decimal, err)
			for more := true; more; more = rows.NextResultSet() {
				for rows.Next() {
					var a int
					say("row", rows.Scan(&a), a)
				}
			}
			say("rows", rows.Err(), rows.Close())
		}
		if s, err := db.PrepareContext(ctx, "prepared"); err != nil {
			say("prepare", err)
		} else {
			_, err := s.ExecContext(ctx, args...)
			say("statement", err)
			rows, err := s.QueryContext(ctx, args...)
			say("statement", err)
			if err == nil {
				rows.Close()
			}
			s.Close()
		}
	}
	rows, err := db.Query("fail")
	say("fail", err)
	if err == nil { // prepared statements do not fail
		rows.Close()
	}
	for _, o := range []*sql.TxOptions{nil, {ReadOnly: true}, {Isolation: sql.LevelSerializable}} {
		tx, err := db.BeginTx(ctx, o)
		say("begin", err)
		if err == nil {
			tx.Exec("in transaction")
			say("commit", tx.Commit())
		}
	}
	tx, err := db.Begin()
	say("begin", err)
	say("rollback", tx.Rollback())
	ended, cancel := context.WithCancel(ctx)
	tx, err = db.BeginTx(ended, nil)
	say("begin", err)
	cancel()
	for !errors.Is(tx.Commit(), sql.ErrTxDone) { // now the context has ended it
		time.Sleep(time.Millisecond)
	}
	say("after a transaction that its context ended", db.QueryRow("query").Scan(new(int)))
	_, err = db.ExecContext(ended, "too late")
	say("ended", err)
	say("close", db.Close())
	return got
}

func TestADriverIsUsedAsWithoutZones(t *testing.T) {
	for _, shape := range shapes {
		t.Run(shape, func(t *testing.T) {
			bare, wrapped := &fake{shape: shape}, &fake{shape: shape}
			want := everything(sql.OpenDB(opener{bare, "name"}))
			got := everything(sql.OpenDB(WrapConnector(opener{wrapped, "name"}, Options{})))
			for i, w := range want {
				if i >= len(got) || got[i] != w {
					t.Fatalf("the program gets %q instead of %q, after %q", slices.Concat(got, []string{"nothing"})[i], w, want[max(0, i-2):i])
				}
			}
			for i, w := range bare.log {
				if i >= len(wrapped.log) || wrapped.log[i] != w {
					t.Fatalf("the driver is asked %q instead of %q, after %q", append(wrapped.log, "nothing")[i], w, bare.log[max(0, i-4):i])
				}
			}
			if len(wrapped.log) != len(bare.log) || len(got) != len(want) || len(want) < 50 {
				t.Errorf("%d calls of the driver instead of %d; %d results instead of %d", len(wrapped.log), len(bare.log), len(got), len(want))
			}
		})
	}
}

// calls returns how often the zones were called that were made after the first n.
func calls(n int) map[string]uint64 {
	s := strobe.TakeSnapshot()
	all := map[string]uint64{}
	for i, z := range s.Zones[n:] {
		if !z.Wait {
			continue
		}
		for _, l := range s.Lanes {
			for _, t := range l.Zones {
				if t.Zone == n+i {
					all[z.Name] += t.Calls
				}
			}
		}
	}
	return all
}

func TestEachQueryIsAWaitZone(t *testing.T) {
	for _, shape := range []string{"plain", "legacy", "full"} {
		before := len(strobe.TakeSnapshot().Zones)
		db := sql.OpenDB(WrapConnector(opener{&fake{shape: shape}, ""}, Options{Queries: 2}))
		for i := range 5 {
			db.Exec(fmt.Sprintf("UPDATE t SET a = %d WHERE b IN (%s)", i, strings.Repeat("1, ", i)+"1"))
			rows, err := db.Query("SELECT a FROM t")
			if err != nil {
				t.Fatal(err)
			}
			for rows.Next() {
			}
			if err := rows.Err(); err != nil {
				t.Error(err)
			}
			rows.Close()
			db.Exec(fmt.Sprintf("DROP TABLE t%d", i))
		}
		db.Close()
		got := calls(before)
		want := map[string]uint64{"UPDATE t SET a = ? WHERE b IN (?)": 5, "SELECT a FROM t": 5, "SELECT a FROM t (rows)": 5 * (4 + 1), "(other queries)": 5}
		for name, n := range want {
			if got[name] != n {
				t.Errorf("%s: %s has %d calls, want %d: %v", shape, name, got[name], n, got)
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %v", shape, got)
		}
	}
}

func TestRowsMayBeSampled(t *testing.T) {
	for _, sampling := range []int{-1, 1 << 20} {
		before := len(strobe.TakeSnapshot().Zones)
		db := sql.OpenDB(WrapConnector(opener{&fake{shape: "full"}, ""}, Options{RowSampling: sampling}))
		for range 100 {
			if err := db.QueryRow("SELECT sampled").Scan(new(int)); err != nil {
				t.Fatal(err)
			}
		}
		db.Close()
		n := calls(before)["SELECT sampled (rows)"]
		if sampling < 0 && n != 0 || sampling > 0 && n != 200 { // Next and Close
			t.Errorf("one in %d: %d calls", sampling, n)
		}
	}
}

func TestTheFormsOfAWrapper(t *testing.T) {
	count := func(open func(d driver.Driver) (*sql.DB, error)) {
		t.Helper()
		f := &fake{shape: "full"}
		before := len(strobe.TakeSnapshot().Zones)
		db, err := open(f)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.Exec("SELECT 'form'"); err != nil {
			t.Fatal(err)
		}
		if got := calls(before); got["SELECT ?"] != 1 {
			t.Errorf("%v", got)
		}
		if db.Driver() != driver.Driver(f) {
			t.Errorf("the driver is a %T", db.Driver())
		}
		c, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.Raw(func(c any) error {
			if _, ok := c.(interface{ Unwrap() driver.Conn }).Unwrap().(driver.SessionResetter); !ok {
				t.Error("the connection of the driver is not there")
			}
			return nil
		})
	}
	n := 0
	name := func() string { n++; return fmt.Sprintf("%s %d", t.Name(), n) }
	count(func(d driver.Driver) (*sql.DB, error) {
		name := name()
		sql.Register(name, Wrap(d, Options{}))
		return sql.Open(name, "x")
	})
	count(func(d driver.Driver) (*sql.DB, error) {
		name := name()
		sql.Register(name, d)
		return Open(name, "x", Options{})
	})
	count(func(d driver.Driver) (*sql.DB, error) {
		return sql.OpenDB(WrapConnector(opener{d, "x"}, Options{Name: func(string) string { return "SELECT ?" }})), nil
	})
	if _, err := Open("no such driver", "", Options{}); err == nil {
		t.Error("no error")
	}
	if c, err := Wrap(&fake{}, Options{}).Open("x"); err != nil || c.Close() != nil {
		t.Error(err)
	}
}

type closing struct {
	opener
	closed int
}

func (c *closing) Close() error { c.closed++; return io.ErrClosedPipe }

func TestTheConnectorIsClosed(t *testing.T) {
	c := &closing{}
	if err := sql.OpenDB(WrapConnector(c, Options{})).Close(); err != io.ErrClosedPipe || c.closed != 1 {
		t.Errorf("closed %d times: %v", c.closed, err)
	}
}
