// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.27 && !strobe_off

package strobesql

import (
	"database/sql/driver"
	"io"
	"testing"

	"github.com/strobe-go/strobe"
)

type scannedRows struct {
	fakeRows
	asked int
}

func (r *scannedRows) NextRow() error { return io.EOF }

func (r *scannedRows) ScanColumn(driver.ScanContext, int, any) error { r.asked++; return nil }

func TestRowsThatScanColumnsStillDo(t *testing.T) {
	before := len(strobe.TakeSnapshot().Zones)
	s := newQueries(Options{}).statement("SELECT scanned")
	r := &scannedRows{fakeRows: fakeRows{fake: &fake{}}}
	scanner, ok := s.wrap(t.Context(), r).(driver.RowsColumnScanner)
	if !ok {
		t.Fatal("the method is missing")
	}
	if err := scanner.NextRow(); err != io.EOF {
		t.Error(err)
	}
	var ctx driver.ScanContext
	scanner.ScanColumn(ctx, 0, nil)
	if n := calls(before)["SELECT scanned (rows)"]; n != 1 || r.asked != 1 {
		t.Errorf("%d calls, asked %d times", n, r.asked)
	}
	if _, ok := s.wrap(t.Context(), &fakeRows{fake: &fake{}}).(driver.RowsColumnScanner); ok {
		t.Error("rows that do not scan columns seem to do it")
	}
}
