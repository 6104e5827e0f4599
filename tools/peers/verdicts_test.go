// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/strobe-go/strobe/stat/dist"
)

var (
	sameTrials   = flag.Int("same", 200, "trials of Verdicts and FunctionVerdicts with two that are the same")
	slowerTrials = flag.Int("slower", 60, "trials of Verdicts and FunctionVerdicts with one that is slower")
	atOnce       = flag.Int("at-once", 2, "trials of Verdicts at the same time, each of which is noise to the others")
)

// trials returns how many of each kind there are: two where everything is shortened.
func trials() (same, slower int) {
	if *sampleFor < time.Second {
		return 2, 2
	}
	return *sameTrials, *slowerTrials
}

// tell sometimes logs how far the trials are.
func tell(done, of int) {
	if done%20 == 0 {
		fmt.Fprintf(os.Stderr, "  trial %d of %d\n", done, of)
	}
}

// A score counts the verdicts of a judge.
type score struct{ same, false, slower, found, wrong int }

func (s *score) count(slower bool, verdict string) {
	switch {
	case slower:
		s.slower++
		if verdict == "slower" {
			s.found++
		} else if verdict == "faster" {
			s.wrong++
		}
	default:
		s.same++
		if verdict == "slower" || verdict == "faster" {
			s.false++
		}
	}
}

func (s *score) metrics() map[string]float64 {
	share := func(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }
	return map[string]float64{"false-%": share(s.false, s.same), "found-%": share(s.found, s.slower), "wrong-%": share(s.wrong, s.slower),
		"same-trials": float64(s.same), "slower-trials": float64(s.slower)}
}

// judged returns a row with a judge's score in an experiment that all rows share.
func judged(judge string, experiment func(testing.TB) map[string]*score) row {
	return row{judge, func(b *testing.B) {
		s := experiment(b)[judge]
		if s == nil || s.same+s.slower == 0 {
			b.Skip("not to be had here")
		}
		once(b, s.metrics)
	}}
}

func BenchmarkVerdicts(b *testing.B) { runRows(b, verdictRows()) }

func verdictRows() []row {
	var all []row
	for _, judge := range []string{"strobe", "hyperfine", "hyperfine-welch", "benchstat-on-hyperfine", "benchstat-on-strobe"} {
		all = append(all, judged(judge, commandTrials))
	}
	return all
}

var commandScores map[string]*score

// commandTrials runs the trials once. In each, strobe bench and hyperfine run the same two commands, equally often, in
// alternating order.
func commandTrials(t testing.TB) map[string]*score {
	if commandScores != nil {
		return commandScores
	}
	dir := t.TempDir()
	strobe, work := build(t, dir, "../../cmd/strobe"), build(t, dir, "./cmd/work")
	budget, wanted := 10*time.Second, 30*time.Millisecond
	if *sampleFor < time.Second {
		budget = 200 * time.Millisecond
	}
	// The number of rounds takes 30 ms; for the slower command it is increased so that the total time, including the start, is
	// five percent longer.
	const probe = 20000
	empty, full := fastest(t, work, 0), fastest(t, work, probe)
	per := (full - empty).Seconds() / probe
	rounds := int((wanted - empty).Seconds() / per)
	more := int(1.05*wanted.Seconds()/per - empty.Seconds()/per)
	base, slow := fmt.Sprint(work, " ", rounds), fmt.Sprint(work, " ", more)

	scores := map[string]*score{"strobe": {}, "hyperfine": {}, "hyperfine-welch": {}, "benchstat-on-hyperfine": {}, "benchstat-on-strobe": {}}
	hyperfine, missing := exec.LookPath("hyperfine")
	inTurn, after := newPile(dir, "strobe"), newPile(dir, "hyperfine")
	same, slower := trials()
	var next atomic.Int64
	var mu sync.Mutex // guards scores and the piles
	var failure error
	trial := func(n int, file string) error {
		other := base
		isSlower := n*slower/(same+slower) != (n+1)*slower/(same+slower) // spread evenly
		if isSlower {
			other = slow
		}
		verdict, a, b, err := byStrobe(strobe, base, other, budget)
		if err != nil {
			return err
		}
		var c, d []float64
		if missing == nil {
			if c, d, err = byHyperfine(file, hyperfine, base, other, len(a)); err != nil {
				return err
			}
		}
		mu.Lock()
		defer mu.Unlock()
		tell(n, same+slower)
		scores["strobe"].count(isSlower, verdict)
		inTurn.add(isSlower, a, b)
		if missing == nil {
			scores["hyperfine"].count(isSlower, hyperfineSays(c, d))
			scores["hyperfine-welch"].count(isSlower, welchSays(c, d))
			after.add(isSlower, c, d)
		}
		return nil
	}
	var workers sync.WaitGroup
	for w := range max(1, *atOnce) {
		workers.Go(func() {
			for n := int(next.Add(1)) - 1; n < same+slower; n = int(next.Add(1)) - 1 {
				if err := trial(n, filepath.Join(dir, fmt.Sprintf("hyperfine%d.json", w))); err != nil {
					mu.Lock()
					failure = err
					mu.Unlock()
					next.Store(int64(same + slower))
				}
			}
		})
	}
	workers.Wait()
	if failure != nil {
		t.Fatal(failure)
	}
	inTurn.judge(t, scores["benchstat-on-strobe"])
	after.judge(t, scores["benchstat-on-hyperfine"])
	commandScores = scores
	return scores
}

