// SPDX-License-Identifier: BSD-3-Clause

package bisect

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/sides"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/decide"
)

// A lab measures what a file called cost in each folder says: a number, or why the benchmark cannot be measured there.
type lab struct {
	measured int                        // builds that were measured
	judged   int                        // comparisons
	open     int                        // pairs that are not closed
	before   func(measured int)         // is called before a build is measured
	judging  func()                     // is called by each comparison
	lies     func(cost float64) float64 // what is measured of a cost, except by comparisons
}

// compare is a sides.Compare.
func (l *lab) compare(s *session.Session, o sides.Options, base, other string) (sides.Pair, error) {
	l.open++
	p := &labPair{lab: l, limit: o.Limit, rng: rand.New(rand.NewPCG(1, uint64(l.judged)))}
	var err error
	if p.base, err = cost(base); err != nil {
		return p, &sides.Fault{Base: true, Absent: strings.HasPrefix(err.Error(), "absent"), Why: "m.X " + err.Error()}
	}
	if p.other, err = cost(other); err != nil {
		return p, &sides.Fault{Absent: strings.HasPrefix(err.Error(), "absent"), Why: "m.X " + err.Error()}
	}
	return p, nil
}

// cost reads that of a folder.
func cost(folder string) (float64, error) {
	text, err := os.ReadFile(filepath.Join(folder, "p", "cost.go"))
	if err != nil {
		return 0, err
	}
	what, _, _ := strings.Cut(strings.TrimPrefix(string(text), "// "), "\n")
	x, err := strconv.ParseFloat(what, 64)
	if err != nil {
		return 0, errors.New(what)
	}
	return x, nil
}

// A labPair is a sides.Pair.
type labPair struct {
	*lab
	base, other float64
	built       float64
	limit       float64
	rng         *rand.Rand
}

const labLayouts = 4

func (p *labPair) rounds(ratio float64, n int) (all []float64) {
	for range n {
		all = append(all, math.Log(ratio)+0.002*p.rng.NormFloat64())
	}
	return all
}

func (p *labPair) Judge(*session.Session) (all []sides.Result) {
	p.judged++
	if p.judging != nil {
		p.judging()
	}
	ratio := p.other / p.base
	r := sides.Result{Package: "example.com/m", Name: "X", Folder: "p", Pattern: "^BenchmarkX$", Change: fmt.Sprintf("%+.0f %%", 100*(ratio-1)),
		Ratio: stat.Interval{Center: ratio, Lo: ratio - 0.01, Hi: ratio + 0.01, Level: 0.98}}
	for range labLayouts {
		r.Rounds = append(r.Rounds, p.rounds(ratio, 3))
	}
	switch {
	case ratio-0.01 > 1+p.limit:
		r.Outcome = decide.Failed
	case ratio+0.01 < 1+p.limit:
		r.Outcome = decide.Passed
	}
	return []sides.Result{r}
}

func (p *labPair) Layouts() int { return labLayouts }

func (p *labPair) Build(ctx context.Context, _ int, folder string, layout int) (program string, err error) {
	p.built, err = cost(folder)
	text, _ := os.ReadFile(filepath.Join(folder, "p", "cost.go"))
	return string(text), err
}

func (p *labPair) Rounds(ctx context.Context, _ int, n int) ([]float64, error) {
	p.measured++
	if p.before != nil {
		p.before(p.measured)
	}
	ratio := p.built / p.base
	if p.lies != nil {
		ratio = p.lies(p.built) / p.base
	}
	return p.rounds(ratio, n), ctx.Err()
}

func (p *labPair) Opened(context.Context, int) ([]string, bool) { return nil, true }

func (p *labPair) Close() { p.open-- }

// strobe runs the verb in process, and checks that nothing is left.
func (l *lab) strobe(t *testing.T, args ...string) (out, errout string, code int) {
	t.Helper()
	return l.within(t, t.Context(), args...)
}

