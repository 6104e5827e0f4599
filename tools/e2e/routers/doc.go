// SPDX-License-Identifier: BSD-3-Clause

// Package routers tests strobehttp with routers, by the code that docs/servers.md shows.
package routers
