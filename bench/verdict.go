// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// judge returns the verdict on the interval of a ratio.
func judge(ratio stat.Interval, within float64) decide.Verdict {
	switch {
	case ratio.Level == 0:
		return decide.Inconclusive
	case within > 0 && ratio.Lo >= 1/(1+within) && ratio.Hi <= 1+within:
		return decide.Same
	case ratio.Hi < 1:
		return decide.Faster
	case ratio.Lo > 1:
		return decide.Slower
	}
	return decide.Inconclusive
}
