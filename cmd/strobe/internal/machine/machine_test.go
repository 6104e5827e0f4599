// SPDX-License-Identifier: BSD-3-Clause

package machine

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/goroot"
)

// entries reads a cpio archive in the format "newc".
func entries(t *testing.T, packed []byte) map[string]string {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for at := 0; ; {
		if string(b[at:at+6]) != "070701" || at%4 != 0 {
			t.Fatalf("no entry at %d", at)
		}
		field := func(i int) int {
			n, err := strconv.ParseUint(string(b[at+6+8*i:at+14+8*i]), 16, 32)
			if err != nil {
				t.Fatal(err)
			}
			return int(n)
		}
		mode, size, nameSize := field(1), field(6), field(11)
		name := string(b[at+110 : at+110+nameSize-1])
		body := (at + 110 + nameSize + 3) &^ 3
		if name == "TRAILER!!!" {
			return found
		}
		found[name] = fmt.Sprintf("%o %s", mode, b[body:body+size])
		at = (body + size + 3) &^ 3
	}
}

func TestPackedMachineHoldsTheProgramAndWhatItReads(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), mode)); err != nil {
			t.Fatal(err)
		}
		return file
	}
	first, program := write("first", "init!", 0o777), write("pkg/x.test", "prog", 0o777)
	write("pkg/a.txt", "beside", 0o666)
	write("pkg/testdata/deep/b.txt", "below", 0o666)
	write("pkg/sub/c.txt", "another package's", 0o666)
	initrd := filepath.Join(dir, "initrd")
	if err := (Machine{}).pack(initrd, first, "##mark", Program{Path: program, Args: []string{"-a b"}, Dir: filepath.Join(dir, "pkg")}); err != nil {
		t.Fatal(err)
	}
	packed, err := os.ReadFile(initrd)
	if err != nil {
		t.Fatal(err)
	}
	found := entries(t, packed)
	for name, want := range map[string]string{
		"init": "100755 init!", "bin/x.test": "100755 prog", "dir/pkg/a.txt": "100644 beside",
		"dir/pkg/testdata/deep/b.txt": "100644 below", "dir/pkg/testdata/deep": "40755 ", "dev/console": "20600 ",
	} {
		if runtime.GOOS != "windows" && found[name] != want || found[name] == "" { // Windows has no modes
			t.Errorf("%s: %q, want %q", name, found[name], want)
		}
	}
	if _, ok := found["dir/pkg/sub/c.txt"]; ok {
		t.Error("another package's folder is in it")
	}
	if o := found["order"]; !strings.Contains(o, `"-a b"`) || !strings.Contains(o, `"/bin/x.test"`) || !strings.Contains(o, `"/dir/pkg"`) {
		t.Errorf("order: %s", o)
	}
	again := filepath.Join(dir, "again")
	if err := (Machine{}).pack(again, first, "##mark", Program{Path: program, Args: []string{"-a b"}, Dir: filepath.Join(dir, "pkg")}); err != nil {
		t.Fatal(err)
	}
	if same, _ := os.ReadFile(again); !bytes.Equal(same, packed) {
		t.Error("packed twice it is not the same")
	}
}

func TestOutputIsWhatTheProgramPrints(t *testing.T) {
	const mark = "##strobe-x"
	for _, c := range []struct {
		console string
		lines   []string
		said    bool
		code    int
	}{
		{"boot\r\n" + mark + " run\r\na\r\n\r\n##b\r\n\n" + mark + " exit 3 \n", []string{"a", "", "##b"}, true, 3},
		{mark + " run\nno end\n" + mark + " exit 0 \n", []string{"no end"}, true, 0},
		{mark + " run\na\n\n\n" + mark + " exit 0 \n", []string{"a", ""}, true, 0},
		{mark + " run\na\nKernel panic\n", []string{"a", "Kernel panic"}, false, 0},
		{"boot\n", nil, false, 0},
	} {
		var lines []string
		v := &verdict{mark: mark, each: func(l string) { lines = append(lines, l) }}
		if err := v.read(strings.NewReader(c.console)); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(lines, c.lines) || v.said != c.said || v.code != c.code {
			t.Errorf("%q: %q, said %v, code %d", c.console, lines, v.said, v.code)
		}
	}
}

