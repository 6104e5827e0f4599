// SPDX-License-Identifier: BSD-3-Clause

package stranger

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// A project is the server in a module of its own, and the command.
type project struct {
	dir    string
	source []string // lines of main.go
	path   string   // PATH with the command
}

// newProject copies the server. Its module requires what the module of these tests does, so that no network is needed.
func newProject(t *testing.T) *project {
	t.Helper()
	p := &project{dir: filepath.Join(t.TempDir(), "wiki")}
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	text := func(name string) string {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return strings.ReplaceAll(string(b), "\r\n", "\n")
	}
	source := text(filepath.Join("wiki", "main.go"))
	p.source = strings.Split(source, "\n")
	module := regexp.MustCompile(`(?m)^module .*`).ReplaceAllString(text("../../go.mod"), "module example.com/wiki")
	module = strings.ReplaceAll(module, "=> ../", "=> "+filepath.ToSlash(root)+"/")
	for name, content := range map[string]string{"main.go": source, "go.mod": module, "go.sum": text("../../go.sum")} {
		if err := os.MkdirAll(filepath.Join(p.dir, "wiki"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(p.dir, name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	bin := filepath.Join(filepath.Dir(p.dir), "bin")
	build := exec.Command("go", "build", "-trimpath=false", "-o", bin+string(filepath.Separator), "./cmd/strobe")
	build.Dir, build.Env = root, append(os.Environ(), "GOWORK=auto")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	p.path = bin + string(filepath.ListSeparator) + os.Getenv("PATH")
	return p
}

// command is a command of the stranger's, in the module.
func (p *project) command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(filepath.Join(strings.Split(p.path, string(filepath.ListSeparator))[0], "strobe"), args...)
	cmd.Dir, cmd.Env = p.dir, append(os.Environ(), "GOWORK=off", "PATH="+p.path)
	return cmd
}

// run starts the server by strobe run, and returns the lines that are printed. It is interrupted at the end of the test.
func (p *project) run(t *testing.T, address string) <-chan string {
	t.Helper()
	cmd := p.command(t, "run", "--capture", "captures", ".", "-addr", address)
	out, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := make(chan string, 10_000)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			lines <- s.Text()
		}
	}()
	t.Cleanup(func() {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			cmd.Process.Kill()
		}
		for range lines {
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("strobe run: %v", err)
		}
	})
	return lines
}

// use is what people do with a wiki until the context ends: they read pages, look what is new, change pages and search. It tells when
// the server has answered for the first time.
func use(ctx context.Context, address string, answered func()) {
	const titles = 100
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	do := func(method, path, body string) error {
		r, err := http.NewRequestWithContext(ctx, method, "http://"+address+path, strings.NewReader(body))
		if err != nil {
			return err
		}
		resp, err := client.Do(r)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		_, err = io.Copy(io.Discard, resp.Body)
		return err
	}
	pause := func(d time.Duration) bool {
		select {
		case <-ctx.Done():
			return false
		case <-time.After(d):
			return true
		}
	}
	for do(http.MethodGet, "/recent", "") != nil {
		if !pause(50 * time.Millisecond) {
			return
		}
	}
	answered()
	text := strings.Repeat("a few words ", 100)
	for n := range titles {
		_ = do(http.MethodPut, fmt.Sprintf("/page/page-%d", n), text)
	}
	var all sync.WaitGroup
	for client := range 4 {
		all.Go(func() {
			for random := rand.New(rand.NewPCG(uint64(client), 0)); pause(5 * time.Millisecond); {
				switch n := random.IntN(1000); {
				case n < 800:
					_ = do(http.MethodGet, fmt.Sprintf("/page/page-%d", n%titles), "")
				case n < 950:
					_ = do(http.MethodGet, "/recent", "")
				case n < 990:
					_ = do(http.MethodPut, fmt.Sprintf("/page/page-%d", n%titles), text)
				case n < 999:
					_ = do(http.MethodGet, "/search?q=page-7", "")
				default: // somebody pasted a page into the field
					_ = do(http.MethodGet, "/search?q="+strings.Repeat("a-few-words-", 4000), "")
				}
			}
		})
	}
	all.Wait()
}

// begin starts to use the server, and ends that with the test.
func begin(t *testing.T, address string) (answered <-chan struct{}) {
	ctx, cancel := context.WithCancel(context.Background())
	first, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		use(ctx, address, func() { close(first) })
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return first
}

// freeAddress returns an address at which nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err = errors.Join(err, l.Close()); err != nil {
		t.Fatal(err)
	}
	return l.Addr().String()
}
