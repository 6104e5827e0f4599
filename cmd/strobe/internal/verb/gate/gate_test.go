// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/worktree"
	"github.com/strobe-go/strobe/internal/race"
)

var verb = cli.Verb{Name: "gate", Command: new(Command)}

// strobe runs the verb in process.
func strobe(t *testing.T, args ...string) (out, errout string, code int) {
	t.Helper()
	return clitest.Run(t, cli.Verb{Name: "gate", Command: new(Command)}, "", append([]string{"gate"}, args...)...)
}

// object runs the verb with --json.
func object(t *testing.T, args ...string) (o gateObject, code int) {
	t.Helper()
	args = append([]string{"--json"}, args...)
	if !slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, "profile") }) { // which takes some seconds
		args = append(args[:1:1], append([]string{"--no-explain"}, args[1:]...)...)
	}
	out, errout, code := strobe(t, args...)
	if err := json.Unmarshal([]byte(out), &o); err != nil {
		t.Fatalf("exit %d, %v, %q, %q", code, err, out, errout)
	}
	t.Logf("exit %d, %s%s", code, out, errout)
	return o, code
}

// files are the files of a repository, by path; an empty text removes a file.
type files map[string]string

const goMod = "module example.com/m\n\ngo 1.24\n"

// test returns a test file with these benchmarks.
func test(functions ...string) string {
	text := "package p\n\nimport (\n\t\"os\"\n\t\"testing\"\n\t\"time\"\n)\n\nvar _, _ = os.Args, time.Now\n\nvar sink any\n"
	for _, f := range functions {
		text += "\nfunc Benchmark" + f + "\n"
	}
	return text
}

// loop returns a benchmark that takes some microseconds per call.
func loop(name, n string) string {
	return name + "(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\ts := uint64(i)\n\t\tfor range " + n + " {\n\t\t\ts = s*6364136223846793005 + 1\n\t\t}\n\t\tsink = s == 7\n\t}\n}"
}

