// SPDX-License-Identifier: BSD-3-Clause

package counters

import (
	"strings"
	"testing"
)

func TestEveryEventIsHadOrHasAReason(t *testing.T) {
	events := Probe()
	if len(events) != 8 {
		t.Errorf("%d events", len(events))
	}
	seen := map[string]bool{}
	for _, e := range events {
		if e.Name == "" || seen[e.Name] {
			t.Errorf("name %q", e.Name)
		}
		seen[e.Name] = true
		if e.Err != nil && (e.UserOnly || e.Err.Error() == "" || strings.Contains(e.Err.Error(), "\n")) {
			t.Errorf("%+v", e)
		}
	}
}
