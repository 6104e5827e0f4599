// SPDX-License-Identifier: BSD-3-Clause

package stat_test

import (
	"fmt"

	"github.com/strobe-go/strobe/stat"
)

func ExampleMoments() {
	var a, b stat.Moments
	a.Add(16_600_000) // nanoseconds
	a.Add(16_700_000)
	b.Add(16_650_000)
	b.Add(16_680_000)
	a.Merge(&b)
	fmt.Println(a.N(), a.Mean(), a.Min(), a.Max())
	fmt.Println(a.Interval(0.95).In(1e6, "ms"))
	// Output:
	// 4 1.66575e+07 16600000 16700000
	// 16.66 ± 0.07 ms
}

func ExampleInterval() {
	var runs stat.Moments
	for _, ns := range []int64{1_718_000, 1_702_000, 1_731_000, 1_709_000, 1_722_000} {
		runs.Add(ns)
	}
	iv := runs.Interval(0.99)
	fmt.Println(iv.In(1e3, "µs"), "by", iv.Method, "from", iv.N, "runs")
	// Output: 1716 ± 23 µs by Student t from 5 runs
}
