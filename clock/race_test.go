// SPDX-License-Identifier: BSD-3-Clause

//go:build race

package clock

const raceEnabled = true
