// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/strobe-go/strobe/internal/enum"
)

// Preset is a set of definitions by the name of the tool that uses them. A figure that the tool does not have keeps strobe's
// definition; Metric.By names whose it is. It prints, and is written to JSON, as its name in lower case. The zero value is Strobe,
// the default.
type Preset int

const (
	// Strobe is the default: quantiles of frame time by Options.Quantile.
	Strobe Preset = iota

	// PresentMon is the summary file of the PresentMon application: P1 and P5 are 1 over the R-7 quantile of frame time, minimum
	// and maximum 1 over the extreme frame times; a frame time of 0 would count as a million FPS.
	// Digits: C++ streams, six significant. PresentMon prints no 0.1 %; P0.1 follows its rule for the 1st percentile.
	// Source: GameTechDev/PresentMon at 18f6047, IntelPresentMon/Core/source/pmon: RawFrameDataWriter.cpp, WriteStats_;
	// StatisticsTracker.cpp, GetPercentile.
	PresentMon

	// CapFrameX takes R-8 quantiles of the instantaneous frame rates; a low average is the mean of the frames at least as long as
	// the R-8 quantile of frame time; a low integral is the frame at which the slowest frames reach the share of all time.
	// Stuttering time is CapFrameX's offline figure as long as factor and window are the default. Digits: one decimal, halves
	// away from zero. Source: CXWorld/CapFrameX at 3ba66ff, source/CapFrameX.Statistics.NetStandard/
	// FrametimeStatisticProvider.cs: GetFpsMetricValue, GetPQuantileSequence, GetPercentageHighAverageSequence,
	// GetPercentageHighIntegralSequence, GetStutteringTimePercentage; Math.NET's ArrayStatistics.QuantileInplace for R-8.
	CapFrameX

	// MangoHud is the summary file of MangoHud, in the 32-bit floats it computes with: the "1 % min FPS" is 1000 over the frame
	// time at position trunc(p·n - 1), counted from 0 at the slowest. Digits: six significant for these, one decimal for
	// averages.
	// Source: flightlessmango/MangoHud at a5e7dc7, src/fps_metrics.h, calculate; src/logging.cpp, writeSummary.
	MangoHud

	// Afterburner is MSI Afterburner, whose source is closed: average, minimum, maximum and the low integral, which CapFrameX
	// documents as equivalent to Afterburner's (GetPercentageHighIntegralSequence, as above). Digits: one decimal.
	Afterburner
)

// Presets returns the presets there are, the default first.
func Presets() []Preset { return []Preset{Strobe, PresentMon, CapFrameX, MangoHud, Afterburner} }

var presets = []string{"strobe", "presentmon", "capframex", "mangohud", "afterburner"}

// String returns the name of the preset.
func (p Preset) String() string { return enum.Word(p, presets) }

// MarshalText writes the name of the preset. It never fails.
func (p Preset) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads the name of a preset, in any case. The error lists the names.
func (p *Preset) UnmarshalText(text []byte) error { return enum.Parse(p, presets, bytes.ToLower(text)) }

// definitions returns the figures of a report: the preset's own, and strobe's where it has none.
func (p Preset) definitions(o Options) []definition {
	defs := own(o)
	tool := p.table()
	for i, d := range tool {
		tool[i].by = p.String()
		at := slices.IndexFunc(defs, func(e definition) bool { return e.key == d.key })
		if at < 0 { // beside the other rates
			at = slices.IndexFunc(defs, func(e definition) bool { return e.key == "min_fps" })
			defs = slices.Insert(defs, at, tool[i])
			continue
		}
		t := &tool[i]
		if t.value == nil {
			t.value = defs[at].value
		}
		if t.words == "" {
			t.words = defs[at].words
		}
		t.name, t.unit, t.mean, t.back, t.fixed, t.slowShare = defs[at].name, defs[at].unit, defs[at].mean, defs[at].back, defs[at].fixed, defs[at].slowShare
		defs[at] = *t
	}
	for i := range defs {
		if defs[i].print == nil {
			defs[i].print = usual(defs[i].unit)
		}
	}
	return defs
}

