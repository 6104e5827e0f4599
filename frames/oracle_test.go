// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"fmt"
	"math"
	"math/big"
	"slices"
)

// oracle computes the tools' figures independently and slowly, with exact fractions for PresentMon, CapFrameX and Afterburner and
// 24-bit floats for MangoHud. It shares no code with the package.
type oracle struct {
	up []*big.Rat // frame times, ascending
}

func newOracle(frames []float64) oracle {
	var o oracle
	for _, x := range frames {
		o.up = append(o.up, new(big.Rat).SetFloat64(x))
	}
	slices.SortFunc(o.up, func(a, b *big.Rat) int { return a.Cmp(b) })
	return o
}

func rat(a, b int64) *big.Rat { return big.NewRat(a, b) }

func mul(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
func add(a, b *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) }
func sub(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }

func fpsOf(time *big.Rat) *big.Rat { return new(big.Rat).Quo(rat(1000, 1), time) }

func floor(x *big.Rat) int {
	return int(new(big.Int).Div(x.Num(), x.Denom()).Int64())
}

// between interpolates between ascending values; the first has position 1.
func between(ascending []*big.Rat, h *big.Rat) *big.Rat {
	i := floor(h)
	switch {
	case i < 1:
		return ascending[0]
	case i >= len(ascending):
		return ascending[len(ascending)-1]
	}
	part := sub(h, rat(int64(i), 1))
	return add(ascending[i-1], mul(part, sub(ascending[i], ascending[i-1])))
}

func (o oracle) sum() *big.Rat {
	total := new(big.Rat)
	for _, x := range o.up {
		total.Add(total, x)
	}
	return total
}

func (o oracle) average() *big.Rat {
	return new(big.Rat).Quo(rat(1000*int64(len(o.up)), 1), o.sum())
}

// r7 is 1000 over the R-7 quantile of the frame times.
func (o oracle) r7(p *big.Rat) *big.Rat {
	n := int64(len(o.up))
	return fpsOf(between(o.up, add(rat(1, 1), mul(p, rat(n-1, 1)))))
}

func (o oracle) h8(p *big.Rat) *big.Rat {
	n := int64(len(o.up))
	return add(mul(rat(3*n+1, 3), p), rat(1, 3))
}

// r8 is the R-8 quantile of the frame rates.
func (o oracle) r8(p *big.Rat) *big.Rat {
	rates := make([]*big.Rat, 0, len(o.up))
	for i := len(o.up) - 1; i >= 0; i-- {
		rates = append(rates, fpsOf(o.up[i]))
	}
	return between(rates, o.h8(p))
}

func (o oracle) lowAverage(p *big.Rat) *big.Rat {
	bound := between(o.up, o.h8(sub(rat(1, 1), p)))
	total, count := new(big.Rat), int64(0)
	for _, x := range o.up {
		if x.Cmp(bound) >= 0 {
			total.Add(total, x)
			count++
		}
	}
	return fpsOf(mul(total, rat(1, count)))
}

func (o oracle) lowIntegral(p *big.Rat) *big.Rat {
	rest := mul(o.sum(), p)
	for i := len(o.up) - 1; ; i-- {
		if rest.Sub(rest, o.up[i]); rest.Sign() <= 0 || i == 0 {
			return fpsOf(o.up[i])
		}
	}
}

// oneDecimal rounds halves away from zero.
func oneDecimal(x *big.Rat) string { return x.FloatString(1) }

// sixDigits is %g of C.
func sixDigits(x *big.Rat) string {
	f, _ := x.Float64()
	return sixFloat(f)
}

func sixFloat(f float64) string {
	var v float64
	if _, err := fmt.Sscanf(fmt.Sprintf("%.5e", f), "%g", &v); err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%g", v)
}

func float24(x float64) *big.Float { return new(big.Float).SetPrec(24).SetFloat64(x) }

