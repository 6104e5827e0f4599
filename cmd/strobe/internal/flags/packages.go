// SPDX-License-Identifier: BSD-3-Clause

package flags

import "strings"

// Packages divides arguments into packages, ./... if there are none, and flags for the go command, which begin with a dash or follow
// --.
func Packages(args []string) (packages, build []string) {
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
