// SPDX-License-Identifier: BSD-3-Clause

package build

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

func verb() cli.Verb { return cli.Verb{Name: "build", Command: new(Command)} }

func TestTheProgramRunsAnywhereAndExportsIfAsked(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/hello\n\ngo 1.24\n", "main.go": "package main\n\nimport \"os\"\n\n//go:noinline\nfunc hello(times int) {\n\tfor range times {\n\t\tos.Stdout.WriteString(\"hello\\n\")\n\t}\n}\n\nfunc main() { hello(len(os.Args)) }\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	file, snapshot := filepath.Join(dir, "hello.exe"), filepath.Join(dir, "out.json")
	if out, errout, code := clitest.Run(t, verb(), "", "build", "-C", dir, "-o", file, "."); code != 0 || out != "" || !strings.Contains(errout, "in 1 package") {
		t.Fatalf("exit code %d, %s%s", code, out, errout)
	}
	for _, env := range []string{"", "STROBE_EXPORT=" + snapshot} {
		cmd := exec.Command(file)
		cmd.Env = append(os.Environ(), env)
		if out, err := cmd.CombinedOutput(); err != nil || string(out) != "hello\n" {
			t.Errorf("%q: %v, %q", env, err, out)
		}
	}
	if text, err := os.ReadFile(snapshot); err != nil || !strings.Contains(string(text), `"main.hello"`) {
		t.Errorf("%v, %s", err, text)
	}
}

func TestWrongUsageIsOneLine(t *testing.T) {
	for _, args := range [][]string{{"."}, {"-o", "x", ".", "y"}, {"-o", t.TempDir(), "--list=x", "."}} {
		out, errout, code := clitest.Run(t, verb(), "", append([]string{"build"}, args...)...)
		if code != session.Usage || out != "" || strings.Count(errout, "\n") != 1 {
			t.Errorf("%q: exit code %d, %q", args, code, errout)
		}
	}
}

func TestHelpIsShort(t *testing.T) { clitest.Help(t, verb(), 60) }
