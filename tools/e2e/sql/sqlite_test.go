// SPDX-License-Identifier: BSD-3-Clause

//go:build long

package sql

import (
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite" // takes longer to compile than all of the library
)

func TestSQLite(t *testing.T) {
	measured(t, "sqlite", "file:"+filepath.Join(t.TempDir(), "db"))
}
