// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/flags"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// This program takes the place of QEMU and of the go command where emulated has installed it: a test program is the source
// of its tests, and comments in it say what the benchmarks count. tools/e2e has the tests with the emulated machine.
func TestMain(m *testing.M) {
	switch filepath.Base(os.Args[0]) {
	case "qemu-system-aarch64":
		os.Exit(fakeQEMU(os.Args[1:]))
	case "go":
		os.Exit(fakeGo(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// emulated installs this program in place of what --exact needs.
func emulated(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("needs symbolic links")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	kernel := filepath.Join(dir, "kernel")
	if err := errors.Join(os.Symlink(self, filepath.Join(dir, "qemu-system-aarch64")), os.Symlink(self, filepath.Join(dir, "go")), os.WriteFile(kernel, nil, 0o666)); err != nil {
		t.Fatal(err)
	}
	real, err := exec.LookPath("go")
	if err != nil {
		t.Skip(err)
	}
	t.Setenv("FAKE_STATE", t.TempDir()+"/")
	t.Setenv("REAL_GO", real)
	t.Setenv("STROBE_KERNEL", kernel)
	t.Setenv("GORACE", "atexit_sleep_ms=0") // or each process would end a second late under the race detector
	t.Setenv("STROBE_CACHE", t.TempDir())
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// fakeGo is the go command, except for builds.
func fakeGo(args []string) int {
	switch {
	case args[0] == "build": // the guest, which is never started
		return code(os.WriteFile(args[slices.Index(args, "-o")+1], nil, 0o777))
	case args[0] == "test":
		target := args[len(args)-1]
		text, err := os.ReadFile(filepath.Join(target, filepath.Base(target)+"_test.go"))
		if err != nil || strings.Contains(string(text), "undefined") || os.Getenv("GOARCH") != "arm64" {
			fmt.Fprintln(os.Stderr, "# example.com/m/p\np/p_test.go:9: undefined: x")
			return 1
		}
		return code(os.WriteFile(args[slices.Index(args, "-o")+1], text, 0o666))
	}
	cmd := exec.Command(os.Getenv("REAL_GO"), args...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return code(cmd.Run())
}

func code(err error) int {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// fakeQEMU runs the order in the initial file system as the guest does.
func fakeQEMU(args []string) int {
	f, err := os.Open(args[slices.Index(args, "-initrd")+1])
	if err != nil {
		return code(err)
	}
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		return code(err)
	}
	found := map[string][]byte{}
	for head := make([]byte, 110); ; { // a cpio archive in the format "newc"
		if _, err := io.ReadFull(unpacked, head); err != nil {
			return code(err)
		}
		var size, named int
		fmt.Sscanf(string(head[54:62]), "%x", &size)
		fmt.Sscanf(string(head[94:102]), "%x", &named)
		rest := make([]byte, (len(head)+named+3)&^3-len(head)+(size+3)&^3)
		if _, err := io.ReadFull(unpacked, rest); err != nil {
			return code(err)
		}
		name := string(rest[:named-1])
		if name == "TRAILER!!!" {
			break
		}
		at := (len(head)+named+3)&^3 - len(head)
		found[name] = rest[at : at+size]
	}
	var order struct {
		Mark string
		Args []string
	}
	if err := json.Unmarshal(found["order"], &order); err != nil {
		return code(err)
	}
	fmt.Println(order.Mark, "run")
	ended, ok := fakeProgram(string(found[strings.TrimPrefix(order.Args[0], "/")]), order.Args)
	if ok {
		fmt.Printf("\n%s exit %d \n", order.Mark, ended)
	}
	return 0
}

// fakeProgram reads comments "// NAME count count ...": each run prints the next count, and then repeats the last. After a colon a
// count has the number of allocations. ok is false if the machine goes off before the program ends.
func fakeProgram(text string, args []string) (ended int, ok bool) {
	var pattern *regexp.Regexp
	calls, list := "1000", false
	for _, a := range args {
		if value, ok := strings.CutPrefix(a, "-test.bench="); ok {
			pattern = regexp.MustCompile(value)
		}
		if value, ok := strings.CutPrefix(a, "-test.benchtime="); ok && strings.HasSuffix(value, "x") {
			calls = strings.TrimSuffix(value, "x")
		}
		list = list || strings.HasPrefix(a, "-test.list")
	}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] != "//" {
			continue
		}
		name := "Benchmark" + words[1]
		switch {
		case list:
			fmt.Println(name)
			continue
		case !pattern.MatchString(name):
			continue
		case words[2] == "panics":
			fmt.Println("panic: boom")
			return 2, true
		case words[2] == "stops":
			return 0, false
		}
		n := 0
		if calls != "1000" || strings.HasPrefix(pattern.String(), "^") { // it is being measured, not searched for
			log, _ := os.OpenFile(os.Getenv("FAKE_STATE")+filepath.Base(args[0])+name, os.O_APPEND|os.O_CREATE|os.O_RDWR, 0o666)
			seen, _ := io.ReadAll(log)
			n = min(len(seen), len(words)-3)
			log.WriteString("x")
			log.Close()
		}
		count, allocs, _ := strings.Cut(words[2+n], ":")
		fmt.Printf("%s \t %s\t %s ns/op\t 0 B/op\t %s allocs/op\n", name, calls, count, cmp.Or(allocs, "1"))
	}
	fmt.Println("PASS")
	return 0, true
}

// counted returns a test file with benchmarks that have the counts of the lines.
func counted(lines ...string) string {
	return "package p\n\nimport \"testing\"\n\nfunc BenchmarkA(b *testing.B) {}\n\n// " + strings.Join(lines, "\n// ") + "\n"
}

// Equal counts of instructions say nothing about a metric that has a limit of its own.
func TestOtherLimitsHoldInTheEmulatedMachine(t *testing.T) {
	repository(t,
		files{"go.mod": goMod, "p/p_test.go": counted("Same 100:2", "More 100:2", "Unsteady 100:2")},
		files{"p/p_test.go": counted("Same 100:2", "More 100:3", "Unsteady 100:3 100:2")})
	emulated(t)
	o, code := object(t, "HEAD~1", "--exact", "--limit=allocs=0")
	if code != session.GateFailed {
		t.Errorf("exit %d", code)
	}
	for name, want := range map[string]string{"Same": "passed", "More": "failed", "Unsteady": "undecided"} {
		if got := o.benchmark(name).Outcome.String(); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if !has(o.Gate.Reasons, "p.More has 3 allocs/op, 2 on the base: +50 %, more than the allowed +0 %") {
		t.Error(o.Gate.Reasons)
	}
}

func TestInstructionsAreComparedInsteadOfTime(t *testing.T) {
	repository(t,
		files{"go.mod": goMod, "p/p_test.go": counted("Equal 100", "Half 1000", "Less 200", "Some 100", "Unsteady 100 104", "Steady 100 101", "Vanishes 5")},
		files{"p/p_test.go": counted("Equal 100", "Half 1005", "Less 150", "Some 104", "Unsteady 103 101", "Steady 102 103", "Comes 7")})
	emulated(t)
	report := filepath.Join(t.TempDir(), "report")
	o, code := object(t, "HEAD~1", "--exact", "--gate=0.3%", "--gate=Some=4.1%", "--gate=Unsteady=2%", "--gate=Steady=3.5%", "--markdown="+report)
	if code != session.GateFailed || o.By != "instructions (emulated)" || o.Level != 0 || o.Seed != 0 || o.Gate.Outcome.String() != "failed" {
		t.Errorf("exit %d, %+v", code, o)
	}
	for name, want := range map[string]struct {
		outcome string
		counts  int
		text    string
	}{
		"Equal":    {"passed", 1, "p.Equal runs 100 instructions (emulated) a call, 100 on the base, over 1000 calls: +0 %, no more than the allowed +0.3 %"},
		"Half":     {"failed", 2, "runs 1005 instructions (emulated) a call, 1000 on the base, over 1000 calls: +0.5 %, more than the allowed +0.3 %"},
		"Less":     {"passed", 2, "-25 %, no more than"},
		"Some":     {"passed", 2, "+4 %, no more than the allowed +4.1 %"},
		"Unsteady": {"undecided", mostCounts, "[-2.9, +3.0] %, and the allowed +2 % is between them; the counts differ from run to run"},
		"Steady":   {"passed", 2, "[+1.0, +3.0] %, no more than"},
	} {
		b := o.benchmark(name)
		if b.Outcome.String() != want.outcome || b.Rounds != want.counts || !strings.Contains(b.Sentence, want.text) || b.Base != nil || b.BaseCount == nil || !b.Ratio.Known() {
			t.Errorf("%s: want %+v, have %+v", name, want, b)
		}
		if (b.Again == "") != (want.outcome == "passed") || b.Again != "" && !strings.Contains(b.Again, " --exact") {
			t.Errorf("%s: %q", name, b.Again)
		}
	}
	if !slices.Equal(o.Added, []string{"example.com/m/p.Comes"}) || !slices.Equal(o.Vanished, []string{"example.com/m/p.Vanishes"}) {
		t.Errorf("%q, %q", o.Added, o.Vanished)
	}
	text, _ := os.ReadFile(report)
	for _, want := range []string{"- passed: 4 of 6 benchmarks run no more instructions (emulated) than allowed", "compared by instructions (emulated)", "| counts | verdict |", "| Half | 1000 | 1005 | +0.5 % | 2 | FAILED |"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is not in %s", want, text)
		}
	}
}

func TestWhatFailsInTheEmulatedMachineIsNamed(t *testing.T) {
	repository(t, files{"go.mod": goMod, "p/p_test.go": counted("A 100", "Bad 100", "Slow 100", "Both panics")},
		files{"p/p_test.go": counted("A 100", "Bad panics", "Slow stops", "Both panics")})
	emulated(t)
	out, errout, code := strobe(t, "HEAD~1", "--exact")
	if code != session.CommandFailed || strings.Count(errout, "\n") != 1 {
		t.Errorf("exit %d, %q", code, errout)
	}
	out = strings.Join(strings.Fields(out), " ")
	for _, want := range []string{"p.Bad panicked: boom on the working tree", "p.Slow the emulated machine stopped without reporting how the program ended on the working tree", "p.Both panicked: boom on both sides",
		"A 100 100 +0 % 1 passed", "compared by instructions (emulated)"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in %s", want, out)
		}
	}
}

// A gate that compared nothing has not passed.
func TestWhatBuildsOnNeitherSideIsNotPassed(t *testing.T) {
	repository(t, files{"go.mod": goMod, "p/p_test.go": counted("A undefined")}, files{"p/p_test.go": counted("B undefined")})
	emulated(t)
	out, _, code := strobe(t, "HEAD~1", "--exact")
	out = strings.Join(strings.Fields(out), " ")
	if code != session.Inconclusive || !strings.Contains(out, "on both sides") || !strings.Contains(out, "nothing was compared") {
		t.Errorf("exit %d, %s", code, out)
	}
}

func TestTheEmulatedMachineHasMoreTime(t *testing.T) {
	asked := flags.Duration(time.Second)
	for want, f := range map[time.Duration]*Flags{time.Minute: {}, 10 * time.Minute: {Exact: true}, time.Second: {Exact: true, Timeout: &asked}} {
		if got := f.timeout(); got != want {
			t.Errorf("%+v: %v, want %v", f, got, want)
		}
	}
}

func TestExactNeedsItsMachineAndNoOtherFlags(t *testing.T) {
	repository(t, files{"go.mod": goMod, "p/p_test.go": counted("A 100")})
	t.Setenv("STROBE_KERNEL", "/none")
	for _, c := range []struct {
		args  []string
		wants []string
	}{
		{[]string{"HEAD", "--exact"}, []string{"--exact: STROBE_KERNEL names /none, which cannot be read"}},
		{[]string{"HEAD", "--exact", "--by=cpu"}, []string{"leave --by out"}},
		{[]string{"HEAD", "--exact", "--layouts=2"}, []string{"leave --layouts out"}},
		{[]string{"HEAD", "--exact", "--profile=x"}, []string{"leave --profile out"}},
		{[]string{"HEAD", "--kernel=x"}, []string{"--kernel is for --exact"}},
	} {
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