func (p Preset) table() []definition {
	switch p {
	case PresentMon:
		const words = "1 over the R-7 quantile of frame time at "
		return []definition{
			{key: "avg_fps", print: six},
			{key: "p1_fps", words: words + "0.99", value: timeQuantile(R7, 0.01), print: six},
			{key: "p01_fps", words: words + "0.999 (PresentMon prints none; by its rule for P1)", value: timeQuantile(R7, 0.001), print: six},
			{key: "p5_fps", slowShare: 0.05, name: "P5", unit: FPS, words: words + "0.95", value: timeQuantile(R7, 0.05), print: six},
			{key: "min_fps", print: six},
			{key: "max_fps", print: six},
		}
	case CapFrameX:
		const words = "R-8 quantile of the instantaneous frame rates at "
		average := "1000 over the mean of all frames at least as long as the R-8 quantile of the frame times at "
		return []definition{
			{key: "avg_fps", print: one},
			{key: "p1_fps", words: words + "0.01", value: fpsQuantile(R8, 0.01), print: one},
			{key: "p01_fps", words: words + "0.001", value: fpsQuantile(R8, 0.001), print: one},
			{key: "low1_average_fps", words: average + "0.99", value: lowAverage(R8, 0.01), print: one},
			{key: "low01_average_fps", words: average + "0.999", value: lowAverage(R8, 0.001), print: one},
			{key: "low1_integral_fps", print: one},
			{key: "low01_integral_fps", print: one},
			{key: "min_fps", print: one},
			{key: "max_fps", print: one},
			{key: "p02_fps", slowShare: 0.002, name: "P0.2", unit: FPS, words: words + "0.002", value: fpsQuantile(R8, 0.002), print: one},
			{key: "p5_fps", slowShare: 0.05, name: "P5", unit: FPS, words: words + "0.05", value: fpsQuantile(R8, 0.05), print: one},
			{key: "median_fps", slowShare: 1, name: "median", unit: FPS, words: words + "0.5", value: fpsQuantile(R8, 0.5), print: one},
			{key: "p95_fps", slowShare: 1, name: "P95", unit: FPS, words: words + "0.95", value: fpsQuantile(R8, 0.95), print: one},
			{key: "p99_fps", slowShare: 1, name: "P99", unit: FPS, words: words + "0.99", value: fpsQuantile(R8, 0.99), print: one},
			{key: "low02_average_fps", slowShare: 0.002, name: "0.2 % low average", unit: FPS, words: average + "0.998", value: lowAverage(R8, 0.002), print: one},
			{key: "low02_integral_fps", slowShare: 0.002, name: "0.2 % low integral", unit: FPS, value: lowIntegral(0.002), print: one,
				words: "frame rate of the frame at which the slowest frames, added up, reach 0.2 % of all time"},
		}
	case MangoHud:
		const words = "1000 over the frame time at position trunc(%s·n - 1) of the slowest first, in 32-bit floats"
		return []definition{
			{key: "avg_fps", words: "1000 over the mean frame time, added up in 32-bit floats, slowest first", value: mangoAverage, print: one32},
			{key: "mean_ms", words: "mean frame time, added up in 32-bit floats, slowest first", value: mangoMean, print: one32},
			{key: "p1_fps", words: fmt.Sprintf(words, "0.01"), value: mangoMin(0.01), print: six},
			{key: "p01_fps", words: fmt.Sprintf(words, "0.001"), value: mangoMin(0.001), print: six},
			{key: "percentile97_fps", slowShare: 1, name: "97 % percentile", unit: FPS, words: fmt.Sprintf(words, "0.97"), value: mangoMin(0.97), print: six},
		}
	case Afterburner:
		return []definition{
			{key: "avg_fps", print: one},
			{key: "min_fps", print: one},
			{key: "max_fps", print: one},
			{key: "low1_integral_fps", print: one},
			{key: "low01_integral_fps", print: one},
		}
	}
	return nil
}

// mangoMin is fpsMetrics::calculate. The product is rounded to a 32-bit float before 1 is taken off; a negative position becomes
// 0.
func mangoMin(p float32) func(*sample) (float64, int, bool) {
	return func(s *sample) (float64, int, bool) {
		n := s.n
		position := float32(p*float32(n)) - 1
		i := 0
		if position > 0 {
			i = int(position)
		}
		if i >= n {
			return 0, 0, false
		}
		rests := i + 1
		if p > 0.5 {
			rests = 0
		}
		return float64(1000 / float32(s.rank(i))), rests, true
	}
}

// mangoSum works on whole captures only: the figures that use it are means, which are not resampled.
func mangoSum(s *sample) float32 {
	s.short = s.short || len(s.slow) < s.n
	var sum float32
	for _, x := range s.slow {
		sum += float32(x)
	}
	return sum
}

func mangoAverage(s *sample) (float64, int, bool) {
	return float64(1000 / (mangoSum(s) / float32(s.n))), 0, true
}

func mangoMean(s *sample) (float64, int, bool) {
	return float64(mangoSum(s) / float32(s.n)), 0, true
}

// six formats a number as a C++ stream does by default.
func six(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// one formats a number with one decimal, halves rounded away from zero.
func one(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10, 'f', 1, 64) }

// one32 formats the exact binary value with one decimal, as C++ does.
func one32(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// usual returns the format of strobe's own figures in a unit.
func usual(unit Unit) func(float64) string {
	switch unit {
	case FPS:
		return func(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) }
	case Milliseconds:
		return func(v float64) string { return strconv.FormatFloat(v, 'f', 4, 64) }
	case Share:
		return func(v float64) string { return strconv.FormatFloat(100*v, 'f', 2, 64) + " %" }
	}
	return func(v float64) string { return strconv.FormatFloat(v, 'f', 4, 64) }
}