// repository makes a git repository with a commit for each state, and changes to its folder.
func repository(t *testing.T, states ...files) string {
	t.Helper()
	t.Setenv("STROBE_CACHE", t.TempDir())
	if _, err := exec.LookPath("git"); err != nil || runtime.GOOS == "js" {
		t.Skip("makes git repositories: ", err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("GITHUB_STEP_SUMMARY", "")
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	run(t, "git", "init", "-q", "-b", "main")
	for _, s := range states {
		edit(t, s)
		run(t, "git", "add", "-A")
		run(t, "git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", "state")
	}
	return dir
}

func edit(t *testing.T, s files) {
	t.Helper()
	for name, text := range s {
		if text == "" {
			os.Remove(name)
			continue
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func run(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command(args[0], args[1:]...).CombinedOutput()
	if err != nil {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return string(out)
}

func (o gateObject) benchmark(name string) *gateBenchmark {
	if i := slices.IndexFunc(o.Benchmarks, func(b gateBenchmark) bool { return b.Name == name }); i >= 0 {
		return &o.Benchmarks[i]
	}
	return &gateBenchmark{}
}

func has(list []string, parts ...string) bool {
	return slices.ContainsFunc(list, func(text string) bool {
		return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(text, part) })
	})
}

func TestHelpIsShort(t *testing.T) {
	clitest.Help(t, cli.Verb{Name: "gate", Command: new(Command)}, 90)
}

// measures skips a test that takes some ten seconds on a busy machine.
func measures(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("builds and measures for a while")
	}
}

const (
	allocates = "Allocates(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tif sink = new([64]byte); i%2 == 0 {\n\t\t\tsink = new(int)\n\t\t}\n\t}\n}"
	twice     = "Allocates(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tsink = new([64]byte)\n\t\tsink = new(int)\n\t}\n}"
	panics    = "Panics(b *testing.B) {\n\tpanic(\"boom\")\n}"
	hangs     = "Hangs(b *testing.B) {\n\ttime.Sleep(time.Hour)\n}"
	fails     = "Fails(b *testing.B) {\n\tb.Fatal(\"no device\")\n}"
	reads     = "Reads(b *testing.B) {\n\tif _, err := os.ReadFile(\"testdata/x\"); err != nil {\n\t\tb.Fatal(err)\n\t}\n\tos.WriteFile(\"written\", nil, 0o666)\n" +
		"\tprint(\"hello\")\n\tfor i := 0; i < b.N; i++ {\n\t}\n\tif b.N < 0 {\n\t\tb.Logf(\"%d\", \"go vet complains\")\n\t}\n}" // which does not matter here
	idle = "(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t}\n}"
)

// The request has everything that can happen to a benchmark. With these limits the load of the machine does not matter.
func TestARequestIsJudgedBenchmarkByBenchmark(t *testing.T) {
	measures(t)
	repository(t,
		files{"go.mod": goMod, "p/p.go": "package p\n", "p/testdata/x": "x", "same/same.go": "package p\n", "same/same_test.go": test(loop("Same", "10")),
			"p/p_test.go": test(loop("Slower", "1000"), loop("Unchanged", "1000"), allocates, "Panics"+idle, fails, "Vanishes"+idle, reads)},
		files{"p/p_test.go": test(loop("Slower", "5000"), loop("Unchanged", "1000"), twice, panics, fails, "Comes"+idle, reads)})
	o, code := object(t, "HEAD~1", "--gate=100%", "--gate=Unchanged=300%", "--gate=Allocates=5000%", "--gate=Reads=9900%", "--limit=allocs=0", "--level=90%",
		"--max-time=5m", "--run=2ms", "--layouts=2", "--own-tests")
	if code != session.GateFailed {
		t.Errorf("exit %d", code)
	}
	for name, want := range map[string]string{"Slower": "failed", "Unchanged": "passed", "Allocates": "failed", "Reads": "passed"} {
		if got := o.benchmark(name).Outcome.String(); got != want {
			t.Errorf("%s %s, want %s", name, got, want)
		}
	}
	if b := o.benchmark("Allocates"); b.BaseAllocs == nil || b.NewAllocs == nil || math.Abs(*b.BaseAllocs-1.5) > 0.1 || math.Abs(*b.NewAllocs-2) > 0.1 || !strings.Contains(b.Sentence, "p.Allocates has 2 allocs/op, 1.") {
		t.Errorf("%+v", b)
	}
	if b := o.benchmark("Slower"); !b.Ratio.Known() || b.Ratio.Center < 2 || !strings.Contains(b.Again, "example.com/m/p --bench='^BenchmarkSlower$' --gate=100%") || !has(o.Gate.Reasons, b.Sentence) {
		t.Errorf("%+v", b)
	}
	for _, want := range [][]string{{"p.Panics panicked: boom", "on the working tree"}, {"p.Fails failed:", "no device on both sides"}} {
		if !has(o.Broken, want...) {
			t.Errorf("%q is not in %q", want, o.Broken)
		}
	}
	if !slices.Equal(o.Added, []string{"example.com/m/p.Comes"}) || !slices.Equal(o.Vanished, []string{"example.com/m/p.Vanishes"}) || !slices.Equal(o.Same, []string{"example.com/m/same"}) {
		t.Errorf("%q, %q, %q", o.Added, o.Vanished, o.Same)
	}
	if !has(o.Notes, "print costs time", "p.Reads") || !has(o.Notes, "changed files of the working tree", "p/written") || o.Layouts != 2 {
		t.Errorf("%q, %d layouts", o.Notes, o.Layouts)
	}
	if trees := run(t, "git", "worktree", "list"); strings.Count(trees, "\n") != 1 {
		t.Errorf("%s", trees)
	}
}

// The others of the package are found nevertheless. In the time limit of this test a busy machine may not run them.
func TestABenchmarkThatHangsIsNamed(t *testing.T) {
	measures(t)
	repository(t, files{"go.mod": goMod, "p/p_test.go": test("Hangs"+idle, "Stays"+idle)}, files{"p/p_test.go": test(hangs, "Stays"+idle)})
	o, code := object(t, "HEAD~1", "--own-tests", "--gate=9900%", "--timeout=4s", "--max-time=1s", "--run=2ms", "--layouts=0")
	if code == session.Done || !has(o.Broken, "p.Hangs took longer than 4s") || o.benchmark("Stays").Name == "" && !has(o.Broken, "p.Stays") {
		t.Errorf("exit %d, %q, %+v", code, o.Broken, o.Benchmarks)
	}
}

func TestWhatDoesNotBuildIsNamed(t *testing.T) {
	race.Sequential(t)
	good, bad := files{"go.mod": goMod, "p/p_test.go": test(loop("A", "100"))}, files{"p/p_test.go": test(loop("A", "100") + "\n\nvar x = undefined")}
	for name, c := range map[string]struct {
		states []files
		code   int
		wants  []string
	}{
		"new":  {[]files{good, bad}, session.CommandFailed, []string{"example.com/m/p does not build: p/p_test.go:", "undefined", "on the working tree"}},
		"base": {[]files{{"go.mod": goMod, "p/p_test.go": bad["p/p_test.go"]}, {"p/p_test.go": good["p/p_test.go"]}}, session.Inconclusive, []string{"does not build", "on the base only", "nothing was compared: the base cannot be measured"}},
	} {
		repository(t, c.states...)
		out, errout, code := strobe(t, "HEAD~1", "--max-time=1s", "--own-tests")
		flat := strings.Join(strings.Fields(out), " ")
		for _, want := range c.wants {
			if !strings.Contains(flat, want) {
				t.Errorf("%s: %q is not in %s", name, want, out)
			}
		}
		if code != c.code || code != 0 && strings.Count(errout, "\n") != 1 {
			t.Errorf("%s: exit %d, want %d, %q", name, code, c.code, errout)
		}
	}
}

func TestWrongUsageGetsOneLine(t *testing.T) {
	race.Sequential(t)
	state := files{"go.mod": goMod, "p/p_test.go": test(loop("A", "100")), "none/none.go": "package none\n",
		"ruled/go.mod": goMod, "ruled/p_test.go": test(loop("A", "100")), "ruled/" + rulesName: "\n[[limit]]\nbench = \"Other\"\ntime = 0.1\n"}
	dir := repository(t, state)
	for _, c := range []struct {
		dir   string
		args  []string
		wants []string
	}{
		{".", nil, []string{"a revision to compare with is missing", "HEAD~1"}},
		{".", []string{"nonsense"}, []string{`unknown revision "nonsense"`, "git fetch"}},
		{".", []string{"HEAD", "--bench=("}, []string{"--bench", `"("`}},
		{".", []string{"HEAD", "--gate=x%"}, []string{"--gate", "5%"}},
		{".", []string{"HEAD", "--gate==5%"}, []string{"--gate", "NAME=10%"}},
		{".", []string{"HEAD", "--max-time=0"}, []string{"--max-time"}},
		{".", []string{"HEAD", "--level=50%"}, []string{"--level=50%", "above 50%"}},
		{".", []string{"HEAD", "--layouts=1000"}, []string{"--layouts=1000", "100"}},
		{".", []string{"HEAD", "--limit=allocs"}, []string{"--limit", "METRIC=LIMIT"}},
		{".", []string{"HEAD", "--metrics=hit-ratio"}, []string{"--metrics=hit-ratio", "--limit hit-ratio=-5%"}},
		{".", []string{"--self", "./p", "--layouts=0", "--limit=hits/op=1%"}, []string{"no benchmark reports hits/op", "allocs, bytes"}},
		{".", []string{"HEAD", "./none"}, []string{"./none", "no package", "benchmarks"}},
		{".", []string{"--self", "--bench=Nothing", "./p", "--layouts=0"}, []string{"no benchmark matches --bench=Nothing"}},
		{"ruled", []string{"--self", "--layouts=0", "--max-time=1s"}, []string{".strobe-gate.toml:2: limit: it selects no benchmark: Other"}},
		{".", []string{"HEAD", "./p", "--layouts=0", "--", "-nonsense=x"}, []string{"not defined: -nonsense"}}, // so go says
		{"outside", []string{"HEAD"}, []string{"not in a git checkout", "--self"}},
	} {
		t.Chdir(dir)
		if c.dir == "outside" {
			t.Chdir(t.TempDir())
		} else {
			t.Chdir(c.dir)
		}
		out, errout, code := strobe(t, c.args...)
		if code != session.Usage || out != "" || strings.Count(errout, "\n") != 1 {
			t.Errorf("%q: exit %d, %q, %q", c.args, code, out, errout)
		}
		for _, want := range c.wants {
			if !strings.Contains(errout, want) {
				t.Errorf("%q: %q does not contain %q", c.args, errout, want)
			}
		}
	}
}

func TestAModuleInASubfolderIsComparedWithItsOwnBase(t *testing.T) {
	measures(t)
	module := files{"sub/go.mod": goMod, "sub/p_test.go": test(loop("A", "100"))}
	repository(t, files{"README": "x"}, module, files{"sub/p_test.go": test(loop("A", "200"), loop("B", "1"))})
	t.Chdir("sub")
	o, code := object(t, append([]string{"HEAD~1"}, wide...)...)
	if code != session.Done || o.benchmark("A").Outcome.String() != "passed" || !slices.Equal(o.Added, []string{"example.com/m.B"}) {
		t.Errorf("exit %d, %+v", code, o)
	}
	if b := o.benchmark("A"); b.File != "sub/p_test.go" || b.Line != 13 {
		t.Errorf("%s:%d", b.File, b.Line)
	}
	out, errout, code := strobe(t, "HEAD~2", "--max-time=1s")
	if code != session.Usage || out != "" || !strings.Contains(errout, "has no folder sub/") {
		t.Errorf("exit %d, %q, %q", code, out, errout)
	}
}

func TestAMissingModuleIsNamed(t *testing.T) {
	repository(t, files{"sub/go.mod": goMod, "sub/p_test.go": test(loop("A", "100"))})
	for args, want := range map[string]string{"": "this folder is in no module", "./sub/...": "this folder is in no module"} {
		out, errout, code := strobe(t, append([]string{"HEAD"}, strings.Fields(args)...)...)
		if code != session.Usage || out != "" || strings.Count(errout, "\n") != 1 || !strings.Contains(errout, want) || !strings.Contains(errout, "go.mod") {
			t.Errorf("%q: exit %d, %q, %q", args, code, out, errout)
		}
	}
	t.Chdir("sub")
	if _, errout, code := strobe(t, "HEAD", "./other"); code != session.Usage || !strings.Contains(errout, "go list says") || !strings.Contains(errout, "directory not found") {
		t.Errorf("exit %d, %q", code, errout)
	}
}

// The gate measures the working tree, including uncommitted changes, and only packages that could have changed.
func TestChangesThatAreNotCommittedCount(t *testing.T) {
	measures(t)
	repository(t, files{"go.mod": goMod, "p/p_test.go": test(loop("A", "100")), "p/testdata/x": "1"})
	out, _, code := strobe(t, "HEAD", "--max-time=1s")
	if code != session.Inconclusive || !strings.Contains(out, "same program:  example.com/m/p") || strings.Contains(out, "not committed") || !strings.Contains(out, "HEAD is the base itself") {
		t.Errorf("exit %d, %s", code, out)
	}
	edit(t, files{"p/testdata/x": "2", rulesName: "[[waiver]]\nbench = \"A\"\nmetric = \"time\"\nceiling = \"9950%\"\nreason = \"a trial\"\nexpires = 9999-12-31\n"})
	summary, report := filepath.Join(t.TempDir(), "summary"), filepath.Join(t.TempDir(), "report")
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	out, _, code = strobe(t, "HEAD", "--gate=9900%", "--level=80%", "--max-time=5m", "--run=2ms", "--layouts=0", "--markdown="+report)
	if code != session.Done || !strings.Contains(out, "not committed") || !strings.Contains(out, "passed") || strings.Contains(out, "same program") ||
		!strings.HasPrefix(strings.Join(strings.Fields(out), " "), "rules .strobe-gate.toml:1: the waiver for time of A is added: up to +9950 %") || !strings.Contains(out, "the waiver is not needed") {
		t.Errorf("exit %d, %s", code, out)
	}
	a, _ := os.ReadFile(summary)
	b, _ := os.ReadFile(report)
	if !bytes.Equal(a, b) || !bytes.Contains(a, []byte("### Performance: passed")) || !bytes.Contains(a, []byte("| example.com/m/p | A |")) {
		t.Errorf("%s\n%s", a, b)
	}
}

func TestAModuleIsComparedWithItself(t *testing.T) {
	measures(t)
	dir := t.TempDir()
	t.Chdir(dir) // a checkout is not needed
	t.Setenv("GITHUB_STEP_SUMMARY", "")
	t.Setenv("GOFLAGS", "")
	edit(t, files{"go.mod": goMod, "p_test.go": test(loop("A", "1000"))})
	var o gateObject
	var code int
	var b *gateBenchmark
	for _, limit := range []string{"4s", "20s", "100s"} { // on a busy machine there may be no round within the first
		o, code = object(t, "--self", "--max-time="+limit, "--run=2ms", "--layouts=2", "--by=cpu")
		if b = o.benchmark("A"); b.Rounds > 0 {
			break
		}
	}
	if code == session.GateFailed || code == session.Usage || o.Layouts != 2 || o.Commit != "" || o.By != "cpu" || b.Rounds == 0 {
		t.Fatalf("exit %d, %+v", code, o)
	}
	if b.Seen == nil && !has(o.Notes, "too few rounds to detect anything") || b.Seen != nil && (*b.Seen < b.Limit || !has(o.Notes, "on this machine, slowdowns of")) {
		t.Errorf("%+v, %q", b, o.Notes)
	}
}

// The benchmark records how often it has run.
func TestAnInterruptKeepsWhatWasMeasured(t *testing.T) {
	race.Sequential(t)
	dir := repository(t, files{"go.mod": goMod, "p_test.go": test(loop("A", "1000"))},
		files{"p_test.go": test(loop("A", "1000")) + "\nfunc init() {\n\tf, _ := os.OpenFile(os.Getenv(\"MARK\"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)\n\tf.WriteString(\"x\")\n}\n"})
	var o gateObject
	for runs := 40; ; runs *= 3 { // a busy machine may need more to calibrate
		mark := filepath.Join(t.TempDir(), "mark")
		t.Setenv("MARK", mark)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			for ctx.Err() == nil {
				if text, _ := os.ReadFile(mark); len(text) > runs {
					cancel()
				}
				time.Sleep(5 * time.Millisecond)
			}
		}()
		var out, errout bytes.Buffer
		code := cli.Run(ctx, []cli.Verb{verb}, []string{"gate", "--json", "HEAD~1", "--own-tests", "--level=99.999%", "--gate=0%", "--run=2ms", "--layouts=0"}, strings.NewReader(""), &out, &errout)
		o = gateObject{}
		if err := json.Unmarshal(out.Bytes(), &o); err != nil || code != session.Interrupted || !o.Interrupted {
			t.Fatalf("%v, exit %d, %s, %s", err, code, out.String(), errout.String())
		}
		if o.benchmark("A").Rounds > 0 {
			break
		}
		if runs > 500 {
			t.Fatalf("no round in %d runs: %s", runs, out.String())
		}
	}
	if trees := run(t, "git", "-C", dir, "worktree", "list"); strings.Count(trees, "\n") != 1 {
		t.Errorf("%s", trees)
	}
}

func TestAFileThatCannotBeWrittenIsNamedBeforeItMeasures(t *testing.T) {
	dir := repository(t, files{"go.mod": goMod, "p/p_test.go": test(loop("A", "100"))})
	t.Chdir(dir)
	out, errout, code := strobe(t, "HEAD", "--markdown=no/such/folder")
	if code != session.Unwritten || out != "" || !strings.Contains(errout, "no/such/folder") || strings.Count(errout, "\n") != 1 {
		t.Errorf("exit %d, %q, %q", code, out, errout)
	}
}

// Every block of a run counts: a block that fails or ends the process does not make a benchmark faster.
func TestABenchmarkThatEndsEarlyIsNotCompared(t *testing.T) {
	measures(t)
	const (
		once  = "Once(b *testing.B) {\n\tif tries++; tries == 3 {\n\t\tb.Fatal(\"the third\")\n\t}\n\tfor i := 0; i < b.N; i++ {\n\t}\n}\n\nvar tries int"
		exits = "Exits(b *testing.B) {\n\tif exits++; exits == 3 {\n\t\tos.Exit(0)\n\t}\n\tfor i := 0; i < b.N; i++ {\n\t}\n}\n\nvar exits int"
	)
	repository(t, files{"go.mod": goMod, "p_test.go": test("Once"+idle, "Exits"+idle, "Stays"+idle)}, files{"p_test.go": test(once, exits, "Stays"+idle)})
	o, code := object(t, append([]string{"HEAD~1"}, wide...)...)
	if code != session.CommandFailed || !has(o.Broken, "m.Once failed: ", "the third", "working tree") || !has(o.Broken, "m.Exits panicked: ", "os.Exit(0)", "working tree") {
		t.Errorf("exit %d, %q", code, o.Broken)
	}
}

// A measurement removes what a killed one has left, and leaves what belongs to a running one.
func TestWhatAKilledMeasurementLeftIsRemoved(t *testing.T) {
	race.Sequential(t)
	dir := repository(t, files{"go.mod": goMod, "p_test.go": test(loop("A", "100"))})
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TMP", os.Getenv("TMPDIR"))
	c, err := openCheckout(t.Context(), "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.add(t.Context()); err != nil {
		t.Fatal(err)
	}
	mine, err := worktree.Scratch()
	if err != nil {
		t.Fatal(err)
	}
	dead := exec.Command("git", "version")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	owner, err := os.ReadFile(filepath.Join(mine, "process"))
	if err != nil {
		t.Fatal(err)
	}
	killed := strings.Replace(string(owner), strconv.Itoa(os.Getpid()), strconv.Itoa(dead.Process.Pid), 1)
	all, _ := filepath.Glob(filepath.Join(os.TempDir(), "*"))
	for _, dir := range all {
		if dir == mine {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, "process"), []byte(killed), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if _, errout, code := strobe(t, "HEAD", "--max-time=1s"); code != session.Inconclusive {
		t.Errorf("exit %d, %s", code, errout)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); !slices.Equal(left, []string{mine}) {
		t.Errorf("left are %q", left)
	}
	if trees := run(t, "git", "-C", dir, "worktree", "list"); strings.Count(trees, "\n") != 1 {
		t.Errorf("%s", trees)
	}
}

// A cost that comes once in 20000 calls shows in long runs only.
func TestACostThatComesRarelyFails(t *testing.T) {
	measures(t)
	const code = `package p

var n, s uint64

func Append() {
	for i := range uint64(100) {
		s = s*6364136223846793005 + i
	}
	if n++; n%20000 == 0 {
		for i := range uint64(more) {
			s = s*6364136223846793005 + i
		}
	}
}
`
	bench := test("Append(b *testing.B) {\n\tfor b.Loop() {\n\t\tAppend()\n\t}\n}")
	repository(t, files{"go.mod": goMod, "p.go": strings.Replace(code, "more", "0", 1), "p_test.go": bench}, files{"p.go": strings.Replace(code, "more", "10000000", 1)})
	o, code1 := object(t, "HEAD~1", "--gate=100%", "--level=90%", "--max-time=5m", "--run=2ms", "--layouts=0")
	b := o.benchmark("Append")
	if code1 != session.GateFailed || b.Outcome.String() != "failed" || !strings.Contains(b.Sentence, "which short blocks of") || b.Long == nil || b.Long.New < 3*b.Long.Base || !(*b.New < 2**b.Base) {
		t.Errorf("exit %d, %+v, %+v", code1, b, b.Long)
	}
}
