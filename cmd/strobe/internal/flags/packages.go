// SPDX-License-Identifier: BSD-3-Clause

package flags

import (
	"slices"
	"strings"
)

// A Rest is what follows -- on a command line: flags for the go command.
type Rest struct{ args []string }

// TakeRest notes the arguments after --.
func (r *Rest) TakeRest(args []string) { r.args = args }

// Packages divides arguments into packages, ./... if there are none, and flags for the go command, which begin with a dash; the rest
// is added to them.
func (r *Rest) Packages(args []string) (packages, build []string) {
	packages, build = divide(args)
	return packages, append(slices.Clip(build), r.args...)
}

// divide divides arguments at a dash.
func divide(args []string) (packages, build []string) {
	for i, a := range args {
		if a == "--" {
			packages, build = args[:i], args[i+1:]
			break
		}
		if strings.HasPrefix(a, "-") {
			packages, build = args[:i], args[i:]
			break
		}
		packages = args[:i+1]
	}
	if len(packages) == 0 {
		packages = []string{"./..."}
	}
	return packages, build
}
