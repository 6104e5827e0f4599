// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

func TestTheGateDoesNotPassWhatFailed(t *testing.T) {
	a, b := goText("A", scaled(1)...), goText("B", scaled(1)...)
	old := clitest.Write(t, "old", a+b)
	for what, tt := range map[string]struct {
		text string
		code int
		says string
	}{
		"a panic":         {a + "panic: boom\n\ngoroutine 1 [running]:\nexit status 2\nFAIL\tm/x\t0.1s\nFAIL\n", session.CommandFailed, "line 11: panic: boom"},
		"a failure":       {a + b + "--- FAIL: BenchmarkB-2\n    b_test.go:7: no\nFAIL\n", session.CommandFailed, "line 21: --- FAIL: BenchmarkB-2"},
		"a failed build":  {a + b + "FAIL\tm/y [build failed]\n", session.CommandFailed, "FAIL m/y [build failed]"},
		"a lost one":      {a, session.Inconclusive, "gate undecided: missing in " + "NEW" + ": B-2"},
		"a lost unit":     {a + strings.ReplaceAll(b, " 16 B/op", ""), session.Inconclusive, "B-2 B/op"},
		"a new one":       {a + b + goText("C", scaled(1)...), session.Done, "gate passed"},
		"a slow failed 1": {goText("A", scaled(2)...) + "FAIL\n", session.CommandFailed, "gate failed: A-2 sec/op"},
	} {
		file := clitest.Write(t, "new", tt.text)
		out, errout, code := strobe(t, "compare", old, file, "--gate=5%")
		said := strings.Join(strings.Fields(out+errout), " ")
		if code != tt.code || !strings.Contains(strings.ReplaceAll(said, file, "NEW"), tt.says) {
			t.Errorf("%s: exit %d, want %d with %q:\n%s%s", what, code, tt.code, tt.says, out, errout)
		}
		if _, _, code := strobe(t, "compare", old, file); code != session.Done {
			t.Errorf("%s, without a gate: exit %d", what, code)
		}
	}
	stopped := clitest.Write(t, "j", `{"schema": 1, "failure": "it exited with code 3", "commands": [{"command": "x", "times_ns": [1, 2, 3, 4, 5]}]}`)
	if _, errout, code := strobe(t, "compare", clitest.Write(t, "k", `{"schema": 1, "commands": [{"command": "x", "times_ns": [1, 2, 3, 4, 5]}]}`), stopped, "--gate=5%"); code != session.CommandFailed || !strings.Contains(errout, "it exited with code 3") {
		t.Errorf("JSON of a command that failed: exit %d, %q", code, errout)
	}
	broken := clitest.Write(t, "broken", a+"panic: boom\nFAIL\n")
	if out, _, code := strobe(t, "compare", broken, old, "--gate=5%"); code != session.Inconclusive || !strings.Contains(strings.Join(strings.Fields(out), " "), "line 11: panic: boom gate") {
		t.Errorf("a base that failed: exit %d\n%s", code, out)
	}
	if out, _, _ := strobe(t, "compare", old, broken, "--json"); !strings.Contains(out, `"failures": [`) {
		t.Errorf("%s", out)
	}
}

func TestDeclaredUnitsAreGated(t *testing.T) {
	text := func(unit string, values ...float64) string {
		var b strings.Builder
		fmt.Fprintln(&b, unit)
		for _, v := range values {
			fmt.Fprintf(&b, "BenchmarkA-2 100 %v %s\n", v, strings.Fields(unit)[1])
		}
		return b.String()
	}
	hits, count, plain := "Unit hits/op better=higher", "Unit instructions/op better=lower assume=exact", "Unit widgets assume=exact"
	for _, tt := range []struct {
		unit       string
		old, fresh []float64
		code       int
		says       string
	}{
		{hits, scaled(1), scaled(0.6), session.GateFailed, "A-2 hits/op costs +66.7 %"},
		{hits, scaled(1), scaled(1.6), session.Done, "gate passed: 1 of 1"},
		{count, []float64{1000}, []float64{1060}, session.GateFailed, "from 1000 to 1060, +6 %"},
		{count, []float64{1000}, []float64{1040}, session.Done, "gate passed: 1 of 1"},
		{count, []float64{0}, []float64{1}, session.GateFailed, "from 0 to 1"},
		{count, []float64{1000, 1001}, []float64{1060, 1060}, session.Inconclusive, "is declared exact, but varies in A-2"},
		{"Unit hits/op better=higher assume=exact", []float64{1050}, []float64{1000}, session.Done, "gate passed"}, // a cost of 5 %
		{"Unit hits/op better=higher assume=exact", []float64{1051}, []float64{1000}, session.GateFailed, "hits/op"},
		{plain, []float64{1}, []float64{2}, session.Inconclusive, "no unit is known"},
	} {
		out, errout, code := strobe(t, "compare", clitest.Write(t, "old", text(tt.unit, tt.old...)), clitest.Write(t, "new", text(tt.unit, tt.fresh...)), "--gate=5%")
		if code != tt.code || !strings.Contains(out, tt.says) || len(tt.old) == 1 && tt.unit != plain && strings.Contains(out, "∞") {
			t.Errorf("%s: exit %d, want %d with %q:\n%s%s", tt.unit, code, tt.code, tt.says, out, errout)
		}
	}
}

