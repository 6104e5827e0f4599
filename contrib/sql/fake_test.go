// SPDX-License-Identifier: BSD-3-Clause

package strobesql

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"reflect"
	"sync"
)

// A fake is a driver that notes what is called. Its connections have the optional methods that its shape names.
type fake struct {
	shape string

	mu  sync.Mutex
	log []string
}

func (f *fake) note(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.log = append(f.log, fmt.Sprintf(format, args...))
}

var shapes = []string{"plain", "legacy", "contexts", "full", "exec alone", "query alone", "statement checks", "validates", "resets"}

func (f *fake) Open(name string) (driver.Conn, error) {
	f.note("open %s", name)
	c := &fakeConn{f}
	m := modern{c}
	switch f.shape {
	case "legacy":
		return struct {
			*fakeConn
			legacy
		}{c, legacy{c}}, nil
	case "contexts":
		return struct {
			*fakeConn
			modern
			execs
			queries2
		}{c, m, execs{c}, queries2{c}}, nil
	case "full":
		return struct {
			*fakeConn
			modern
			execs
			queries2
			resets
			validates
		}{c, m, execs{c}, queries2{c}, resets{c}, validates{c}}, nil
	case "exec alone":
		return struct {
			*fakeConn
			execs
		}{c, execs{c}}, nil
	case "query alone":
		return struct {
			*fakeConn
			queries2
		}{c, queries2{c}}, nil
	case "validates":
		return struct {
			*fakeConn
			validates
		}{c, validates{c}}, nil
	case "resets":
		return struct {
			*fakeConn
			resets
		}{c, resets{c}}, nil
	}
	return c, nil
}

type fakeConn struct{ *fake }

func (c *fakeConn) Prepare(query string) (driver.Stmt, error) {
	c.note("prepare %s", query)
	s := &fakeStmt{c.fake}
	switch c.shape {
	case "legacy":
		return struct {
			*fakeStmt
			converts
		}{s, converts{s}}, nil
	case "contexts", "full":
		return struct {
			*fakeStmt
			modernStmt
		}{s, modernStmt{s}}, nil
	case "statement checks", "exec alone", "query alone":
		return struct {
			*fakeStmt
			checks
		}{s, checks{c.fake, "statement"}}, nil
	}
	return s, nil
}

func (c *fakeConn) Close() error { c.note("close connection"); return nil }

func (c *fakeConn) Begin() (driver.Tx, error) { c.note("begin"); return fakeTx{c.fake}, nil }

type fakeTx struct{ *fake }

func (t fakeTx) Commit() error   { t.note("commit"); return nil }
func (t fakeTx) Rollback() error { t.note("rollback"); return nil }

type legacy struct{ c *fakeConn }

func (l legacy) Exec(query string, args []driver.Value) (driver.Result, error) {
	l.c.note("legacy exec %s %v", query, args)
	if query == "skip" {
		return nil, driver.ErrSkip
	}
	return driver.RowsAffected(1), nil
}

func (l legacy) Query(query string, args []driver.Value) (driver.Rows, error) {
	l.c.note("legacy query %s %v", query, args)
	return l.c.rows(query)
}

type modern struct{ c *fakeConn }

func (m modern) PrepareContext(_ context.Context, query string) (driver.Stmt, error) {
	return m.c.Prepare("with context: " + query)
}

func (m modern) BeginTx(_ context.Context, o driver.TxOptions) (driver.Tx, error) {
	m.c.note("begin tx %+v", o)
	return fakeTx{m.c.fake}, nil
}

func (m modern) Ping(context.Context) error { m.c.note("ping"); return errors.New("ping refused") }

func (m modern) CheckNamedValue(v *driver.NamedValue) error {
	return checks{m.c.fake, "connection"}.CheckNamedValue(v)
}

type execs struct{ c *fakeConn }

func (e execs) ExecContext(_ context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	e.c.note("exec %s %v", query, args)
	if query == "skip" {
		return nil, driver.ErrSkip
	}
	return driver.RowsAffected(1), nil
}

type queries2 struct{ c *fakeConn }

func (q queries2) QueryContext(_ context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	q.c.note("query %s %v", query, args)
	return q.c.rows(query)
}

type resets struct{ c *fakeConn }

func (r resets) ResetSession(context.Context) error { r.c.note("reset"); return nil }

type validates struct{ c *fakeConn }

func (v validates) IsValid() bool { v.c.note("valid?"); return true }

type fakeStmt struct{ *fake }

func (s *fakeStmt) Close() error  { s.note("close statement"); return nil }
func (s *fakeStmt) NumInput() int { return -1 }

func (s *fakeStmt) Exec(args []driver.Value) (driver.Result, error) {
	s.note("statement exec %v", args)
	return driver.RowsAffected(2), nil
}

func (s *fakeStmt) Query(args []driver.Value) (driver.Rows, error) {
	s.note("statement query %v", args)
	return s.rows("statement")
}

type modernStmt struct{ s *fakeStmt }

func (m modernStmt) ExecContext(_ context.Context, args []driver.NamedValue) (driver.Result, error) {
	m.s.note("statement exec with context %v", args)
	return driver.RowsAffected(2), nil
}

func (m modernStmt) QueryContext(_ context.Context, args []driver.NamedValue) (driver.Rows, error) {
	m.s.note("statement query with context %v", args)
	return m.s.rows("statement")
}

// odd is a type of argument that only drivers know that check arguments.
type odd struct{ X int }

type checks struct {
	*fake
	who string
}

func (c checks) CheckNamedValue(v *driver.NamedValue) error {
	c.note("%s checks %v", c.who, v.Value)
	if o, ok := v.Value.(odd); ok {
		v.Value = int64(o.X)
		return nil
	}
	return driver.ErrSkip
}

type converts struct{ s *fakeStmt }

func (c converts) ColumnConverter(i int) driver.ValueConverter {
	c.s.note("converter of %d", i)
	return driver.String
}

// rows returns three rows, and more result sets of those drivers that have them.
func (f *fake) rows(query string) (driver.Rows, error) {
	if query == "fail" {
		return nil, errors.New("the query failed")
	}
	r := &fakeRows{fake: f}
	if f.shape == "full" {
		return &setsOfRows{fakeRows: r}, nil
	}
	return r, nil
}

type fakeRows struct {
	*fake
	n int
}

func (r *fakeRows) Columns() []string { return []string{"a"} }
func (r *fakeRows) Close() error      { r.note("close rows"); return nil }

func (r *fakeRows) Next(row []driver.Value) error {
	if r.n++; r.n > 3 {
		return io.EOF
	}
	row[0] = int64(r.n)
	return nil
}

type setsOfRows struct {
	*fakeRows
	sets int
}

func (r *setsOfRows) HasNextResultSet() bool { return r.sets < 2 }
func (r *setsOfRows) NextResultSet() error {
	if r.sets++; r.sets > 2 {
		return io.EOF
	}
	r.n = 0
	return nil
}
func (r *setsOfRows) ColumnTypeScanType(int) reflect.Type                { return reflect.TypeFor[int64]() }
func (r *setsOfRows) ColumnTypeDatabaseTypeName(int) string              { return "BIGINT" }
func (r *setsOfRows) ColumnTypeLength(int) (int64, bool)                 { return 8, true }
func (r *setsOfRows) ColumnTypeNullable(int) (nullable, ok bool)         { return true, true }
func (r *setsOfRows) ColumnTypePrecisionScale(int) (p, s int64, ok bool) { return 18, 2, true }
