// SPDX-License-Identifier: BSD-3-Clause

package strobeprom

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var value = regexp.MustCompile(` [0-9.e+-]+$`)

// The README shows what example/main.go serves; the numbers may differ.
func TestReadmeShowsWhatTheExampleServes(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if testing.Short() {
		t.Skip("builds and runs the example")
	}
	bin := filepath.Join(t.TempDir(), "example.exe")
	if out, err := exec.Command("go", "build", "-o", bin, "./example").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := exec.Command(bin)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { c.Process.Kill(); c.Wait() }()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.Get(strings.TrimSpace(address))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	shown := func(text string) string {
		var lines []string
		for _, l := range strings.Split(text, "\n") {
			if strings.HasPrefix(l, "strobe_zone") {
				lines = append(lines, value.ReplaceAllString(l, ""))
			}
		}
		return strings.Join(lines, "\n")
	}
	if got, want := shown(string(body)), shown(string(readme)); got != want {
		t.Errorf("README.md shows\n%s\nand the example serves\n%s", want, got)
	}
}
