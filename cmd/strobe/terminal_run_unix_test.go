// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// looping works until its second interrupt.
const looping = `package main

import (
	"fmt"
	"os"
	"os/signal"
	"time"
)

//go:noinline
func work() (sum int) {
	for i := range 100_000 {
		sum += i % 7
	}
	return sum
}

func main() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	go func() {
		<-c
		signal.Reset(os.Interrupt)
		fmt.Println("closing")
	}()
	fmt.Println("started")
	for {
		work()
		time.Sleep(10 * time.Millisecond)
	}
}
`

// The keyboard reaches a program on a terminal, beside strobe run and through its view, and the second Ctrl-C may end it.
func TestRunOnATerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program and waits for terminals")
	}
	dir, before := t.TempDir(), os.Getenv("PATH")
	opened := filepath.Join(dir, "opened")
	for name, text := range map[string]string{"go.mod": "module example.com/looping\n\ngo 1.24\n", "main.go": looping,
		"xdg-open": "#!/bin/sh\necho \"$1\" >" + quoted(opened) + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("xdg-open", filepath.Join(dir, "open")); err != nil {
		t.Fatal(err)
	}
	command := func(flag string) string {
		return fmt.Sprintf(`PATH=%s:$PATH; export PATH; trap : INT; before=$(stty -g); %s run %s -C %s .; code=$?; `+
			`[ "$before" = "$(stty -g)" ] && same=same || same=other; echo "ended with $code: the $same terminal"`, quoted(dir), quoted(binary(t)), flag, quoted(dir))
	}
	ended := []string{"SIGINT", "ended with 130: the same terminal"} // the report, of which nothing may be known so early, and the end

	t.Run("open", func(t *testing.T) {
		shell := newTerminal(t, "open", 120, 50, command("--open"))
		shell.until("live view at", "started")
		text, err := os.ReadFile(opened)
		for end := time.Now().Add(20 * time.Second); len(text) == 0 && time.Now().Before(end); text, err = os.ReadFile(opened) {
			time.Sleep(20 * time.Millisecond) // Ctrl-C would reach what opens the page, too
		}
		shell.keys("C-c")
		shell.until("closing")
		shell.keys("C-c")
		shell.until(ended...)
		if err != nil || !strings.HasPrefix(string(text), "http://127.0.0.1:") {
			t.Errorf("%v: opened %q, on %s with PATH %s", err, text, runtime.GOOS, before)
		}
	})
	t.Run("top", func(t *testing.T) {
		shell := newTerminal(t, "top", 120, 50, command("--top"))
		if screen := shell.until("main.work", "? help"); strings.Contains(screen, "started") {
			t.Errorf("what the program prints is on the screen of the view:\n%s", screen)
		}
		shell.keys("C-c")
		shell.until("started", "closing")
		shell.keys("C-c")
		shell.until(ended...)
	})
	t.Run("leave", func(t *testing.T) {
		shell := newTerminal(t, "leave", 120, 50, command("--top"))
		shell.until("main.work", "? help")
		shell.keys("q")
		if screen := shell.until("started", "the program goes on"); strings.Contains(screen, "closing") {
			t.Errorf("leaving the view interrupted the program:\n%s", screen)
		}
		shell.keys("C-c")
		shell.until("closing")
		shell.keys("C-c")
		shell.until(ended...)
	})
}
