// SPDX-License-Identifier: BSD-3-Clause

package strobesql

import (
	"context"
	"database/sql/driver"
	"errors"

	"github.com/strobe-go/strobe"
)

// A connection that executes queries without preparing them is wrapped by one that does. database/sql notices the difference: without
// these methods it asks the statement, and not the connection, what arguments may be.
type (
	execer  struct{ c *conn }
	queryer struct{ c *conn }

	execConn struct {
		*conn
		execer
	}
	queryConn struct {
		*conn
		queryer
	}
	directConn struct {
		*conn
		execer
		queryer
	}
)

// direct returns c with the methods of these that the driver's connection has.
func direct(c *conn) driver.Conn {
	_, execs := c.Conn.(driver.ExecerContext)
	if !execs {
		_, execs = c.Conn.(driver.Execer) //lint:ignore SA1019 database/sql calls it too
	}
	_, queries := c.Conn.(driver.QueryerContext)
	if !queries {
		_, queries = c.Conn.(driver.Queryer) //lint:ignore SA1019 database/sql calls it too
	}
	switch {
	case execs && queries:
		return directConn{c, execer{c}, queryer{c}}
	case execs:
		return execConn{c, execer{c}}
	case queries:
		return queryConn{c, queryer{c}}
	}
	return c
}

func (e execer) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	defer strobe.TaskFromContext(ctx).Enter(e.c.queries.statement(query).query).Exit()
	if x, ok := e.c.Conn.(driver.ExecerContext); ok {
		return x.ExecContext(ctx, query, args)
	}
	values, err := unnamed(ctx, args)
	if err != nil {
		return nil, err
	}
	return e.c.Conn.(driver.Execer).Exec(query, values) //lint:ignore SA1019 database/sql calls it too
}

func (q queryer) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	s := q.c.queries.statement(query)
	r, err := q.query(ctx, s, query, args)
	if err != nil {
		return r, err
	}
	return s.wrap(ctx, r), nil
}

func (q queryer) query(ctx context.Context, s statement, query string, args []driver.NamedValue) (driver.Rows, error) {
	defer strobe.TaskFromContext(ctx).Enter(s.query).Exit()
	if x, ok := q.c.Conn.(driver.QueryerContext); ok {
		return x.QueryContext(ctx, query, args)
	}
	values, err := unnamed(ctx, args)
	if err != nil {
		return nil, err
	}
	return q.c.Conn.(driver.Queryer).Query(query, values) //lint:ignore SA1019 database/sql calls it too
}

// unnamed returns arguments for drivers that know neither contexts nor names.
func unnamed(ctx context.Context, args []driver.NamedValue) ([]driver.Value, error) {
	values := make([]driver.Value, len(args))
	for i, a := range args {
		if a.Name != "" {
			return nil, errors.New("sql: driver does not support the use of Named Parameters")
		}
		values[i] = a.Value
	}
	return values, ctx.Err()
}
