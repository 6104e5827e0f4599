// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// write puts a Lua script into a file.
func write(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "a.lua")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestScriptsRunAndFail(t *testing.T) {
	const summary, few = "ticks at ", "too few for any conclusion"
	for name, c := range map[string]struct {
		script   string
		code     int
		out, err string
	}{
		"function":        {"function tick(n) assert(n == (last or 0) + 1) last = n end", exitDone, summary, ""},
		"no function":     {"local x = 0 for i = 1, 100 do x = x + i end", exitDone, summary, ""},
		"empty":           {"", exitDone, summary, ""},
		"syntax":          {"function tick(", exitUsage, "", "does not compile"},
		"fails at once":   {"error('at once')", exitScript, few, "at once"},
		"fails later":     {"function tick(n) if n == 4 then local t = nil; t.x = 1 end end", exitScript, "3 ticks at ", "tick 4 failed"},
		"fails in lines":  {"function tick(n) error('two\\nlines') end", exitScript, few, "two lines"},
		"recurses":        {"function tick() return tick() + 1 end", exitScript, few, "stack overflow"},
		"exits":           {"function tick(n) if n == 4 then os.exit(1) end end", exitDone, "3 ticks at ", ""},
		"never ends":      {"function tick() while true do end end", exitDone, few, "tick 1 had been running"},
		"never begins":    {"while true do end", exitDone, few, "before its first tick"},
		"throws a table":  {"error({})", exitScript, few, "failed"},
		"prints a lot":    {"function tick(n) local s = string.rep('x', 1000) end", exitDone, summary, ""},
		"tick is a value": {"tick = 5", exitDone, summary, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errout bytes.Buffer
			var code int
			for _, span := range []string{"400ms", "2s", "10s"} { // the longer ones for a machine so busy that hardly a tick begins in the first
				out.Reset()
				errout.Reset()
				code = run(t.Context(), []string{"-rate", "1000", "-for", span, write(t, c.script)}, &out, &errout)
				if code == c.code && strings.Contains(out.String(), c.out) {
					break
				}
			}
			if code != c.code {
				t.Errorf("exit %d, want %d", code, c.code)
			}
			if !strings.Contains(out.String(), c.out) || c.out == "" && out.Len() > 0 {
				t.Errorf("printed %q, want %q", out.String(), c.out)
			}
			if !strings.Contains(errout.String(), c.err) || c.err == "" && errout.Len() > 0 || strings.Count(errout.String(), "\n") > 1 {
				t.Errorf("complained %q, want %q", errout.String(), c.err)
			}
		})
	}
}

func TestBadInputGetsOneLine(t *testing.T) {
	sample := "server.lua"
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "no script"},
		{[]string{"-nonsense", sample}, "-nonsense"},
		{[]string{"-rate", "0", sample}, "0.1 to 100000"},
		{[]string{"-rate", "-60", sample}, "0.1 to 100000"},
		{[]string{"-rate", "NaN", sample}, "0.1 to 100000"},
		{[]string{"-rate", "1e9", sample}, "0.1 to 100000"},
		{[]string{"-rate", "fast", sample}, "0.1 to 100000"},
		{[]string{"-rate"}, "-rate"},
		{[]string{"-for", "5", sample}, "such as 5s"},
		{[]string{"-for", "-5s", sample}, "such as 5s"},
		{[]string{sample, sample}, "give one"},
		{[]string{"missing.lua"}, "missing.lua"},
		{[]string{"."}, "cannot read"},
	} {
		var out, errout bytes.Buffer
		code := run(t.Context(), c.args, &out, &errout)
		if code != exitUsage || out.Len() > 0 || strings.Count(errout.String(), "\n") != 1 || !strings.Contains(errout.String(), c.want) {
			t.Errorf("%q: exit %d, %q, %q", c.args, code, out.String(), errout.String())
		}
	}
}

func TestHelp(t *testing.T) {
	var out, errout bytes.Buffer
	if code := run(t.Context(), []string{"-h"}, &out, &errout); code != exitDone || out.String() != usage || errout.Len() > 0 {
		t.Errorf("exit %d, %q, %q", code, out.String(), errout.String())
	}
}

func TestInterruptPrintsWhatWasMeasured(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	var out, errout bytes.Buffer
	code := run(ctx, []string{"-for", "0", "server.lua"}, &out, &errout)
	if code != exitInterrupted || !strings.Contains(out.String(), "tick") { // on a busy machine it may be that none has begun
		t.Errorf("exit %d, %q, %q", code, out.String(), errout.String())
	}
}

func TestProgramBuildsAndRuns(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "luatick")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	if text, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var out bytes.Buffer
	for _, span := range []string{"1300ms", "4s", "12s"} { // the longer ones for a machine so busy that a second is over too late for its line
		out.Reset()
		cmd := exec.Command(binary, "-rate", "100", "-for", span, "server.lua")
		cmd.Stdout = &out
		if err := cmd.Run(); err != nil {
			t.Errorf("the sample: %v", err)
		}
		if strings.Contains(out.String(), "ticks/s") {
			break
		}
	}
	for _, want := range []string{"ticks/s", "ticks at ", "were missed"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	for script, want := range map[string]int{"missing.lua": exitUsage, write(t, "error('at run time')"): exitScript} {
		err := exec.Command(binary, script).Run()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != want {
			t.Errorf("%s: %v, want exit code %d", script, err, want)
		}
	}
}
