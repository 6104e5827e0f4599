// SPDX-License-Identifier: BSD-3-Clause

package session

import "runtime/debug"

// Version returns the version of the module that the binary was built from.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(unknown version)"
	}
	return info.Main.Version
}
