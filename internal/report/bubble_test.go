// SPDX-License-Identifier: BSD-3-Clause

//go:build go1.25

package report

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/strobe-go/strobe/profile"
)

// In a bubble ticks are exactly on time.
func TestAReportRestsOnSixteenSlices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slices, reports := 0, 0
		reads := Readers{
			Slices:  func() profile.Snapshot { slices++; return zoneOf(10, 10, 100) },
			Reports: func() profile.Snapshot { reports++; s := zoneOf(160, 160, 1600); s.Elapsed = time.Second; return s },
		}
		var made []*Report
		r := Start(Options{}, reads, func(r *Report) { made = append(made, r) })
		time.Sleep(3*time.Second + 10*time.Millisecond)
		synctest.Wait()
		if len(made) != 3 || reports != 3 || slices != 3*slicesPerReport {
			t.Errorf("%d reports of %d slices in three seconds", len(made), slices)
		}
		r.Stop()
		for i, r := range made[:3] {
			if n := r.Rows[0].Mean.NEff; n != slicesPerReport {
				t.Errorf("the interval of report %d rests on %v slices", i, n)
			}
		}
		if len(made) != 4 || made[0].Rows[0].Mean.NEff != slicesPerReport || made[0].Rows[0].Mean.Level != 0.95 {
			t.Errorf("%d reports, %+v", len(made), made[0].Rows[0].Mean)
		}
	})
}

// A program that takes long to read is read less often, but if possible often enough for intervals.
func TestAProgramThatTakesLongToReadIsReadLessOften(t *testing.T) {
	for took, slices := range map[time.Duration]struct{ least, most int }{
		6 * time.Millisecond: {5, 6}, 50 * time.Millisecond: {2, 3}} {
		synctest.Test(t, func(t *testing.T) {
			n := 0
			var made []*Report
			r := Start(Options{}, Readers{
				Slices:  func() profile.Snapshot { n++; time.Sleep(took); return zoneOf(10, 10, 100) },
				Reports: func() profile.Snapshot { s := zoneOf(160, 160, 1600); s.Elapsed = time.Second; return s },
			}, func(r *Report) { made = append(made, r) })
			time.Sleep(10500 * time.Millisecond)
			synctest.Wait()
			if reports := len(made); reports != 10 || n > 11*slices.most || n < 10*slices.least {
				t.Errorf("a slice takes %v: %d slices in %d reports", took, n, reports)
			}
			last := made[len(made)-1]
			if has := last.Rows[0].Mean.Level > 0; has != (len(last.Warnings) == 0) {
				t.Errorf("a slice takes %v: interval %v, warnings %q", took, has, last.Warnings)
			}
			r.Stop()
		})
	}
}
