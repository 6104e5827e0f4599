// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux && !darwin && !freebsd && !netbsd && !openbsd && !windows

package host

import "runtime"

func (*Machine) ask() {}

func systemFacts(string) []Fact {
	return []Fact{{Name: "system", Reason: "strobe does not know what describes " + runtime.GOOS}}
}
