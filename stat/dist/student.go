// SPDX-License-Identifier: BSD-3-Clause

package dist

import "math"

// StudentTail returns P(T > t) for Student's t with nu degrees of freedom. The degrees of freedom are positive and need
// not be whole; infinity gives the normal distribution. A t that is NaN gives 0.5. A nu that is NaN or not positive counts
// as 0.001, which leaves nearly all probability beyond any finite t.
func StudentTail(t, nu float64) float64 {
	switch {
	case math.IsNaN(t) || t == 0:
		return 0.5
	case t < 0:
		return 1 - StudentTail(-t, nu)
	case math.IsInf(t, 1):
		return 0
	case nu >= endless:
		return NormalTail(t)
	}
	nu, t = usable(nu), min(t, 1e300)
	if t < middle {
		return 0.5 - studentHalf(t, nu)
	}
	return studentTail(t, nu)
}

// StudentUpper returns the t with P(T > t) = q for Student's t with nu degrees of freedom, as [StudentTail] takes them.
// The two-sided interval at level c needs StudentUpper((1-c)/2, nu). q <= 0 and q >= 1 are treated as by [NormalUpper];
// a result beyond the largest float64 is cut off there.
func StudentUpper(q, nu float64) float64 {
	switch {
	case q > 0.5:
		return -StudentUpper(1-q, nu)
	case q == 0.5 || math.IsNaN(q):
		return 0
	case nu >= endless:
		return NormalUpper(q)
	}
	nu = usable(nu)
	q = max(q, tiny)
	z := NormalUpper(q) * (8*nu + 3) / (8*nu + 1)
	s := min(math.Log(nu)/2+logExpm1(z*z/nu)/2, 700) // s = log t: for few degrees of freedom the tail is a power of t
	probability, want := studentTail, q
	if q > 0.25 {
		probability, want = studentHalf, 0.5-q
	}
	for range 200 {
		t := math.Exp(s)
		p := probability(t, nu)
		if p == 0 { // far beyond: come back half the way
			s /= 2
			continue
		}
		step := p / densityTimes(t, nu) * math.Log(p/want)
		if q > 0.25 {
			step = -step
		}
		step = max(-3, min(3, step))
		if s += step; s > 709 {
			return math.MaxFloat64
		}
		if math.Abs(step) < 4e-16*max(1, math.Abs(s)) {
			break
		}
	}
	return math.Exp(s)
}

const (
	endless = 1e15 // degrees of freedom that give the normal distribution to the last bit
	middle  = 1.5  // below: series for the half-interval; above: continued fraction for the tail
)

func usable(nu float64) float64 {
	if !(nu > 1e-3) {
		return 1e-3
	}
	return nu
}

func logExpm1(x float64) float64 {
	if x > 40 {
		return x
	}
	return math.Log(math.Expm1(x))
}

// densityTimes returns t·f(t) with the density f(t) = Γ((ν+1)/2) / (Γ(ν/2) √(νπ)) · (1+t²/ν)^(-(ν+1)/2). The product is
// representable far beyond the t where the density underflows.
func densityTimes(t, nu float64) float64 {
	scale := gammaRatio(nu/2) / math.Sqrt(nu*math.Pi)
	if root := math.Sqrt(nu); t > 1e9*root { // 1+t²/ν is t²/ν
		return scale * root * math.Pow(t/root, -nu)
	}
	return scale * t * math.Exp(-(nu+1)/2*math.Log1p(t*t/nu))
}

// studentHalf returns P(0 < T < t) as t·f(t)·Σ ((ν+1)/2)_k / (3/2)_k · (t²/(ν+t²))^k, all terms positive.
func studentHalf(t, nu float64) float64 {
	if t >= middle { // the series converges slowly, or not at all where t² is much more than ν
		return 0.5 - studentTail(t, nu)
	}
	a, z := (nu+1)/2, t*t/(nu+t*t)
	sum, term := 1.0, 1.0
	for k := 0.0; term > 1e-17*sum && k < 1e5; k++ {
		term *= (a + k) / (1.5 + k) * z
		sum += term
	}
	return densityTimes(t, nu) * sum
}

// studentTail returns P(T > t), t > 0, by the continued fraction of the incomplete beta function I_x(ν/2, 1/2),
// x = ν/(ν+t²), in its even part. Every partial denominator is rewritten with y = 1-x = t²/(ν+t²) so that the difference
// 1-x, of the order of 1/ν, is never formed: the textbook form keeps only seven digits at ν = 1e9.
func studentTail(t, nu float64) float64 {
	a, x, y := nu/2, 1/(1+t*t/nu), 1/(1+nu/(t*t))
	f := ((a+0.5)*y + 0.5) / (a + 1)
	c, d := f, 0.0
	for m := 1.0; m < 1e5; m++ { // modified Lentz; see DLMF 3.10(iii)
		am, a2m := a+m, a+2*m
		down := m * (m - 0.5) * x / ((a2m - 1) * a2m)
		alpha := (am - 1) * (am - 0.5) * x / ((a2m - 2) * (a2m - 1)) * down
		beta := (am*(am+0.5)*y+am*(2*m+0.5)+m*(m+1))/((a2m+1)*a2m) - down
		d = 1 / (beta - alpha*d)
		c = beta - alpha/c
		f *= c * d
		if math.Abs(c*d-1) < 2e-16 {
			break
		}
	}
	return densityTimes(t, nu) / nu / f
}

// gammaRatio returns Γ(a+1/2)/Γ(a). The logarithm of the ratio has an asymptotic series in odd powers of 1/a; small a
// are raised first by Γ(a+1) = aΓ(a).
func gammaRatio(a float64) float64 {
	scale := 1.0
	for ; a < 16; a++ {
		scale *= a / (a + 0.5)
	}
	r := 1 / (a * a)
	series := (-1./8 + r*(1./192+r*(-1./640+r*(17./14336+r*(-31./18432+r*691./180224))))) / a
	return scale * math.Sqrt(a) * math.Exp(series)
}
