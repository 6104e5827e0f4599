// SPDX-License-Identifier: BSD-3-Clause

package oracle

import (
	"math"
	"testing"

	gonum "gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/dist"
	"github.com/strobe-go/strobe/stat/sample"
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
		// gonum corrects both values for small samples
		"skewness": {floats.Skewness() * math.Sqrt(n*(n-1)) / (n - 2), gonum.Skew(x, nil)},
		"kurtosis": {(n - 1) / ((n - 2) * (n - 3)) * ((n+1)*floats.Kurtosis() + 6), gonum.ExKurtosis(x, nil)},
	} {
		if math.Abs(pair[0]/pair[1]-1) > 1e-9 {
			t.Errorf("%s: %v, gonum %v", name, pair[0], pair[1])
		}
	}
}

// gonum is accurate to ten digits here, but not beyond a few thousand degrees of freedom.
func TestStudentAgreesWithGonumWhereThatIsRight(t *testing.T) {
	for _, nu := range []float64{1, 2, 3.5, 4, 10, 29, 99, 250} {
		g := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: nu}
		for _, q := range []float64{0.4, 0.1, 0.025, 0.005, 0.0005} {
			if got, want := dist.StudentUpper(q, nu), -g.Quantile(q); math.Abs(got/want-1) > 1e-10 {
				t.Errorf("nu %v, q %v: %v, gonum %v", nu, q, got, want)
			}
		}
		for _, x := range []float64{0.1, 1, 3, 12} {
			if got, want := dist.StudentTail(x, nu), g.Survival(x); math.Abs(got/want-1) > 1e-10 {
				t.Errorf("nu %v, tail at %v: %v, gonum %v", nu, x, got, want)
			}
		}
	}
}

func TestNormalAgreesWithGonum(t *testing.T) {
	for _, q := range []float64{0.49, 0.25, 0.1, 0.025, 1e-4, 1e-8} {
		if got, want := dist.NormalUpper(q), -distuv.UnitNormal.Quantile(q); math.Abs(got/want-1) > 1e-12 {
			t.Errorf("q %v: %v, gonum %v", q, got, want)
		}
	}
}
