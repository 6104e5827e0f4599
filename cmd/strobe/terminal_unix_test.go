// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
)

// A terminal is a real terminal: a tmux server with one window.
type terminal struct {
	t      *testing.T
	socket string
}

// newTerminal runs a shell command in a terminal with the given columns and lines. Each terminal of a test has a different name.
func newTerminal(t *testing.T, name string, width, height int, command string) *terminal {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no terminal to draw on: ", err)
	}
	term := &terminal{t, fmt.Sprintf("strobe-%d-%s-%d", os.Getpid(), name, time.Now().UnixNano())} // the server of an earlier run may not have ended yet
	t.Cleanup(func() { exec.Command("tmux", "-L", term.socket, "kill-server").Run() })
	term.tmux("-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), "LC_ALL=C.UTF-8; export LC_ALL; "+command+"; exec sleep 600")
	return term
}

func (term *terminal) tmux(args ...string) string {
	term.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-u", "-L", term.socket}, args...)...).CombinedOutput()
	if err != nil {
		term.t.Fatalf("tmux %q: %v, %s", args, err, out)
	}
	return string(out)
}

// patience is how long to wait for what is soon on the screen unless the machine is busy.
const patience = 4 * time.Minute

// until waits for a screen that contains all these texts.
func (term *terminal) until(wants ...string) string {
	term.t.Helper()
	screen := ""
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		screen = term.tmux("capture-pane", "-p", "-e")
		all := true
		for _, want := range wants {
			all = all && strings.Contains(screen, want)
		}
		if all {
			return screen
		}
	}
	term.t.Fatalf("no %q within %v:\n%s", wants, patience, screen)
	return ""
}

func (term *terminal) keys(names ...string) {
	term.t.Helper()
	term.tmux(append([]string{"send-keys"}, names...)...)
}

// quoted quotes a word for a shell.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// strobe top restores the terminal, however it ends, and while it is stopped.
func TestTopGivesTheTerminalBack(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for terminals")
	}
	file := filepath.Join(t.TempDir(), "pid")
	const report = `before=$(stty -g); report() { [ "$before" = "$(stty -g)" ] && same=same || same=other; echo "$1 with $2: the $same terminal"; }; `
	top := fmt.Sprintf(`sh -c 'echo $$ >"$0"; exec "$@"' %s %s top %s; `, quoted(file), quoted(binary(t)), quoted(serveDemo(t)))
	shell := newTerminal(t, "back", 80, 24, ""+report+"set -m; "+
		top+"report suspended $?; read enter; fg; report left $?; read enter; set +m; "+
		top+"report stopped $?; read enter; "+
		top+"report interrupted $?; read enter; "+
		top+"report terminated $?; read enter")
	signal := func(s os.Signal) {
		t.Helper()
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		process, err := os.FindProcess(pid)
		if err == nil {
			err = process.Signal(s)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		how  func()
		want string
	}{
		{func() { shell.keys("C-z") }, fmt.Sprintf("suspended with %d: the same terminal", 128+int(syscall.SIGTSTP))},
		{func() { shell.keys("q") }, "left with 0: the same terminal"},
		{func() { // while it is stopped from outside, another program uses the terminal
			signal(syscall.SIGSTOP)
			tty, err := os.OpenFile(strings.TrimSpace(shell.tmux("display-message", "-p", "#{pane_tty}")), os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer tty.Close()
			sane := exec.Command("stty", "sane")
			sane.Stdin = tty
			if out, err := sane.CombinedOutput(); err != nil {
				t.Fatalf("%v, %s", err, out)
			}
			fmt.Fprint(tty, "\x1b[2Jsomebody else")
			shell.until("somebody else")
			signal(syscall.SIGCONT)
			shell.until("frames/s", "neighbours", "? help")
			shell.keys("q")
		}, "stopped with 0: the same terminal"},
		{func() { shell.keys("C-c") }, "interrupted with 130: the same terminal"},
		{func() { signal(syscall.SIGTERM) }, "terminated with 130: the same terminal"},
	} {
		shell.until("frames/s", "neighbours", "? help")
		c.how()
		shell.until(c.want)
		if got := strings.TrimSpace(shell.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag}")); got != "0 1" {
			t.Errorf("%s: alternate screen, cursor: %s, want 0 1", c.want, got)
		}
		shell.keys("Enter")
	}
}