func (l *lab) within(t *testing.T, ctx context.Context, args ...string) (out, errout string, code int) {
	t.Helper()
	t.Setenv("COLUMNS", "0")
	var o, e bytes.Buffer
	code = cli.Run(ctx, []cli.Verb{{Name: "bisect", Command: &Command{Compare: l.compare}}}, append([]string{"bisect"}, args...), strings.NewReader(""), &o, &e)
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 || l.open != 0 {
		t.Errorf("left are %q and %d pairs", left, l.open)
	}
	if trees, status := git(t, "worktree", "list"), git(t, "status", "--porcelain"); strings.Count(trees, "\n") != 1 || status != "" {
		t.Errorf("left are the work trees %s and %q", trees, status)
	}
	return o.String(), e.String(), code
}

// object runs the verb with --json.
func (l *lab) object(t *testing.T, args ...string) (o bisectObject, code int) {
	t.Helper()
	out, errout, code := l.strobe(t, append([]string{"--json"}, args...)...)
	if err := json.Unmarshal([]byte(out), &o); err != nil {
		t.Fatalf("exit %d, %v, %q, %q", code, err, out, errout)
	}
	t.Logf("exit %d, %s%s", code, out, errout)
	return o, code
}

func git(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command("git", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// commitCost makes a commit with this cost, and a subject that says so.
func commitCost(t *testing.T, number int, cost string) {
	t.Helper()
	if err := os.MkdirAll("p", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("p/cost.go", fmt.Appendf(nil, "// %s\n", cost), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("README", fmt.Appendln(nil, number), 0o666); err != nil {
		t.Fatal(err)
	}
	git(t, "add", "-A")
	git(t, "commit", "-q", "-m", fmt.Sprintf("change %d: %s", number, cost))
}

// repository makes a git repository with a commit for each cost, in a folder beside which nothing temporary is, and makes it the
// current one.
func repository(t *testing.T, costs ...string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil || runtime.GOOS == "js" {
		t.Skip("makes git repositories: ", err)
	}
	t.Chdir(t.TempDir())
	temp := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, temp)
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	for _, who := range []string{"AUTHOR", "COMMITTER"} {
		t.Setenv("GIT_"+who+"_NAME", "A. Name")
		t.Setenv("GIT_"+who+"_EMAIL", "a@example.com")
		t.Setenv("GIT_"+who+"_DATE", "2026-01-02T03:04:05Z")
	}
	git(t, "init", "-q", "-b", "main")
	for i, c := range costs {
		commitCost(t, i, c)
	}
	git(t, "tag", "good", "main~"+strconv.Itoa(len(costs)-1))
}

// subject returns the subjects of commits.
func subject(t *testing.T, hash string) string {
	t.Helper()
	return strings.TrimSpace(git(t, "log", "-1", "--format=%s", hash))
}

var sixteen = []string{"100", "101", "100.5", "100.1", "does not build: no such thing", "100.3", "99.8", "99.9", "100.4", "100.6", "100.2", "300", "301", "302",
	"does not build: nor here", "303"}

func TestTheCommitIsFoundAndNothingIsLeft(t *testing.T) {
	repository(t, sixteen...)
	var l lab
	o, code := l.object(t, "good..HEAD")
	if code != session.Done || !o.Confirmed || o.Culprit == "" || len(o.Changes) != 1 || o.Changes[0].Commit != o.Culprit || o.Changes[0].Author != "A. Name" ||
		o.Changes[0].Subject != "change 11: 300" || math.Abs(o.Changes[0].Ratio.Center-300/100.2) > 0.001 || o.Candidates[0].Commit != o.Culprit || o.Candidates[0].Probability != 1 {
		t.Errorf("exit %d, %+v", code, o)
	}
	if l.measured > 12 || l.judged != 2 {
		t.Errorf("%d measurements and %d comparisons of 15 commits", l.measured, l.judged)
	}
	out, errout, code := l.strobe(t, "good..HEAD", "./...", "--cpu=1")
	for _, want := range []string{"good..HEAD, 15 commits", "change 11: 300", "A. Name, 2026-01-02", "costs +199 % against its parent", "git show " + o.Culprit[:12],
		"git checkout --detach " + o.Culprit[:12] + " && strobe gate HEAD~1 example.com/m --bench='^BenchmarkX$' --gate=2% --cpu=1"} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if code != session.Done || errout != "" {
		t.Errorf("exit %d, %s", code, errout)
	}
	if _, err := os.Stat(".git/strobe"); err == nil {
		t.Error("what was measured is kept although all is done")
	}
}

func TestWithoutAProvenDifferenceNothingIsSearched(t *testing.T) {
	for _, last := range []string{"100", "101", "102.5", "50"} { // as fast, slower by too little, undecided, faster
		repository(t, "100", "120", last)
		var l lab
		o, code := l.object(t, "good..HEAD")
		if code != session.Inconclusive || o.Culprit != "" || o.Confirmed || o.Benchmark != "" || l.judged != 1 || l.measured != 0 || !o.Ends[0].Ratio.Known() {
			t.Errorf("%s: exit %d, %+v", last, code, o)
		}
		if out, errout, _ := l.strobe(t, "good..HEAD"); !strings.Contains(out, "example.com/m.X costs") || !strings.Contains(errout, "not proven slower") {
			t.Errorf("%s: %q, %q", last, out, errout)
		}
	}
}

func TestEachOfTwoRisesIsFound(t *testing.T) {
	repository(t, "100", "100", "100", "150", "150", "150", "150", "110", "110", "110", "200", "200", "200")
	o, code := new(lab).object(t, "good..HEAD")
	var found []string
	for _, c := range o.Changes {
		found = append(found, c.Subject)
	}
	if code != session.Done || !slices.Contains(found, "change 10: 200") || slices.Contains(found, "change 7: 110") || subject(t, o.Culprit) != "change 10: 200" {
		t.Errorf("exit %d, %q", code, found)
	}
}

func TestACommitThatCannotBeComparedWithItsParentIsNotNamed(t *testing.T) {
	repository(t, "100", "100", "100", "100", "does not build: a", "has no BenchmarkX", "200", "200", "200")
	o, code := new(lab).object(t, "good..HEAD")
	var may []string
	for _, c := range o.Candidates {
		may = append(may, fmt.Sprintf("%s %.2f", c.Subject[:len("change 4")], c.Probability))
	}
	slices.Sort(may)
	if code != session.Inconclusive || o.Culprit != "" || o.Confirmed || !slices.Equal(may, []string{"change 4 0.33", "change 5 0.33", "change 6 0.33"}) || len(o.Skipped) != 2 ||
		o.Skipped[0].Why != "does not build: a" {
		t.Errorf("exit %d, %q, %+v", code, may, o.Skipped)
	}
	out, errout, _ := new(lab).strobe(t, "good..HEAD")
	if !strings.Contains(out, "Not confirmed. It may be one of these commits:") || !strings.Contains(out, "33 %") || !strings.Contains(out, "(skipped)") || !strings.Contains(errout, "no commit is confirmed") {
		t.Errorf("%s%s", out, errout)
	}
}

// What single measurements point at, but a comparison does not find, is not named.
func TestWithoutConfirmationNoCommitIsNamed(t *testing.T) {
	costs := []string{"100"}
	for i := range 14 {
		costs = append(costs, strconv.Itoa(100+i+1)) // slowly
	}
	repository(t, costs...)
	l := lab{lies: func(cost float64) float64 {
		if cost >= 108 {
			return 114
		}
		return 100
	}}
	o, code := l.object(t, "good..HEAD", "--gate=5%")
	if code != session.Inconclusive || o.Culprit != "" || len(o.Changes) > 0 {
		t.Errorf("exit %d, %+v", code, o)
	}
}

func TestAnInterruptedSearchGoesOn(t *testing.T) {
	repository(t, sixteen...)
	ctx, cancel := context.WithCancel(t.Context())
	l := lab{before: func(measured int) {
		if measured == 3 {
			cancel()
		}
	}}
	out, errout, code := l.within(t, ctx, "good..HEAD", "--json")
	var o bisectObject
	if err := json.Unmarshal([]byte(out), &o); err != nil || code != session.Interrupted || !o.Interrupted || o.Culprit != "" || len(o.Candidates) == 0 {
		t.Errorf("exit %d, %v, %s", code, err, out)
	}
	kept, _ := filepath.Glob(".git/strobe/bisect-*.json")
	if len(kept) != 1 || !strings.Contains(errout, filepath.Base(kept[0])) || !strings.Contains(errout, "the same command continues") {
		t.Fatalf("%q, %s", kept, errout)
	}
	var other lab
	if _, errout, code := other.strobe(t, "good..HEAD", "--restart", "--gate=4%"); code != session.Done || strings.Contains(errout, "continues") {
		t.Errorf("another command: exit %d, %s", code, errout)
	}
	var next lab
	out, errout, code = next.strobe(t, "good..HEAD")
	if code != session.Done || !strings.Contains(out, "change 11: 300") || !strings.Contains(errout, "continues from 6 measurements") {
		t.Errorf("exit %d, %s%s", code, out, errout)
	}
	if next.measured+2 > other.measured {
		t.Errorf("%d measurements after 2 of %d", next.measured, other.measured)
	}
	if kept, _ := filepath.Glob(".git/strobe*"); len(kept) > 0 {
		t.Errorf("left is %q", kept)
	}
}

func TestAnInterruptWhileTheEndsAreComparedLeavesNothing(t *testing.T) {
	repository(t, "100", "100", "200")
	for _, format := range []string{"--json", "--no-color"} {
		ctx, cancel := context.WithCancel(t.Context())
		l := lab{judging: cancel}
		out, errout, code := l.within(t, ctx, "good..HEAD", format)
		if code != session.Interrupted || strings.Contains(out, "change 2") || errout != "" {
			t.Errorf("exit %d, %s%s", code, out, errout)
		}
		if kept, _ := filepath.Glob(".git/strobe*"); len(kept) > 0 {
			t.Errorf("left is %q", kept)
		}
	}
}

func TestThePictureHasACharacterForEachCommit(t *testing.T) {
	probabilities := []float64{0, 0.001, 0.5, 1, 0, 0.2}
	skipped := map[int]string{4: "does not build"}
	if got := picture(probabilities, skipped, 40); got != "▁▅█x▂" {
		t.Errorf("%s", got)
	}
	if got := picture(append(probabilities, 0), skipped, 3); got != "▅█▂" { // the most probable of two
		t.Errorf("%s", got)
	}
}

func TestWhenTheTimeIsUpTheCandidatesAreTold(t *testing.T) {
	repository(t, sixteen...)
	o, code := new(lab).object(t, "good..HEAD", "--max-time=1ns")
	if code != session.Inconclusive || o.Culprit != "" || len(o.Candidates) < 10 {
		t.Errorf("exit %d, %+v", code, o)
	}
	var l lab
	if _, errout, code := l.strobe(t, "good..HEAD", "--restart"); code != session.Done || errout != "" {
		t.Errorf("exit %d, %s", code, errout)
	}
}

func TestAMergeIsOneCommitUnlessAllAreSearched(t *testing.T) {
	repository(t, "100", "100", "100")
	git(t, "checkout", "-q", "-b", "side")
	for i, c := range []string{"100", "100", "200", "200"} {
		commitCost(t, 10+i, c)
	}
	git(t, "checkout", "-q", "main")
	git(t, "commit", "-q", "--allow-empty", "-m", "on main")
	git(t, "merge", "-q", "--no-ff", "-m", "Merge side", "side")
	git(t, "commit", "-q", "--allow-empty", "-m", "after it")
	o, code := new(lab).object(t, "good..HEAD")
	if code != session.Done || subject(t, o.Culprit) != "Merge side" || o.Commits != 5 {
		t.Errorf("exit %d, %+v", code, o)
	}
	o, code = new(lab).object(t, "good..HEAD", "--all")
	if code != session.Done || subject(t, o.Culprit) != "change 12: 200" || len(o.Merges) != 1 || subject(t, o.Merges[0]) != "Merge side" {
		t.Errorf("exit %d, %+v", code, o)
	}
}

func TestCommitsWithTheSameProgramAreOne(t *testing.T) {
	costs := slices.Repeat([]string{"100"}, 20)
	costs = append(costs, slices.Repeat([]string{"200"}, 20)...)
	repository(t, costs...)
	var l lab
	o, code := l.object(t, "good..HEAD")
	if code != session.Done || subject(t, o.Culprit) != "change 20: 200" {
		t.Errorf("exit %d, %+v", code, o)
	}
	if l.measured > 0 {
		t.Errorf("%d measurements of programs that the ends have", l.measured)
	}
}

func TestWrongUsageGetsOneLine(t *testing.T) {
	repository(t, "100", "100", "200")
	git(t, "checkout", "-q", "-b", "other", "good")
	commitCost(t, 9, "100")
	git(t, "checkout", "-q", "main")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	shallow := filepath.Join(t.TempDir(), "shallow")
	git(t, "clone", "-q", "--depth=2", "file://"+filepath.ToSlash(here), shallow)
	sha := strings.TrimSpace(git(t, "rev-parse", "good"))
	for _, c := range []struct {
		dir, args string
		wants     []string
	}{
		{here, "HEAD", []string{`"HEAD" is not a range`, "GOOD..BAD"}},
		{here, "..HEAD", []string{"is not a range"}},
		{here, "good...HEAD", []string{"is not a range"}},
		{here, "nothing..HEAD", []string{`unknown revision "nothing"`}},
		{here, "good..nothing", []string{`unknown revision "nothing"`}},
		{here, "HEAD..good", []string{"HEAD comes after good", "good..HEAD"}},
		{here, "other..HEAD", []string{"HEAD is not a descendant of other", sha[:12] + "..HEAD"}},
		{here, "HEAD..HEAD", []string{"the same commit"}},
		{here, "good..HEAD --gate=x", []string{"--gate", "5%"}},
		{here, "good..HEAD --level=50%", []string{"above 50%"}},
		{here, "good..HEAD --max-time=0", []string{"--max-time"}},
		{t.TempDir(), "good..HEAD", []string{"not in a git checkout"}},
		{shallow, "HEAD~1..origin/nothing", []string{"unknown revision"}},
	} {
		t.Chdir(c.dir)
		out, errout, code := clitest.Run(t, cli.Verb{Name: "bisect", Command: &Command{Compare: new(lab).compare}}, "", append([]string{"bisect"}, strings.Fields(c.args)...)...)
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

func TestEndsThatCannotBeMeasuredAreTold(t *testing.T) {
	for _, c := range []struct {
		costs []string
		code  int
		wants []string
	}{
		{[]string{"absent there", "100", "200"}, session.Usage, []string{"change 0", "m.X absent there", "later GOOD"}},
		{[]string{"100", "100", "absent there"}, session.Usage, []string{"change 2", "m.X absent there"}},
		{[]string{"100", "100", "does not build: x"}, session.CommandFailed, []string{"change 2", "does not build: x"}},
		{[]string{"does not build: x", "100", "200"}, session.CommandFailed, []string{"change 0", "does not build: x", "later GOOD"}},
	} {
		repository(t, c.costs...)
		out, errout, code := new(lab).strobe(t, "good..HEAD")
		if code != c.code || out != "" || strings.Count(errout, "\n") != 1 {
			t.Errorf("%q: exit %d, %q, %q", c.costs, code, out, errout)
		}
		for _, want := range c.wants {
			if !strings.Contains(errout, want) {
				t.Errorf("%q: %q does not contain %q", c.costs, errout, want)
			}
		}
	}
}

func TestHelpIsShort(t *testing.T) {
	clitest.Help(t, cli.Verb{Name: "bisect", Command: new(Command)}, 72)
}
