// SPDX-License-Identifier: BSD-3-Clause

package strobesql

import (
	"context"
	"database/sql/driver"
	"errors"

	"github.com/strobe-go/strobe"
)

// A conn has what a connection can always have: an optional method that the driver's connection lacks does what database/sql would do
// without it. The others are in direct.go.
type conn struct {
	driver.Conn
	queries *queries
	spoiled bool // database/sql would not use it again
}

// conn wraps what a driver returned.
func (q *queries) conn(c driver.Conn, err error) (driver.Conn, error) {
	if err != nil {
		return c, err
	}
	return direct(&conn{Conn: c, queries: q}), nil
}

// Unwrap returns the connection of the driver, for sql.Conn.Raw.
func (c *conn) Unwrap() driver.Conn { return c.Conn }

func (c *conn) Prepare(query string) (driver.Stmt, error) {
	return c.PrepareContext(context.Background(), query)
}

func (c *conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	s, err := c.prepare(ctx, query)
	if err != nil {
		return s, err
	}
	return c.stmt(s, query), nil
}

func (c *conn) prepare(ctx context.Context, query string) (driver.Stmt, error) {
	defer strobe.TaskFromContext(ctx).Enter(zPrepare).Exit()
	if p, ok := c.Conn.(driver.ConnPrepareContext); ok {
		return p.PrepareContext(ctx, query)
	}
	s, err := c.Conn.Prepare(query)
	if err == nil && ctx.Err() != nil {
		s.Close()
		return nil, ctx.Err()
	}
	return s, err
}

func (c *conn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	t, err := c.begin(ctx, o)
	if err != nil {
		return t, err
	}
	return tx{t, c, ctx}, nil
}

func (c *conn) begin(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	defer strobe.TaskFromContext(ctx).Enter(zBegin).Exit()
	if b, ok := c.Conn.(driver.ConnBeginTx); ok {
		return b.BeginTx(ctx, o)
	}
	if o.Isolation != 0 {
		return nil, errors.New("sql: driver does not support non-default isolation level")
	}
	if o.ReadOnly {
		return nil, errors.New("sql: driver does not support read-only transactions")
	}
	t, err := c.Conn.Begin() //lint:ignore SA1019 database/sql calls it too
	if err == nil && ctx.Err() != nil {
		t.Rollback()
		return nil, ctx.Err()
	}
	return t, err
}

func (c *conn) Ping(ctx context.Context) error {
	p, ok := c.Conn.(driver.Pinger)
	if !ok {
		return nil
	}
	defer strobe.TaskFromContext(ctx).Enter(zPing).Exit()
	return p.Ping(ctx)
}

func (c *conn) CheckNamedValue(v *driver.NamedValue) error {
	if checker, ok := c.Conn.(driver.NamedValueChecker); ok {
		return checker.CheckNamedValue(v)
	}
	return driver.ErrSkip
}

func (c *conn) ResetSession(ctx context.Context) error {
	r, ok := c.Conn.(driver.SessionResetter)
	if !ok {
		return nil
	}
	defer strobe.TaskFromContext(ctx).Enter(zReset).Exit()
	return r.ResetSession(ctx)
}

func (c *conn) IsValid() bool {
	v, ok := c.Conn.(driver.Validator)
	return !c.spoiled && (!ok || v.IsValid())
}

// rolledBack notes the end of a transaction. If its context ended it, database/sql would close a connection that cannot be both reset
// and validated.
func (c *conn) rolledBack(ctx context.Context) {
	_, resets := c.Conn.(driver.SessionResetter)
	_, validates := c.Conn.(driver.Validator)
	c.spoiled = c.spoiled || ctx.Err() != nil && !(resets && validates)
}

type tx struct {
	driver.Tx
	conn *conn
	ctx  context.Context
}

func (t tx) Commit() error {
	defer strobe.TaskFromContext(t.ctx).Enter(zCommit).Exit()
	return t.Tx.Commit()
}

func (t tx) Rollback() error {
	defer t.conn.rolledBack(t.ctx)
	defer strobe.TaskFromContext(t.ctx).Enter(zRollback).Exit()
	return t.Tx.Rollback()
}
