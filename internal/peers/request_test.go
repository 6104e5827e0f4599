// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	sameRequests   = flag.Int("same-requests", 20, "requests of RequestVerdicts that change no cost")
	slowerRequests = flag.Int("slower-requests", 10, "requests of RequestVerdicts that make one benchmark slower")
	requestFor     = flag.Duration("request", time.Minute, "how long RequestVerdicts measures each request by each way")
)

func BenchmarkRequestVerdicts(b *testing.B) { runRows(b, requestRows()) }

const (
	gateRow  = "strobe-gate"
	afterRow = "benchstat-one-after-the-other"
	turnsRow = "benchstat-in-turn"
)

func requestRows() []row {
	var all []row
	for _, name := range []string{gateRow, afterRow, turnsRow} {
		all = append(all, row{name, func(b *testing.B) {
			s := requestTrials(b)[name]
			if s == nil || s.same+s.slower == 0 {
				b.Skip("not to be had here")
			}
			once(b, s.metrics)
		}})
	}
	return all
}

// A requestScore counts what a way of judging pull requests said. A request with any benchmark called slower fails.
type requestScore struct {
	same, failed    int // requests that change no cost
	slower, found   int // requests with one slower benchmark
	unchanged, pass int // benchmarks that are not slower, in all requests, and those of them said to be within the limit
}

func (s *requestScore) metrics() map[string]float64 {
	share := func(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }
	m := map[string]float64{"false-%": share(s.failed, s.same), "found-%": share(s.found, s.slower),
		"same-requests": float64(s.same), "slower-requests": float64(s.slower)}
	if s.pass > 0 {
		m["passed-%"] = share(s.pass, s.unchanged)
	}
	return m
}

// count enters a request: the benchmarks that are called slower, how many are said to be within the limit, and the one that is
// slower, "" if none is.
func (s *requestScore) count(called []string, passed int, slow string) {
	s.unchanged += requestSize
	s.pass += passed
	if slow == "" {
		s.same++
		if len(called) > 0 {
			s.failed++
		}
		return
	}
	s.unchanged--
	s.slower++
	for _, name := range called {
		if name == slow {
			s.found++
		}
	}
}

var requestScores map[string]*requestScore

// requestTrials runs the trials once, beside a process that keeps a processor busy.
func requestTrials(b *testing.B) map[string]*requestScore {
	if requestScores != nil {
		return requestScores
	}
	if _, err := exec.LookPath("git"); err != nil {
		return nil
	}
	same, slower, budget := *sameRequests, *slowerRequests, *requestFor
	if *sampleFor < time.Second {
		same, slower, budget = 1, 1, 3*time.Second
	}
	strobe := build(b, b.TempDir(), "../../cmd/strobe")
	benchstat, err := buildBenchstat()
	if err != nil {
		b.Logf("no benchstat: %v", err) // its rows are left out
	}
	end := startHogs(b, 1)
	defer end()
	scores := map[string]*requestScore{gateRow: {}, afterRow: {}, turnsRow: {}}
	for n := range same + slower {
		tell(n, same+slower)
		slow := -1
		if n*slower/(same+slower) != (n+1)*slower/(same+slower) { // spread evenly
			slow = 3 * n % requestSize &^ 1 // of those whose cost is proportional to their size
		}
		dir := newRequest(b, slow)
		name := ""
		if slow >= 0 {
			name = requestName(slow)
		}
		called, passed := byGate(b, strobe, dir, budget)
		scores[gateRow].count(called, passed, name)
		if err == nil {
			scores[afterRow].count(byBenchstat(b, benchstat, dir, budget, false), 0, name)
			scores[turnsRow].count(byBenchstat(b, benchstat, dir, budget, true), 0, name)
		}
	}
	requestScores = scores
	return scores
}

const requestSize = 20 // benchmarks

func requestName(i int) string { return fmt.Sprintf("Part%02d", i) }

