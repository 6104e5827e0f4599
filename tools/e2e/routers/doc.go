// SPDX-License-Identifier: BSD-3-Clause

// Package routers tests strobehttp with routers, by the code that docs/servers.md shows. With the build tag long, which ./check long
// sets, it has those that take long to compile.
package routers
