// SPDX-License-Identifier: BSD-3-Clause

// Part is a plugin with a zone of its own.
package main

import "github.com/strobe-go/strobe"

var zPart = strobe.NewZone("part")

// Work is called by the host.
func Work(f func()) {
	defer zPart.Enter().Exit()
	f()
}
