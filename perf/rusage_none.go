// SPDX-License-Identifier: BSD-3-Clause

//go:build !unix && !windows

package perf

// A usage counts nothing: this system has no getrusage.
type usage struct{}

func (*usage) open(Scope, []row) {}
func (*usage) read(*sample)      {}
