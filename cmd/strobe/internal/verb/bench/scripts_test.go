// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// The scripts in hyperfine's repository for its JSON run on ours. Neither Debian nor the module proxy has them, so the test takes
// them from a checkout: HYPERFINE_SCRIPTS=.../hyperfine/scripts. They need Python with numpy, scipy and matplotlib.
func TestHyperfinesScriptsRunOnOurJSON(t *testing.T) {
	dir := os.Getenv("HYPERFINE_SCRIPTS")
	if dir == "" {
		t.Skip("HYPERFINE_SCRIPTS does not name the folder scripts of a checkout of hyperfine")
	}
	scripts, err := filepath.Glob(filepath.Join(dir, "*.py"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts in %s: %v", dir, err)
	}
	folder := t.TempDir()
	results := filepath.Join(folder, "results.json")
	if _, errout, code := strobe(t, "bench", "-r5", "-w0", "-L", "n", "1,2", helper(t, "exit", "0")+" {n}", "--export-json", results); code != session.Done {
		t.Fatalf("exit %d, %q", code, errout)
	}
	for _, script := range scripts {
		args := []string{script, results}
		picture := filepath.Join(folder, filepath.Base(script)+".png")
		draws := strings.HasPrefix(filepath.Base(script), "plot_")
		if draws {
			args = append(args, "-o", picture)
		}
		if text, err := exec.Command("/usr/bin/env", append([]string{"python3"}, args...)...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", filepath.Base(script), err, text)
		}
		if _, err := os.Stat(picture); draws && err != nil {
			t.Error(err)
		}
	}
}