// Lines that the terminal had to wrap are joined again, so that a line that is too wide is detected.
func TestTablesFitARealTerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for terminals")
	}
	self := binary(t)
	var compare []string
	for i, ns := range []int{12, 15} {
		text := "pkg: example.com/some/module/internal/thing\n" + strings.Repeat(fmt.Sprintf("BenchmarkEncode/size=1024/kind=small/and=more-8 100 %d ns/op 24 B/op\n", ns), 8)
		compare = append(compare, quoted(clitest.Write(t, fmt.Sprint(i), text)))
	}
	for name, args := range map[string]string{
		"compare": strings.Join(compare, " "), "bench": "--runs=6 " + quoted(command.Join([]string{self, "--version"})) + " --name=a", "gate": "--self ../../rolling --bench=Rate --max-time=1s --layouts=0",
	} {
		if _, err := exec.LookPath("go"); name == "gate" && err != nil {
			t.Log("without strobe gate: ", err)
			continue
		}
		term := newTerminal(t, name, 60, 60, quoted(self)+" "+name+" --no-color "+args+"; echo it ended with $?")
		term.until("it ended with ")
		screen := term.tmux("capture-pane", "-p", "-J", "-S", "-100")
		if name == "bench" {
			screen = screen[strings.Index(screen, "\n"):] // the first line, which is the command
		}
		clitest.Fits(t, screen, 200, 60)
		for _, word := range strings.Fields(screen) {
			if strings.HasPrefix(word, "…") {
				t.Errorf("%s: %s", name, word)
			}
		}
	}
}

func TestDemoAndTopOnARealTerminal(t *testing.T) {
	coloured := regexp.MustCompile("\x1b\\[3[0-7]m") // 39 is the default
	if testing.Short() {
		t.Skip("waits for terminals")
	}
	path := binary(t)
	self := quoted(path)
	demo := newTerminal(t, "demo", 80, 24, self+" demo --for 0 --boids 50 --http 127.0.0.1:0; echo it ended with $?")
	screen := demo.until("frames/s", "neighbours", "live", "⣿", "? help")
	if !coloured.MatchString(screen) {
		t.Errorf("no colour:\n%q", screen)
	}
	demo.keys("l")
	demo.until("loop census")
	demo.keys("/", "s", "t", "e", "e", "Enter", "?")
	demo.until("Any key closes this help.")
	demo.keys("x")
	demo.tmux("resize-window", "-x", "60", "-y", "20")
	url := ""
	for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) { // until the address, which may be half drawn, is one
		screen = demo.until("http://", "steer", "? help") // a terminal that shrinks loses its first lines until the next redraw
		_, rest, _ := strings.Cut(screen, "http://")
		url, _, _ = strings.Cut(rest, " ")
		if c, err := net.Dial("tcp", strings.TrimRight(url, "/")); err == nil {
			c.Close()
			break
		}
		if time.Now().After(end) {
			t.Fatalf("nothing listens at %s:\n%s", url, screen)
		}
	}

	top := newTerminal(t, "top", 80, 24, "NO_COLOR=1 "+self+" top "+quoted("http://"+url)+"; echo it ended with $?")
	screen = top.until("frames/s", "neighbours", "⣿")
	if coloured.MatchString(screen) {
		t.Errorf("colour in spite of NO_COLOR:\n%q", screen)
	}
	demo.keys("q")
	demo.until("it ended with 0")
	if full := demo.tmux("capture-pane", "-p", "-S", "-100"); !strings.Contains(full, "Live page: http://127.0.0.1:") || !strings.Contains(full, "  all  tick ") {
		t.Errorf("no summary after the view:\n%s", full)
	}
	top.until("No connection: ", "trying again")

	again := exec.Command(path, "demo", "--for=0", "--boids=50", "--http="+strings.TrimRight(url, "/"))
	if err := again.Start(); err != nil {
		t.Fatal(err)
	}
	defer again.Wait()
	defer again.Process.Kill()
	top.until(fmt.Sprintf("pid %d", again.Process.Pid), "live", "neighbours")
	top.keys("C-c")
	top.until("it ended with 130")
}
