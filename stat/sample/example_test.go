// SPDX-License-Identifier: BSD-3-Clause

package sample_test

import (
	"fmt"
	"slices"

	"github.com/strobe-go/strobe/stat/sample"
)

func ExampleMean() {
	runs := []float64{12.31, 12.38, 12.35, 12.33, 12.36} // ms
	fmt.Println(sample.Mean(runs, 0.95, sample.StudentT).In(1, "ms"))
	// Output: 12.346 ± 0.034 ms
}

func ExampleBootstrap() {
	frames := make([]float64, 600) // ms, a slow one every second
	for i := range frames {
		frames[i] = 16 + float64(i*7%10)/10
		if i%60 == 59 {
			frames[i] = 30 + float64(i%7)
		}
	}
	p99 := func(x []float64) float64 {
		slices.Sort(x)
		return sample.Quantile(x, 0.99)
	}
	iv := sample.Bootstrap(frames, p99, sample.BootstrapOptions{})
	fmt.Println(iv.Center, iv.Lo <= iv.Center, iv.Method)
	// Output: 32.00999999999999 true stationary bootstrap
}

func ExampleMoments() {
	var m sample.Moments
	for _, x := range []float64{1.5, 2.5, 3.5} {
		m.Add(x)
	}
	fmt.Println(m.N(), m.Mean(), m.StdDev())
	// Output: 3 2.5 1
}
