// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.27

package strobesql

import "database/sql/driver"

// scanningRows are read with NextRow instead of Next.
type scanningRows struct {
	*rows
	scanner driver.RowsColumnScanner
}

// scanning returns r, with the methods that scan columns if the driver's rows have them.
func scanning(r *rows) driver.Rows {
	if s, ok := r.Rows.(driver.RowsColumnScanner); ok {
		return scanningRows{r, s}
	}
	return r
}

func (r scanningRows) NextRow() error {
	defer r.task.Enter(r.zone).Exit()
	return r.scanner.NextRow()
}

func (r scanningRows) ScanColumn(ctx driver.ScanContext, i int, dest any) error {
	return r.scanner.ScanColumn(ctx, i, dest)
}
