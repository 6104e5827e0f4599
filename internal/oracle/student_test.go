// SPDX-License-Identifier: BSD-3-Clause

package oracle

import (
	"math"
	"testing"

	"github.com/strobe-go/strobe/stat/dist"
	"gonum.org/v1/gonum/stat/distuv"
)

// gonum is right to ten digits here, and not beyond a few thousand degrees of freedom.
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
