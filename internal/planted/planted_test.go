// SPDX-License-Identifier: BSD-3-Clause

package planted

import (
	"testing"
	"time"
)

func TestEachFaultTakesAsLongAsItWasAskedTo(t *testing.T) {
	names := map[string]bool{}
	for _, f := range Faults() {
		if names[f.Name] || len(f.Causes) == 0 || f.At != "" && f.At[0] != '.' {
			t.Errorf("%+v", f)
		}
		names[f.Name] = true
		t.Run(f.Name, func(t *testing.T) {
			plant := f.Prepare(t)
			for _, d := range []time.Duration{5 * time.Millisecond, 30 * time.Millisecond} {
				start := time.Now()
				plant(d)
				if took := time.Since(start); took < d*9/10 {
					t.Errorf("%v instead of %v", took, d)
				} else {
					t.Logf("%v for %v", took, d)
				}
			}
		})
	}
}