// build builds a command into dir.
func build(t testing.TB, dir, pkg string) string {
	t.Helper()
	file := filepath.Join(dir, filepath.Base(pkg))
	if runtime.GOOS == "windows" {
		file += ".exe"
	}
	from, name, work := ".", pkg, "off"
	if strings.HasPrefix(pkg, "../..") { // it belongs to another module
		from, name, work = "../..", "./"+strings.TrimPrefix(pkg, "../../"), "auto"
	}
	cmd := exec.Command("go", "build", "-o", file, name)
	cmd.Dir, cmd.Env = from, append(os.Environ(), "GOWORK="+work)
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", pkg, err, text)
	}
	return file
}

// fastest returns the shortest time of a run of work.
func fastest(t testing.TB, work string, rounds int) time.Duration {
	t.Helper()
	least := time.Hour
	for range 20 {
		start := time.Now()
		if err := exec.Command(work, strconv.Itoa(rounds)).Run(); err != nil {
			t.Fatal(err)
		}
		least = min(least, time.Since(start))
	}
	return least
}

// byStrobe returns the verdict of strobe bench, and the seconds of each run.
func byStrobe(strobe, base, other string, budget time.Duration) (verdict string, a, b []float64, err error) {
	out, err := exec.Command(strobe, "bench", "--json", "--max-time", (budget / 2).String(), base, other).Output()
	if err != nil {
		return "", nil, nil, err
	}
	var o struct {
		Commands []struct {
			Times []float64 `json:"times_ns"`
		}
		Comparisons []struct{ Verdict string }
	}
	if err := json.Unmarshal(out, &o); err != nil || len(o.Commands) != 2 || len(o.Comparisons) != 1 {
		return "", nil, nil, fmt.Errorf("%v: %s", err, out)
	}
	for i, c := range o.Commands {
		for _, ns := range c.Times {
			if i == 0 {
				a = append(a, ns/1e9)
			} else {
				b = append(b, ns/1e9)
			}
		}
	}
	return o.Comparisons[0].Verdict, a, b, nil
}

