// SPDX-License-Identifier: BSD-3-Clause

package wine

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var all = flag.Bool("all", false, "run the core's tests and the command for Windows in Wine, which takes minutes")

const root = "../../.."

// The packages whose tests run in Wine. Those of others need the go command, or are timed against each other.
var packages = []string{".", "clock", "clock/clocktest", "pace", "rolling", "stat", "stat/dist", "stat/exphist", "stat/hdrlog", "stat/sample", "stat/shared", "perf", "profile", "logreport"}

// Tests that start the go command, which is not in Wine.
const withGo = "TestSwitchedOffByTagNoCodeIsLeft|TestZonesAreRegionsInGosOwnTrace|TestBothBuildsExportTheSame"

// A machine is a folder with what Wine takes for a system of Windows.
type machine struct {
	wine   string
	folder string
}

// start makes a machine. Wine 8, which Debian has, lacks a library from which the runtime of Go takes one function.
func start(t *testing.T) machine {
	t.Helper()
	if !*all {
		t.Skip("programs run in Wine by go test -all; ./check windows does it")
	}
	var m machine
	for _, name := range []string{"/usr/lib/wine/wine64", "wine64", "wine"} {
		if path, err := exec.LookPath(name); err == nil {
			m.wine = path
			break
		}
	}
	if m.wine == "" {
		t.Fatal("Wine is not installed; on Debian: apt install wine64")
	}
	m.folder = t.TempDir()
	if out, code := m.run(t, 5*time.Minute, "", "", "wineboot", "--init"); code != 0 {
		t.Fatalf("wineboot: exit %d\n%s", code, out)
	}
	t.Cleanup(func() { // before the folder is removed
		server := exec.Command(filepath.Join(filepath.Dir(m.wine), "wineserver"), "--kill", "--wait")
		server.Env = append(os.Environ(), "WINEPREFIX="+m.folder)
		_ = server.Run()
	})
	name := filepath.Join(m.folder, "drive_c", "windows", "system32", "bcryptprimitives.dll")
	if _, err := os.Stat(name); err != nil {
		if err := os.WriteFile(name, library("bcryptprimitives.dll", forward{"ProcessPrng", "advapi32.SystemFunction036"}), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

// run runs a program in a folder and returns what it printed and its exit code; -1 if it did not end in time. The output is a file,
// since Wine's server, which goes on, would keep a pipe open.
func (m machine) run(t *testing.T, limit time.Duration, dir, stdin, program string, args ...string) (string, int) {
	t.Helper()
	out, err := os.CreateTemp(t.TempDir(), "out")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	c := exec.CommandContext(ctx, m.wine, append([]string{program}, args...)...)
	c.Dir, c.Stdin, c.Stdout, c.Stderr = dir, strings.NewReader(stdin), out, out
	c.Env = append(os.Environ(), "WINEPREFIX="+m.folder, "WINEDEBUG=-all", "WINEDLLOVERRIDES=mscoree,mshtml=", "GOTRACEBACK=all")
	c.WaitDelay = time.Second
	_ = c.Run() // the exit code says it
	text, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text), c.ProcessState.ExitCode()
}

// build builds a package, or its tests, for Windows.
func build(t *testing.T, dir string, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program.exe")
	c := exec.Command("go", append(args, "-ldflags=-w", "-o", file, ".")...)
	c.Dir, c.Env = dir, append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

func TestTheCoreWorksInWine(t *testing.T) {
	m := start(t)
	for _, p := range packages {
		t.Run(p, func(t *testing.T) {
			dir := filepath.Join(root, p)
			out, code := m.run(t, 10*time.Minute, dir, "", build(t, dir, "test", "-c", "-vet=off"), "-test.short", "-test.v", "-test.skip="+withGo)
			passed := strings.Count(out, "\n--- PASS")
			if code != 0 || passed == 0 {
				t.Errorf("exit %d, %d tests passed\n%s", code, passed, out)
			}
			t.Logf("%d tests passed", passed)
		})
	}
}

// What Wine cannot show is not claimed: it passes most questions on to the system below.
func TestTheCommandWorksInWine(t *testing.T) {
	m := start(t)
	self := build(t, filepath.Join(root, "cmd/strobe"), "build")
	for _, c := range []struct {
		args  string
		stdin string
		want  []string
		code  int
	}{
		{"stat -", strings.Repeat("1\n2\n3\n", 20), []string{"mean"}, 0},
		{"demo --for=2s --http=off", "", []string{"tick", "census"}, 0},
		{"probe", "", []string{"QueryPerformanceCounter", "Sleep"}, 0},
		{"gate HEAD", "", []string{"git"}, 2},
		{"nonsense", "", []string{"nonsense"}, 2},
	} {
		out, code := m.run(t, 3*time.Minute, t.TempDir(), c.stdin, self, strings.Fields(c.args)...)
		for _, want := range c.want {
			if !regexp.MustCompile(`(?i)` + want).MatchString(out) {
				t.Errorf("%s: no %q in\n%s", c.args, want, out)
			}
		}
		if code != c.code {
			t.Errorf("%s: exit %d, want %d\n%s", c.args, code, c.code, out)
		}
	}
}
