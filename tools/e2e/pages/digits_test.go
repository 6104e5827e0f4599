// SPDX-License-Identifier: BSD-3-Clause

package pages

import (
	"regexp"
	"strings"
	"testing"
)

// uncertain matches a number with its uncertainty or its bounds, as pages show it.
var uncertain = regexp.MustCompile(`([+\-−]?\d+(?:\.\d+)?)(?: [\p{L}%/]+)?\s*(?:± (\d+(?:\.\d+)?)|\[([+\-−]?\d+(?:\.\d+)?), ([+\-−]?\d+(?:\.\d+)?)\])`)

// decimals returns the number of digits after the point.
func decimals(number string) int {
	_, fraction, _ := strings.Cut(number, ".")
	return len(fraction)
}

// digitsFollowUncertainty checks that no number of a page with an uncertainty has more digits than that.
func digitsFollowUncertainty(t *testing.T, p *page, least int) {
	t.Helper()
	found := uncertain.FindAllStringSubmatch(eval[string](t, p, `[...document.querySelectorAll("svg text")].reduce((s, e) => s + e.textContent + "\n", document.body.innerText)`), -1)
	for _, m := range found {
		finest := 0
		for _, n := range m[2:] {
			if n != "" {
				finest = max(finest, decimals(n))
			}
		}
		if decimals(m[1]) > finest {
			t.Errorf("more digits than are known: %q", m[0])
		}
	}
	if len(found) < least {
		t.Errorf("%d numbers with an uncertainty, want at least %d", len(found), least)
	}
}
