// SPDX-License-Identifier: BSD-3-Clause

//go:build !unix

package pressure

import "runtime"

// stops counts nothing: this system has no SIGCONT.
type stops struct{}

func (*stops) open(refuse refuse) {
	refuse(runtime.GOOS+" does not tell a process that it was stopped", "", Continued)
}

func (*stops) read(*Reading) {}
func (*stops) close()        {}