// A gate over many benchmarks passes as easily as one over a single benchmark, since each line passes at the full level, and it
// is no more likely to fail by chance.
func TestTheTwoErrorsOfAGate(t *testing.T) {
	const benchmarks, n = 10, 10
	r := rand.New(rand.NewPCG(1, 2))
	files := func(worst float64) (old, fresh string) {
		var text [2]strings.Builder
		for b := range benchmarks {
			for range n {
				for side := range text {
					ns := 100 * (1 + 0.03*r.NormFloat64())
					if side == 1 && b == 0 {
						ns *= worst
					}
					fmt.Fprintf(&text[side], "BenchmarkA%d-2 1 %.3f ns/op 0 B/op 0 allocs/op\n", b, ns)
				}
			}
		}
		return text[0].String(), text[1].String()
	}
	rounds := 60
	for _, tt := range []struct {
		worst         float64
		passes, fails [2]int // least and most, of 60
	}{
		{1, [2]int{30, 60}, [2]int{0, 0}},    // no change
		{1.05, [2]int{0, 6}, [2]int{0, 6}},   // at the limit: each wrong at most 1 of 20 times
		{1.15, [2]int{0, 0}, [2]int{50, 60}}, // far beyond
	} {
		passed, failed := 0, 0
		for range rounds {
			old, fresh := files(tt.worst)
			switch _, _, code := strobe(t, "compare", clitest.Write(t, "old", old), clitest.Write(t, "new", fresh), "--gate=5%"); code {
			case session.Done:
				passed++
			case session.GateFailed:
				failed++
			}
		}
		t.Logf("one of %d at %v: %d of %d pass, %d fail", benchmarks, tt.worst, passed, rounds, failed)
		if passed < tt.passes[0] || passed > tt.passes[1] || failed < tt.fails[0] || failed > tt.fails[1] {
			t.Errorf("one of %d at %v: %d of %d pass, %d fail", benchmarks, tt.worst, passed, rounds, failed)
		}
	}
}

func TestLinesThatCannotDifferTakeNoShareOfTheLevel(t *testing.T) {
	lines := func(b *strings.Builder, constant int, f float64) string {
		for i := range constant {
			for range 6 {
				fmt.Fprintf(b, "BenchmarkC%d-2 1 8 B/op\n", i)
			}
		}
		for _, ns := range scaled(f)[:6] {
			fmt.Fprintf(b, "BenchmarkA-2 1 %v ns/op\n", ns)
		}
		return b.String()
	}
	old, fresh := lines(new(strings.Builder), 300, 1), lines(new(strings.Builder), 300, 1.2)
	if out, _, code := strobe(t, "compare", clitest.Write(t, "old", old), clitest.Write(t, "new", fresh), "--gate=5%"); code != session.GateFailed {
		t.Errorf("exit %d\n%s", code, out[strings.Index(out, "gate"):])
	}
}

// At a level of 0.5 or below, two-sided intervals for one-sided tests would have a level of 0, which means the default, or less.
func TestTheLevelOfAGateIsTakenAsItIs(t *testing.T) {
	old, fresh := clitest.Write(t, "old", goText("A", scaled(1)...)), clitest.Write(t, "new", goText("A", scaled(2)...))
	for level, want := range map[string]string{"51%": "with 51 % confidence", "80%": "with 80 % confidence", "95%": "with 95 % confidence"} {
		if out, errout, code := strobe(t, "compare", old, fresh, "--unit=sec/op", "--gate=5%", "--level="+level); code != session.GateFailed || !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("--level=%s: exit %d, want %q\n%s%s", level, code, want, out, errout)
		}
	}
	for _, level := range []string{"50%", "30%", "0.01"} {
		if out, errout, code := strobe(t, "compare", old, fresh, "--gate=5%", "--level="+level); code != session.Usage || out != "" || !strings.Contains(errout, "needs a level above 50%") || strings.Count(errout, "\n") != 1 {
			t.Errorf("--level=%s: exit %d\n%s%s", level, code, out, errout)
		}
		if out, errout, code := strobe(t, "compare", old, fresh, "--level="+level); code != session.Done || errout != "" {
			t.Errorf("--level=%s without a gate: exit %d\n%s%s", level, code, out, errout)
		}
	}
}
