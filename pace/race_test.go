// SPDX-License-Identifier: BSD-3-Clause

//go:build race

package pace

// Under the race detector sync.Pool drops items at random.
const raceEnabled = true
