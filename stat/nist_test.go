// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"bufio"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// certified is a data set of NIST StRD: the samples and the certified results, as printed.
type certified struct {
	name           string
	samples        []string
	mean, sd, lag1 string
}

// readCertified reads both layouts in testdata/nist: NIST's own header with the data after a line of dashes, and
// "key = value" lines with comments.
func readCertified(t *testing.T, path string) (c certified) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	c.name = strings.TrimSuffix(filepath.Base(path), ".txt")
	data := false
	for scan := bufio.NewScanner(file); scan.Scan(); {
		line := strings.TrimSpace(scan.Text())
		last := line[strings.LastIndexByte(line, ' ')+1:]
		switch {
		case strings.HasPrefix(line, "Sample Mean"), strings.HasPrefix(line, "mean "):
			c.mean = last
		case strings.HasPrefix(line, "Sample Standard Dev"), strings.HasPrefix(line, "standardDeviation"):
			c.sd = last
		case strings.HasPrefix(line, "Sample Autocorrelation"), strings.HasPrefix(line, "autocorrelation"):
			c.lag1 = last
		case strings.HasPrefix(line, "-----"):
			data = true
		case data && line != "" || isNumber(line):
			c.samples = append(c.samples, line)
		}
	}
	if len(c.samples) < 3 || c.mean == "" || c.sd == "" || c.lag1 == "" {
		t.Fatalf("%s: incomplete: %d samples", path, len(c.samples))
	}
	return c
}

func isNumber(text string) bool { _, err := strconv.ParseFloat(text, 64); return err == nil }

// digits returns the log relative error of got against a certified text, at most 15: the number of digits that agree.
func digits(t *testing.T, got float64, want string) float64 {
	t.Helper()
	exact, err := strconv.ParseFloat(strings.TrimSuffix(want, "(exact)"), 64)
	if err != nil {
		t.Fatal(err)
	}
	if got == exact {
		return 15
	}
	return min(15, -math.Log10(math.Abs(got-exact)/math.Abs(exact)))
}

// constructed returns a NIST data set that is defined by a rule, at its highest difficulty.
func constructed(name, start string, around [2]string, mean string) certified {
	c := certified{name: name, samples: []string{start}, mean: mean, sd: "0.1", lag1: "-0.999"}
	for i := range 1000 {
		c.samples = append(c.samples, around[i%2])
	}
	return c
}

func nistSets(t *testing.T) (sets []certified) {
	for _, name := range []string{"Lew", "Lottery", "Mavro", "NumAcc1", "NumAcc2", "PiDigits"} {
		sets = append(sets, readCertified(t, "testdata/nist/"+name+".txt"))
	}
	return append(sets,
		constructed("NumAcc3", "1000000.2", [2]string{"1000000.1", "1000000.3"}, "1000000.2"),
		constructed("NumAcc4", "10000000.2", [2]string{"10000000.1", "10000000.3"}, "10000000.2"))
}

func checkMoments(t *testing.T, c certified, m Moments, unit float64) {
	t.Helper()
	r, ok := m.Lag1()
	if d := digits(t, m.Mean()/unit, c.mean); d < 15 {
		t.Errorf("%s: mean %v agrees to %.1f digits with %s", c.name, m.Mean()/unit, d, c.mean)
	}
	if d := digits(t, m.StdDev()/unit, c.sd); d < 15 {
		t.Errorf("%s: standard deviation %v agrees to %.1f digits with %s", c.name, m.StdDev()/unit, d, c.sd)
	}
	if d := digits(t, r, c.lag1); !ok || d < 14.8 {
		t.Errorf("%s: lag-1 %v agrees to %.1f digits with %s", c.name, r, d, c.lag1)
	}
}

func TestIntegerMomentsAgreeWithNIST(t *testing.T) {
	checked := 0
	for _, c := range nistSets(t) {
		var m Moments
		for _, text := range c.samples {
			x, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				break
			}
			m.Add(x)
		}
		if m.N() == uint64(len(c.samples)) {
			checked++
			checkMoments(t, c, m, 1)
		}
	}
	if checked != 4 {
		t.Errorf("%d integer sets", checked)
	}
}

// Decimal samples are converted to integers in a unit with enough decimals.
func TestDecimalMomentsAgreeWithNIST(t *testing.T) {
	for _, c := range nistSets(t) {
		var b BatchMeans
		digits := 0
		for _, text := range c.samples {
			whole, fraction, _ := strings.Cut(text, ".")
			if more := len(fraction) - digits; more > 0 {
				if !b.Scale(int64(math.Pow10(more))) {
					t.Fatalf("%s: %s does not fit", c.name, text)
				}
				digits += more
			}
			x, err := strconv.ParseInt(whole+fraction+strings.Repeat("0", digits-len(fraction)), 10, 64)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			b.Add(x)
		}
		checkMoments(t, c, b.Moments(), math.Pow10(digits))
	}
}
