// SPDX-License-Identifier: BSD-3-Clause

//go:build !race

package stat

const raceEnabled = false
