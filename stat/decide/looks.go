// SPDX-License-Identifier: BSD-3-Clause

package decide

// Final is the share of the error that the last analysis of a series may use.
const Final = 0.5

// Interim returns the share of the error that the k-th interim analysis may use, from 0. The shares of all of them, however many
// there are, and Final add up to at most 1. A share belongs to its analysis, whatever the result of the earlier ones was, so any
// rule may say when to stop.
func Interim(k int) float64 { return (1 - Final) / (float64(k+1) * float64(k+2)) }

// Spent returns the share of the error that all interim analyses together may have used when a share of the final information is
// there: early ones, which rarely decide, get little. A share above 1 counts as 1, one below 0 as 0.
//
// Source: K. Kim and D. L. DeMets, "Design and analysis of group sequential tests based on the type I error spending rate
// function", Biometrika 74 (1987).
func Spent(information float64) float64 {
	information = max(0, min(information, 1))
	return (1 - Final) * information * information
}
