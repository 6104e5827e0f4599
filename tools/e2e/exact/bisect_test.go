// SPDX-License-Identifier: BSD-3-Clause

package exact

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Of four commits each changes the code, and one adds one percent of instructions.
func TestTheCommitWithMoreInstructionsIsFound(t *testing.T) {
	strobe, dir := module(t, before)
	const slow = 3
	for i := 1; i <= 5; i++ {
		n := "n"
		if i >= slow {
			n = "n + n/100"
		}
		text := strings.ReplaceAll(strings.Replace(before, "range n", "range "+n, 1), "i * i", fmt.Sprintf("i * i + %d", i))
		if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("git", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-a", "-m", fmt.Sprint("change ", i))
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	cmd := exec.Command(strobe, "bisect", "HEAD~4..HEAD", "--exact", "--bench=Sum", "--gate=0.5%", "--json")
	cmd.Dir = dir
	out, err := cmd.Output()
	var o struct {
		Confirmed bool
		Changes   []struct{ Subject string }
	}
	if err != nil || json.Unmarshal(out, &o) != nil || !o.Confirmed || len(o.Changes) != 1 || o.Changes[0].Subject != fmt.Sprint("change ", slow) {
		t.Errorf("%v: %s", err, out)
	}
}
