// SPDX-License-Identifier: BSD-3-Clause

//go:build !race

package live

const raceEnabled = false
