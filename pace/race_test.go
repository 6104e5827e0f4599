// SPDX-License-Identifier: BSD-3-Clause

//go:build race

package pace

// The race detector makes sync.Pool forget things at random.
const raceEnabled = true
