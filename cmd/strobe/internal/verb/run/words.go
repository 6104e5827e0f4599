// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"fmt"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
)

// mostNamed is how many functions a sentence names.
const mostNamed = 3

func more(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf("; and %d more", n)
}

// limit returns the first rows of a table; fewer than 0 is no limit.
func limit[T any](all []T, rows int) []T {
	if rows < 0 {
		return all
	}
	return all[:min(rows, len(all))]
}

// percent writes a share with as many digits as a reader needs.
func percent(share float64) string { return layout.Fixed(100*share, 1) + " %" }
