// SPDX-License-Identifier: BSD-3-Clause

//go:build !go1.27

package strobesql

import "database/sql/driver"

// scanning returns r: before Go 1.27 all rows are read with Next.
func scanning(r *rows) driver.Rows { return r }
