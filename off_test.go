// SPDX-License-Identifier: BSD-3-Clause

//go:build amd64 || arm64

package strobe

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/internal/race"
)

// codeOf returns the object code of each function, without addresses and source lines.
func codeOf(t *testing.T, tags string) map[string]string {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the go command cannot be run here: ", err)
	}
	object := filepath.Join(t.TempDir(), "off.o")
	build := exec.Command("go", "build", "-tags", tags, "-o", object, "./testdata/off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build -tags %s: %v\n%s", tags, err, out)
	}
	out, err := exec.Command("go", "tool", "objdump", object).Output()
	if err != nil {
		t.Fatalf("go tool objdump: %v", err)
	}
	code := make(map[string]string)
	name := ""
	for _, l := range strings.Split(string(out), "\n") {
		if m := regexp.MustCompile(`^TEXT .*\.(\w+)\(SB\)`).FindStringSubmatch(l); m != nil {
			name = m[1]
		} else if f := strings.Fields(l); len(f) > 3 && name != "" {
			code[name] += f[2] + "\n" // the bytes
		}
	}
	return code
}

func TestSwitchedOffByTagNoCodeIsLeft(t *testing.T) {
	race.Sequential(t)
	off, on := codeOf(t, "strobe_off"), codeOf(t, "none")
	if len(off["Bare"]) == 0 || off["Bare"] != on["Bare"] {
		t.Fatalf("the plain function differs between builds, or was not found: %d bytes of text", len(off["Bare"]))
	}
	for _, f := range []string{"Spanned", "Lapped", "Guarded"} {
		if off[f] != off["Bare"] {
			t.Errorf("%s is not the code of Bare:\n%s", f, off[f])
		}
		if on[f] == on["Bare"] {
			t.Errorf("with measuring on, %s is the code of Bare: the comparison cannot fail", f)
		}
	}
}
