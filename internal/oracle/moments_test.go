// SPDX-License-Identifier: BSD-3-Clause

package oracle

import (
	"math"
	"testing"

	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/sample"
	gonum "gonum.org/v1/gonum/stat"
)

func TestMomentsAgreeWithGonum(t *testing.T) {
	var exact stat.Moments
	var floats sample.Moments
	var x []float64
	for _, v := range frameTimes(10000) {
		exact.Add(v)
		floats.Add(float64(v))
		x = append(x, float64(v))
	}
	mean, sd := gonum.MeanStdDev(x, nil)
	n := float64(len(x))
	for name, pair := range map[string][2]float64{
		"mean": {exact.Mean(), mean}, "standard deviation": {exact.StdDev(), sd},
		"mean of floats": {floats.Mean(), mean}, "standard deviation of floats": {floats.StdDev(), sd},
		// gonum corrects both for small samples
		"skewness": {floats.Skewness() * math.Sqrt(n*(n-1)) / (n - 2), gonum.Skew(x, nil)},
		"kurtosis": {(n - 1) / ((n - 2) * (n - 3)) * ((n+1)*floats.Kurtosis() + 6), gonum.ExKurtosis(x, nil)},
	} {
		if math.Abs(pair[0]/pair[1]-1) > 1e-9 {
			t.Errorf("%s: %v, gonum %v", name, pair[0], pair[1])
		}
	}
}
