// SPDX-License-Identifier: BSD-3-Clause

package neighbour

import (
	_ "embed"
	"strings"
)

//go:embed spin.go
var spinFile string

// Source returns the file that defines Spin, for a package of the given name: so that a program that is measured from outside can
// spin between its calls, and print how long that took. It imports package time alone.
func Source(pkg string) string {
	return strings.Replace(spinFile, "package neighbour", "package "+pkg, 1)
}
