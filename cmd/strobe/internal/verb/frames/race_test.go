// SPDX-License-Identifier: BSD-3-Clause

//go:build race

package frames

const raceEnabled = true
