// SPDX-License-Identifier: BSD-3-Clause

//go:build !race

package gate

const raceEnabled = false
