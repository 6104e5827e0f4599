// SPDX-License-Identifier: BSD-3-Clause

//go:build !race

package strobe

const raceEnabled = false