// requestText returns a package of twenty benchmarks of four kinds. Benchmark slow takes five percent more.
func requestText(slow int, more string) string {
	var t strings.Builder
	t.WriteString(`package request

import (
	"crypto/sha256"
	"maps"
	"slices"
	"testing"
)

var sink int

func mix(n int) {
	x := uint64(n)
	for range n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	sink += int(x)
}

func sum(n int) {
	h := sha256.Sum256(make([]byte, 8*n))
	sink += int(h[0])
}

func sorted(n int) {
	x, all := uint32(n), make([]uint32, n/32)
	for i := range all {
		x = x*1664525 + 1013904223
		all[i] = x
	}
	slices.Sort(all)
	sink += int(all[0])
}

func table(n int) {
	m := map[int]int{}
	for i := range n / 64 {
		m[i*i] = i
	}
	sink += len(slices.Collect(maps.Keys(m)))
}
`)
	t.WriteString(more)
	for i := range requestSize {
		n := 1600 << (i / 4)
		if i == slow {
			n += n / 20
		}
		fmt.Fprintf(&t, "\nfunc Benchmark%s(b *testing.B) {\n\tfor b.Loop() {\n\t\t%s(%d)\n\t}\n}\n", requestName(i),
			[]string{"mix", "sorted", "sum", "table"}[i%4], n)
	}
	return t.String()
}

// newRequest makes a repository of two commits. The second has a function more, which moves the others, and if slow >= 0 a
// benchmark that is slower.
func newRequest(b *testing.B, slow int) string {
	b.Helper()
	dir := b.TempDir()
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=strobe", "-c", "user.email=strobe@localhost"}, args...)...)
		cmd.Dir = dir
		if text, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("git %s: %v\n%s", args[0], err, text)
		}
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	git("init", "-q")
	write("go.mod", "module request\n\ngo 1.24\n")
	write("request_test.go", requestText(-1, ""))
	git("add", ".")
	git("commit", "-qm", "one")
	write("request_test.go", requestText(slow, "\nvar Kept = func(s string) string { return s + \"!\" }\n"))
	git("commit", "-qam", "two")
	return dir
}

// byGate returns which benchmarks strobe gate calls slower than the limit, and how many it says are within.
func byGate(b *testing.B, strobe, dir string, budget time.Duration) (called []string, passed int) {
	b.Helper()
	cmd := exec.Command(strobe, "gate", "HEAD~1", "--json", "--gate=2.5%", "--max-time="+budget.String())
	cmd.Dir = dir
	text, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		b.Fatal(err)
	}
	var o struct {
		Benchmarks []struct{ Name, Outcome string }
	}
	if err := json.Unmarshal(text, &o); err != nil || len(o.Benchmarks) != requestSize {
		b.Fatalf("strobe gate: %v, %v: %s", err, exit, text)
	}
	for _, x := range o.Benchmarks {
		switch x.Outcome {
		case "failed":
			called = append(called, x.Name)
		case "passed":
			passed++
		}
	}
	return called, passed
}

// byBenchstat runs each benchmark ten times on both sides, for as long in all, and returns which benchstat calls slower.
func byBenchstat(b *testing.B, benchstat, dir string, budget time.Duration, inTurn bool) (called []string) {
	b.Helper()
	const count = 10
	run := func(dir, name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		text, err := cmd.Output()
		if err != nil {
			b.Fatalf("%s %s: %v\n%s", name, args[0], err, text)
		}
		return string(text)
	}
	old := filepath.Join(b.TempDir(), "old")
	run(dir, "git", "worktree", "add", "-q", old, "HEAD~1")
	defer run(dir, "git", "worktree", "remove", "--force", old)
	dirs := [2]string{old, dir}
	for _, dir := range dirs {
		run(dir, "go", "test", "-c", "-o", "request.test")
	}
	defer os.Remove(filepath.Join(dir, "request.test"))
	each := budget / (2 * count * requestSize)
	var out [2]strings.Builder
	measure := func(side, count int) {
		out[side].WriteString(run(dirs[side], "./request.test", "-test.run=^$", "-test.bench=.", "-test.benchtime="+each.String(),
			fmt.Sprintf("-test.count=%d", count)))
	}
	if inTurn {
		for range count {
			measure(0, 1)
			measure(1, 1)
		}
	} else {
		measure(0, count)
		measure(1, count)
	}
	var files [2]string
	for side := range out {
		files[side] = filepath.Join(b.TempDir(), []string{"old.txt", "new.txt"}[side])
		if err := os.WriteFile(files[side], []byte(out[side].String()), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	r := csv.NewReader(strings.NewReader(run(dir, benchstat, "-format=csv", files[0], files[1])))
	r.FieldsPerRecord = -1
	rows, err := r.ReadAll()
	if err != nil {
		b.Fatal(err)
	}
	for _, fields := range rows {
		if name, _, _ := strings.Cut(fields[0], "-"); strings.HasPrefix(name, "Part") && len(fields) > 5 && strings.HasPrefix(fields[5], "+") {
			called = append(called, name)
		}
	}
	return called
}
