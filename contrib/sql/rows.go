// SPDX-License-Identifier: BSD-3-Clause

package strobesql

import (
	"context"
	"database/sql/driver"
	"io"
	"reflect"

	"github.com/strobe-go/strobe"
)

// rows have all optional methods. Those that the driver's rows lack return what database/sql assumes then.
type rows struct {
	driver.Rows
	zone *strobe.Zone
	task strobe.Task
}

func (s statement) wrap(ctx context.Context, r driver.Rows) driver.Rows {
	return scanning(&rows{r, s.rows, strobe.TaskFromContext(ctx)})
}

func (r *rows) Next(row []driver.Value) error {
	defer r.task.Enter(r.zone).Exit()
	return r.Rows.Next(row)
}

func (r *rows) Close() error {
	defer r.task.Enter(r.zone).Exit()
	return r.Rows.Close()
}

func (r *rows) HasNextResultSet() bool {
	n, ok := r.Rows.(driver.RowsNextResultSet)
	return ok && n.HasNextResultSet()
}

func (r *rows) NextResultSet() error {
	n, ok := r.Rows.(driver.RowsNextResultSet)
	if !ok {
		return io.EOF
	}
	defer r.task.Enter(r.zone).Exit()
	return n.NextResultSet()
}

func (r *rows) ColumnTypeScanType(i int) reflect.Type {
	if c, ok := r.Rows.(driver.RowsColumnTypeScanType); ok {
		return c.ColumnTypeScanType(i)
	}
	return reflect.TypeFor[any]()
}

func (r *rows) ColumnTypeDatabaseTypeName(i int) string {
	if c, ok := r.Rows.(driver.RowsColumnTypeDatabaseTypeName); ok {
		return c.ColumnTypeDatabaseTypeName(i)
	}
	return ""
}

func (r *rows) ColumnTypeLength(i int) (int64, bool) {
	if c, ok := r.Rows.(driver.RowsColumnTypeLength); ok {
		return c.ColumnTypeLength(i)
	}
	return 0, false
}

func (r *rows) ColumnTypeNullable(i int) (nullable, ok bool) {
	if c, ok := r.Rows.(driver.RowsColumnTypeNullable); ok {
		return c.ColumnTypeNullable(i)
	}
	return false, false
}

func (r *rows) ColumnTypePrecisionScale(i int) (precision, scale int64, ok bool) {
	if c, ok := r.Rows.(driver.RowsColumnTypePrecisionScale); ok {
		return c.ColumnTypePrecisionScale(i)
	}
	return 0, 0, false
}