// mango is fpsMetrics::calculate in 24-bit arithmetic.
func (o oracle) mango(p float64) string {
	n := len(o.up)
	product := new(big.Float).SetPrec(24).Mul(float24(p), float24(float64(n)))
	product.Sub(product, float24(1))
	index, _ := product.Int64() // toward zero, so that -0.5 is 0
	if index < 0 {
		index = 0
	}
	x, _ := o.up[n-1-int(index)].Float64()
	rate := new(big.Float).SetPrec(24).Quo(float24(1000), float24(x))
	f, _ := rate.Float64()
	return sixFloat(f)
}

func (o oracle) mangoMean() float64 {
	total := float24(0)
	for i := len(o.up) - 1; i >= 0; i-- {
		x, _ := o.up[i].Float64()
		total.Add(total, float24(x))
	}
	mean, _ := total.Quo(total, float24(float64(len(o.up)))).Float64()
	return mean
}

func (o oracle) mangoAverage() string {
	rate, _ := new(big.Float).SetPrec(24).Quo(float24(1000), float24(o.mangoMean())).Float64()
	return fmt.Sprintf("%.1f", rate)
}

// tool returns what a preset's tool prints, by key.
func (o oracle) tool(p Preset) map[string]string {
	last, first := o.up[len(o.up)-1], o.up[0]
	switch p {
	case PresentMon:
		return map[string]string{
			"avg_fps": sixDigits(o.average()), "min_fps": sixDigits(fpsOf(last)), "max_fps": sixDigits(fpsOf(first)),
			"p1_fps": sixDigits(o.r7(rat(99, 100))), "p5_fps": sixDigits(o.r7(rat(95, 100))),
			"p01_fps": sixDigits(o.r7(rat(999, 1000))),
		}
	case CapFrameX:
		return map[string]string{
			"avg_fps": oneDecimal(o.average()), "min_fps": oneDecimal(fpsOf(last)), "max_fps": oneDecimal(fpsOf(first)),
			"p01_fps": oneDecimal(o.r8(rat(1, 1000))), "p02_fps": oneDecimal(o.r8(rat(2, 1000))),
			"p1_fps": oneDecimal(o.r8(rat(1, 100))), "p5_fps": oneDecimal(o.r8(rat(5, 100))),
			"median_fps": oneDecimal(o.r8(rat(1, 2))), "p95_fps": oneDecimal(o.r8(rat(95, 100))), "p99_fps": oneDecimal(o.r8(rat(99, 100))),
			"low1_average_fps": oneDecimal(o.lowAverage(rat(1, 100))), "low1_integral_fps": oneDecimal(o.lowIntegral(rat(1, 100))),
			"low02_average_fps": oneDecimal(o.lowAverage(rat(2, 1000))), "low02_integral_fps": oneDecimal(o.lowIntegral(rat(2, 1000))),
			"low01_average_fps": oneDecimal(o.lowAverage(rat(1, 1000))), "low01_integral_fps": oneDecimal(o.lowIntegral(rat(1, 1000))),
		}
	case MangoHud:
		return map[string]string{
			"avg_fps": o.mangoAverage(), "mean_ms": fmt.Sprintf("%.1f", o.mangoMean()),
			"p1_fps": o.mango(0.01), "p01_fps": o.mango(0.001), "percentile97_fps": o.mango(0.97),
		}
	case Afterburner:
		return map[string]string{
			"avg_fps": oneDecimal(o.average()), "min_fps": oneDecimal(fpsOf(last)), "max_fps": oneDecimal(fpsOf(first)),
			"low1_integral_fps": oneDecimal(o.lowIntegral(rat(1, 100))), "low01_integral_fps": oneDecimal(o.lowIntegral(rat(1, 1000))),
		}
	}
	return nil
}

// near reports whether a number agrees with a printed one to the given number of decimals.
func near(got, printed float64, decimals int) bool {
	return math.Abs(got-printed) <= 0.5000001*math.Pow(10, -float64(decimals))
}
