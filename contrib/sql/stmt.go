// SPDX-License-Identifier: BSD-3-Clause

package strobesql

import (
	"context"
	"database/sql/driver"

	"github.com/strobe-go/strobe"
)

// A stmt is a prepared statement, without the method ColumnConverter, whose absence database/sql notices.
type stmt struct {
	driver.Stmt
	conn driver.Conn // of the driver
	zone statement
}

type convertingStmt struct {
	stmt
	converter columnConverter
}

// A columnConverter is a driver.ColumnConverter, which is deprecated, but is still called.
type columnConverter interface {
	ColumnConverter(i int) driver.ValueConverter
}

// ColumnConverter is what makes the difference.
func (s convertingStmt) ColumnConverter(i int) driver.ValueConverter {
	return s.converter.ColumnConverter(i)
}

// stmt wraps a prepared statement.
func (c *conn) stmt(s driver.Stmt, query string) driver.Stmt {
	wrapped := stmt{s, c.Conn, c.queries.statement(query)}
	if converter, ok := s.(columnConverter); ok {
		return convertingStmt{wrapped, converter}
	}
	return wrapped
}

func (s stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	defer strobe.TaskFromContext(ctx).Enter(s.zone.query).Exit()
	if x, ok := s.Stmt.(driver.StmtExecContext); ok {
		return x.ExecContext(ctx, args)
	}
	values, err := unnamed(ctx, args)
	if err != nil {
		return nil, err
	}
	return s.Stmt.Exec(values) //lint:ignore SA1019 database/sql calls it too
}

func (s stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	r, err := s.query(ctx, args)
	if err != nil {
		return r, err
	}
	return s.zone.wrap(ctx, r), nil
}

func (s stmt) query(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	defer strobe.TaskFromContext(ctx).Enter(s.zone.query).Exit()
	if x, ok := s.Stmt.(driver.StmtQueryContext); ok {
		return x.QueryContext(ctx, args)
	}
	values, err := unnamed(ctx, args)
	if err != nil {
		return nil, err
	}
	return s.Stmt.Query(values) //lint:ignore SA1019 database/sql calls it too
}

// CheckNamedValue asks the statement or else the connection, as database/sql does.
func (s stmt) CheckNamedValue(v *driver.NamedValue) error {
	if checker, ok := s.Stmt.(driver.NamedValueChecker); ok {
		return checker.CheckNamedValue(v)
	}
	if checker, ok := s.conn.(driver.NamedValueChecker); ok {
		return checker.CheckNamedValue(v)
	}
	return driver.ErrSkip
}
