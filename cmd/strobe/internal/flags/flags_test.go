// SPDX-License-Identifier: BSD-3-Clause

package flags

import (
	"strings"
	"testing"
)

func TestALevelIsTakenAsItIsOrRefused(t *testing.T) {
	for text, want := range map[string]Level{"0.95": 0.95, "95%": 0.95, "30 %": 0.3, "0.5": 0.5, "1e-9": 1e-9} {
		var l Level
		if err := l.UnmarshalText([]byte(text)); err != nil || l != want {
			t.Errorf("%q: %v, %v", text, l, err)
		}
	}
	for _, text := range []string{"0", "0%", "1e-20", "1", "100%", "95", "-0.5", "NaN", "", "%"} {
		var l Level
		if err := l.UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), "such as 0.95 or 95%") || l != 0 {
			t.Errorf("%q: %v, %v", text, l, err)
		}
	}
}

func TestAGateNeedsALevelAboveAHalf(t *testing.T) {
	for l, ok := range map[Level]bool{0.3: false, 0.5: false, 0.500001: true, 0.99: true} {
		if err := l.ForGate(); (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "needs a level above 50%") {
			t.Errorf("%v: %v", l, err)
		}
	}
}
