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

func ExampleBatchMeans() {
	var ticks stat.BatchMeans
	for i := range int64(10_000) { // nanoseconds; each tick resembles the one before
		ticks.Add(16_700_000 + i*i%9973*100 + i/50%7*40_000)
	}
	iv := ticks.Interval(0.95)
	m := ticks.Moments()
	fmt.Println(iv.In(1e6, "ms"), "by", iv.Method)
	fmt.Println(m.Interval(0.95).In(1e6, "ms"), "if ticks were independent")
	// Output:
	// 17.316 ± 0.017 ms by batch means
	// 17.316 ± 0.006 ms if ticks were independent
}

func ExampleHistogram() {
	var h stat.Histogram
	for i := range int64(1000) {
		h.Record(1_000_000 + i*1000) // nanoseconds
	}
	fmt.Println(h.N(), h.Quantile(0.5), h.Quantile(0.99), h.Max())
	fmt.Println(h.CountBelow(1_500_000))
	// Output:
	// 1000 1495039 1986559 1999000
	// 500
}

func ExampleBatchMeans_Scale() {
	var b stat.BatchMeans
	b.Add(12) // ms
	b.Add(14)
	b.Scale(1000) // the samples to come are in µs
	b.Add(12_500)
	m := b.Moments()
	fmt.Println(m.N(), m.Min(), m.Max())
	// Output: 3 12000 14000
}

func ExampleCompare() {
	old := []float64{1726, 1723, 1707, 1707, 1713, 1729} // ns per operation, one per run
	new := []float64{1423, 1416, 1411, 1413, 1412, 1426}
	c := stat.Compare(old, new, 0.95)
	fmt.Printf("%s: %s times as long, p=%.3f\n", c.Finding, c.Ratio, c.P)
	same := stat.Compare(old, old, 0.95)
	fmt.Println(same.Finding)
	// Output:
	// lower: 0.825 [0.819, 0.831] times as long, p=0.002
	// no difference shown
}
