// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/program"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/long"
	"github.com/strobe-go/strobe/profile"
)

// serving is a program that has a zone and two pages of its own.
const serving = `package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"

	"github.com/strobe-go/strobe"
	_ "github.com/strobe-go/strobe/live/auto"
	"github.com/strobe-go/strobe/live"
)

var own = strobe.NewZone("own")

//go:noinline
func work(n int) (sum int) {
	defer own.Enter().Exit()
	for i := range n {
		sum += i % 7
	}
	return sum
}

func main() {
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	go http.Serve(on, live.Handler())
	other, err := live.Serve("127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	for range 100 {
		work(1000)
	}
	fmt.Println("http://"+on.Addr().String()+"/", other.URL())
	bufio.NewReader(os.Stdin).ReadString('\n')
	for range 100 {
		work(1000)
	}
}
`

// A program that shows itself already has one more page under strobe run, and each of them has all zones. The readers of the pages do not
// disturb the report.
func TestAProgramMayHaveAPageOfItsOwn(t *testing.T) {
	long.Only(t)
	_, file, _, _ := runtime.Caller(0)
	root := filepath.Join(filepath.Dir(file), "..", "..", "..", "..", "..")
	dir := t.TempDir()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	const library = "github.com/strobe-go/strobe"
	write(t, filepath.Join(dir, "go.mod"), strings.Replace(string(mod), "module "+library, "module example.com/serving\n\nrequire "+library+" v0.0.0\n\nreplace "+library+" => "+root, 1))
	write(t, filepath.Join(dir, "go.sum"), string(sum))
	write(t, filepath.Join(dir, "main.go"), serving)

	input, in := io.Pipe()
	defer in.Close() // the program, which reads it, ends
	out, printed := io.Pipe()
	errs, said := io.Pipe()
	s := &session.Session{Ctx: t.Context(), In: input, Out: printed, Err: said, Verb: "run", JSON: true}
	c := &Command{Flags: Flags{Flags: program.Flags{Dir: dir}, HTTP: "127.0.0.1:0", Rows: 24}}
	ended := make(chan error, 1)
	go func() {
		defer printed.Close()
		defer said.Close()
		plan, err := c.Prepare(s, ".", false, program.WithPage)
		if err != nil {
			ended <- err
			return
		}
		defer plan.Close()
		executable := filepath.Join(dir, "serving.exe")
		if err := c.Build(s, plan, false, executable); err != nil {
			ended <- err
			return
		}
		ended <- c.execute(s, plan, ".", executable, nil, dir)
	}()
	errlines := bufio.NewReader(errs)
	var before strings.Builder // what the go command says first, if anything
	var pages []string
	for address := regexp.MustCompile(`^strobe: live view at (\S+)\n$`); pages == nil; {
		line, err := errlines.ReadString('\n')
		if err != nil {
			t.Fatalf("%v, %v: %s", err, <-ended, before.String())
		}
		before.WriteString(line)
		if m := address.FindStringSubmatch(line); m != nil {
			pages = m[1:]
		}
	}
	rest := make(chan string, 1)
	go func() {
		text, _ := io.ReadAll(errlines)
		rest <- string(text)
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	go io.Copy(io.Discard, out)
	if pages = append(pages, strings.Fields(line)...); len(pages) != 3 || pages[0] == pages[1] || pages[0] == pages[2] {
		t.Errorf("pages at %q", pages)
	}
	for _, page := range pages {
		if own, inserted := callsAt(t, page); own != 100 || inserted != 100 {
			t.Errorf("%s has %d calls of the program's zone, and %d of that of the function", page, own, inserted)
		}
	}
	in.Close() // the program goes on
	text := <-rest
	if code, ok := (<-ended).(session.Exit); !ok || code != 0 {
		t.Errorf("exit code %v", code)
	}
	if strings.Contains(text, "live view") || strings.Contains(before.String(), "no live page") {
		t.Errorf("%s%s", before.String(), text)
	}
	for _, name := range []string{"main.work", "own"} {
		if calls, o := callsOf(t, text, name); calls != 200 || o.Missing != 0 {
			t.Errorf("%s has %d calls at the end, want 200", name, calls)
		}
	}
}

// callsAt returns the calls of two zones at a page.
func callsAt(t *testing.T, page string) (own, inserted uint64) {
	t.Helper()
	client := http.Client{Timeout: time.Minute}
	answer, err := client.Get(page + "snapshot.json")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var x struct{ Snapshot profile.Snapshot }
	if err := json.NewDecoder(answer.Body).Decode(&x); err != nil {
		t.Fatal(err)
	}
	for _, z := range x.Snapshot.Totals() {
		switch x.Snapshot.Zones[z.Zone].Name {
		case "own":
			own += z.Calls
		case "main.work":
			inserted += z.Calls
		}
	}
	return own, inserted
}
