// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
)

// Only what is read from tells whether reading waits. The library is imported in the first file of the package, and used in the second.
func TestReadingIsWaitingIfWhatIsReadMayWait(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/reads\n\ngo 1.24\n",
		"a.go": `package main

import (
	"fmt"
	"net"
	"strings"
)

func main() {
	near, far := net.Pipe()
	go fmt.Fprint(near, "text\nmore")
	fmt.Println(lines(far, 5), lines(strings.NewReader("lines\n"), 4))
	fmt.Println(buffered(near, far), buffered(nil, strings.NewReader("a\n")))
}
`,
		"b.go": `package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
)

func lines(r io.Reader, n int) string {
	b := make([]byte, n)
	got, err := r.Read(b)
	if err != nil {
		return err.Error()
	}
	if _, err := io.ReadFull(r, b[:1]); err != nil {
		return err.Error()
	}
	return fmt.Sprint(got, string(b[:1]))
}

func buffered(near net.Conn, r io.Reader) (n int) {
	if near != nil {
		go func() {
			fmt.Fprint(near, "and\nmore\n")
			near.Close()
		}()
	}
	var b bufio.Reader
	b.Reset(r)
	for {
		line, err := b.ReadString('\n')
		if err != nil {
			return n
		}
		n += len(line)
	}
}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	report := filepath.Join(dir, "report.json")
	out, errout, code := clitest.Run(t, cli.Verb{Name: "run", Command: new(Command)}, "", "run", "-q", "--report", "--json", "-o", report, "-C", dir, ".")
	if code != 0 || out != "5m 4s\n12 2\n" {
		t.Fatalf("exit code %d, %q, %s", code, out, errout)
	}
	text, err := os.ReadFile(report)
	if err != nil {
		t.Fatal(err)
	}
	var o struct {
		Waits []struct {
			Name  string
			Calls uint64
		}
	}
	if err := json.Unmarshal(text, &o); err != nil {
		t.Fatal(err)
	}
	got := map[string]uint64{}
	for _, w := range o.Waits {
		got[w.Name] = w.Calls
	}
	// Of the buffered lines, the first one waits, and what follows the last one.
	for name, want := range map[string]uint64{"r.Read in main.lines": 1, "io.ReadFull in main.lines": 1, "b.ReadString in main.buffered": 2} {
		if got[name] != want {
			t.Errorf("%s: %d calls, want %d: %s", name, got[name], want, text)
		}
	}
}
