// SPDX-License-Identifier: BSD-3-Clause

//go:build !race

package bench

const raceEnabled = false
