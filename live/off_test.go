// SPDX-License-Identifier: BSD-3-Clause

//go:build strobe_off

package live

import (
	"slices"
	"strings"
	"testing"
)

func TestWithoutMeasuringThePageSaysThatThereIsNothingToSee(t *testing.T) {
	s := serve(t, Options{})
	c := watch(t, s, "")
	if h := until(c, "hello", always[hello]); h.Enabled || len(h.Zones) != 0 || h.Record != 0 {
		t.Errorf("%+v", h)
	}
	until(c, "state", func(m stateMessage) bool {
		return slices.ContainsFunc(m.Notes, func(n string) bool { return strings.Contains(n, "strobe_off") })
	})
	if a, text := request(t, s, "GET", "trace", ""); a.StatusCode != 400 {
		t.Errorf("%s: %s", a.Status, text)
	}
}