func TestAModuleIsCarried(t *testing.T) {
	root := filepath.Join(t.TempDir(), "mod")
	write := func(name, text string) {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"go.mod", "a/b/x.go", "a/testdata/in.txt", "other/y.go", ".git/config", "node_modules/z.js"} {
		write(name, name)
	}
	carried := func() (at string, found map[string]string) {
		var b bytes.Buffer
		a := newArchive(&b)
		at, err := carry(a, filepath.Join(root, "a", "b"))
		if err = errors.Join(err, a.close()); err != nil {
			t.Fatal(err)
		}
		return at, entries(t, b.Bytes())
	}
	at, found := carried()
	if at != "/dir/mod/a/b" {
		t.Errorf("the package is at %s", at)
	}
	has := func(what string, found map[string]string, wants map[string]bool) {
		t.Helper()
		for name, want := range wants {
			if _, ok := found["dir/mod/"+name]; ok != want {
				t.Errorf("%s: %s is there: %v", what, name, ok)
			}
		}
	}
	has("whole", found, map[string]bool{"a/b/x.go": true, "a/testdata/in.txt": true, "other/y.go": true, "go.mod": true, ".git/config": false, "node_modules/z.js": false})
	big, err := os.Create(filepath.Join(root, "big"))
	if err == nil {
		err = errors.Join(big.Truncate(mostCarried), big.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	_, found = carried()
	has("large", found, map[string]bool{"a/b/x.go": true, "a/testdata/in.txt": true, "other/y.go": false, "big": false})
}

func TestTheSameProgramGetsTheSameMachine(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p")
	mark := func(text string, args ...string) string {
		os.WriteFile(file, []byte(text), 0o777)
		m, err := markOf(Program{Path: file, Args: args})
		if err != nil || len(m) < 20 {
			t.Fatalf("%q, %v", m, err)
		}
		return m
	}
	if a := mark("a", "x"); a != mark("a", "x") || a == mark("b", "x") || a == mark("a", "y") {
		t.Error("the mark does not follow from the program")
	}
}

func TestTimesBecomeInstructions(t *testing.T) {
	l := Lines{Unit: Instructions, Exact: true}
	for _, c := range [][2]string{
		{"BenchmarkX-1 \t 100\t  6026 ns/op\t 51.2 MB/s\t 0 B/op", "Unit instructions/op better=lower assume=exact|BenchmarkX-1 \t 100\t  6026 instructions/op\t 0 B/op"},
		{"BenchmarkY \t 100\t  0.5 ns/op", "BenchmarkY \t 100\t  0.5 instructions/op"},
		{"BenchmarkZ says 5 things", "BenchmarkZ says 5 things"},
		{"ok \t 5 ns/op", "ok \t 5 ns/op"},
	} {
		if got := strings.Join(l.Rewrite(c[0]), "|"); got != c[1] {
			t.Errorf("%q: %q, want %q", c[0], got, c[1])
		}
	}
	var none Lines
	if got := none.Rewrite("BenchmarkX \t 1\t 5 ns/op"); len(got) != 1 || !strings.Contains(got[0], "ns/op") {
		t.Errorf("%q", got)
	}
}

func TestWhatIsMissingIsNamedWithARemedy(t *testing.T) {
	t.Setenv("STROBE_CACHE", t.TempDir())
	t.Setenv("STROBE_KERNEL", filepath.Join(t.TempDir(), "none"))
	var missing *Missing
	if _, err := FindKernel(""); !errors.As(err, &missing) || missing.Remedy == "" || strings.Contains(err.Error(), "\n") {
		t.Errorf("%v", err)
	}
	if _, err := FindKernel("0.0.none"); !errors.As(err, &missing) || !strings.Contains(err.Error(), "strobe exact --setup") {
		t.Errorf("%v", err)
	}
	if err := (Machine{Kernel: "none"}).Ready(); !errors.As(err, &missing) || !strings.Contains(err.Error(), "--kernel") {
		t.Errorf("%v", err)
	}
	t.Setenv("PATH", "")
	if _, err := findQEMU(); !errors.As(err, &missing) || !strings.Contains(err.Error(), "qemu-system-arm") {
		t.Errorf("%v", err)
	}
}

func TestTheOldestKernelIsFound(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("STROBE_CACHE", cache)
	t.Setenv("STROBE_KERNEL", "")
	os.Mkdir(filepath.Join(cache, "arm64"), 0o777)
	for _, name := range []string{"vmlinuz-6.12.1-arm64", "vmlinuz-6.1.0-56-arm64"} {
		os.WriteFile(filepath.Join(cache, "arm64", name), nil, 0o666)
	}
	if file, err := FindKernel(""); err != nil || filepath.Base(file) != "vmlinuz-6.1.0-56-arm64" {
		t.Errorf("%s, %v", file, err)
	}
	if file, err := FindKernel("6.12"); err != nil || filepath.Base(file) != "vmlinuz-6.12.1-arm64" {
		t.Errorf("%s, %v", file, err)
	}
}

func TestThisInstallationsTestingCanBeMadeToCount(t *testing.T) {
	source := filepath.Join(runtime.GOROOT(), "src") //lint:ignore SA1019 the installation that runs this test
	if _, err := os.Stat(filepath.Join(source, "testing")); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	file, err := overlay(source, dir, goroot.Uncut)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil || !bytes.Contains(text, []byte("testing_other.go")) || !bytes.Contains(text, []byte("strobe_exact.go")) {
		t.Errorf("%v: %s", err, text)
	}
	if text, err = os.ReadFile(filepath.Join(dir, "testing_other.go")); err != nil || bytes.Contains(text, []byte("time.Now()")) || !bytes.Contains(text, []byte("exactNow()")) {
		t.Errorf("%v: %s", err, text)
	}
	if text, err = os.ReadFile(filepath.Join(dir, "rand.go")); err != nil || !bytes.Contains(text, []byte("*seed = [32]byte{1}")) {
		t.Errorf("%v: the seed is not fixed", err)
	}
	if text, err = os.ReadFile(filepath.Join(dir, "benchmark.go")); err != nil || !bytes.Contains(text, []byte("return exactCalls(n)")) || bytes.Contains(text, []byte("%8d allocs/op")) {
		t.Errorf("%v: the number of calls is not rounded, or that of allocations is", err)
	}
	if _, err := overlay(t.TempDir(), dir); err == nil {
		t.Error("an installation without package testing")
	}
}

func TestMachinesOfDifferentWishesHaveTheirArguments(t *testing.T) {
	exact := strings.Join(Machine{Kernel: "k"}.arguments("i"), " ")
	for _, want := range []string{"-cpu neoverse-n1 ", "-smp 1 ", "-m 512 ", "-icount shift=0,sleep=off", "-nic none", "-kernel k -initrd i"} {
		if !strings.Contains(exact+" ", want) {
			t.Errorf("%q lacks %q", exact, want)
		}
	}
	if half := strings.Join(Machine{Kernel: "k", Clock: "none", CPU: "max", CPUs: 2, Memory: 100}.arguments("i"), " "); strings.Contains(half, "icount") ||
		!strings.Contains(half, "-cpu max -smp 2 -m 100") {
		t.Errorf("%q", half)
	}
}

func TestTheMachineGetsTheVariablesAskedFor(t *testing.T) {
	t.Setenv("GOGC", "off")
	t.Setenv("MINE", "1")
	t.Setenv("SECRET", "2")
	env := Machine{}.Environment(false, "MINE", "OTHER=3")
	for _, want := range []string{"STROBE_EXACT=1", "GOGC=off", "MINE=1", "OTHER=3"} {
		if !slices.Contains(env, want) {
			t.Errorf("%q lacks %s", env, want)
		}
	}
	if slices.Contains(env, "SECRET=2") {
		t.Errorf("%q", env)
	}
}

func TestCountsAreNotDisturbedByTheRuntime(t *testing.T) {
	for _, v := range os.Environ() { // such as GOMAXPROCS, which is passed on too
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "GO") {
			t.Setenv(name, "")
			os.Unsetenv(name)
		}
	}
	if env := (Machine{}).Environment(true); !slices.Contains(env, "GOGC=off") || !slices.Contains(env, "GOMEMLIMIT=384MiB") || !slices.Contains(env, "GODEBUG=memprofilerate=0") {
		t.Errorf("%q", env)
	}
	if env := (Machine{}).Environment(true, "GOGC=50", "GODEBUG=x=1"); !slices.Contains(env, "GOGC=50") || slices.ContainsFunc(env, func(e string) bool { return strings.HasPrefix(e, "GOMEMLIMIT") }) ||
		!slices.Contains(env, "GODEBUG=x=1,memprofilerate=0") {
		t.Errorf("asked for: %q", env)
	}
	if env := (Machine{}).Environment(false); len(env) != 1 {
		t.Errorf("a program that does not count itself: %q", env)
	}
}