// byHyperfine returns the seconds of each run.
func byHyperfine(file, hyperfine, base, other string, runs int) (a, b []float64, err error) {
	cmd := exec.Command(hyperfine, "--shell=none", "--warmup=1", "--style=none", "--runs", strconv.Itoa(max(2, runs)), "--export-json", file, base, other)
	if text, err := cmd.CombinedOutput(); err != nil {
		return nil, nil, fmt.Errorf("%v: %s", err, text)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, err
	}
	var o struct{ Results []struct{ Times []float64 } }
	if err := json.Unmarshal(text, &o); err != nil || len(o.Results) != 2 {
		return nil, nil, fmt.Errorf("%v: %s", err, text)
	}
	return o.Results[0].Times, o.Results[1].Times, nil
}

// hyperfineSays reads hyperfine's summary as people do: "1.05 ± 0.02 times faster" is a difference if the range does not include
// 1. The ± is hyperfine's: the standard deviations of both, propagated.
func hyperfineSays(a, b []float64) string {
	ma, sa := meanSD(a)
	mb, sb := meanSD(b)
	ratio := mb / ma
	sigma := ratio * math.Sqrt(sa*sa/ma/ma+sb*sb/mb/mb)
	return says(math.Abs(ratio-1) > sigma, ratio)
}

// welchSays is hyperfine's script for comparisons, scripts/welch_ttest.py: a difference if p is below 0.05.
func welchSays(a, b []float64) string {
	ma, sa := meanSD(a)
	mb, sb := meanSD(b)
	va, vb := sa*sa/float64(len(a)), sb*sb/float64(len(b))
	df := (va + vb) * (va + vb) / (va*va/float64(len(a)-1) + vb*vb/float64(len(b)-1))
	return says(2*dist.StudentTail(math.Abs(mb-ma)/math.Sqrt(va+vb), df) < 0.05, mb/ma)
}

func says(differs bool, ratio float64) string {
	switch {
	case !differs:
		return "no difference"
	case ratio > 1:
		return "slower"
	}
	return "faster"
}

func meanSD(x []float64) (mean, sd float64) {
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		sd += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(sd / float64(len(x)-1))
}

// A pile is benchmark text for benchstat, in which every trial is a benchmark.
type pile struct {
	old, new string
	slower   []bool
	text     [2]strings.Builder
}

func newPile(dir, name string) *pile {
	return &pile{old: filepath.Join(dir, name+"-old.txt"), new: filepath.Join(dir, name+"-new.txt")}
}

func (p *pile) add(slower bool, a, b []float64) {
	for i, times := range [][]float64{a, b} {
		for _, s := range times {
			fmt.Fprintf(&p.text[i], "BenchmarkTrial%d 1 %.6f ns/op\n", len(p.slower), s*1e9)
		}
	}
	p.slower = append(p.slower, slower)
}

// judge counts what benchstat calls different.
func (p *pile) judge(t testing.TB, s *score) {
	t.Helper()
	benchstat, err := buildBenchstat()
	if err != nil {
		t.Logf("no benchstat: %v", err) // without its rows
	}
	if err != nil || len(p.slower) == 0 {
		return
	}
	for i, file := range []string{p.old, p.new} {
		if err := os.WriteFile(file, []byte(p.text[i].String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command(benchstat, "-format=csv", p.old, p.new).Output()
	if err != nil {
		t.Fatalf("benchstat: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		name, ours := strings.CutPrefix(fields[0], "Trial")
		n, err := strconv.Atoi(name)
		if !ours || err != nil || len(fields) < 7 {
			continue
		}
		verdict := "no difference"
		if strings.HasPrefix(fields[5], "+") {
			verdict = "slower"
		} else if strings.HasPrefix(fields[5], "-") {
			verdict = "faster"
		}
		s.count(p.slower[n], verdict)
	}
	if s.same+s.slower != len(p.slower) {
		t.Fatalf("benchstat judged %d of %d trials", s.same+s.slower, len(p.slower))
	}
}

var buildBenchstat = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "benchstat")
	if err != nil {
		return "", err
	}
	cmd := exec.Command("go", "install", "golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da")
	cmd.Env = append(os.Environ(), "GOBIN="+dir)
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, text)
	}
	return filepath.Join(dir, "benchstat"), nil
})
