// SPDX-License-Identifier: BSD-3-Clause

package stranger

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	try = flag.Bool("try", false, "measure the server as a stranger would, until the log has named both reasons")

	lockLine = regexp.MustCompile(`^strobe: main\.\(\*wiki\)\.\w+ took .* waiting for a lock at main\.go:(\d+) \(main\.\(\*wiki\)\.(?:latest|changed)\).*, held by goroutine \d+ at main\.go:\d+ \(main\.\(\*wiki\)\.changed\), which was in a system call at main\.go:(\d+) \(main\.\(\*wiki\)\.publish\)`)
	ownLine  = regexp.MustCompile(`^strobe: main\.\(\*wiki\)\.search took .* of its own code in main\.distance`)
	liveLine = regexp.MustCompile(`live view at (http://\S+)`)
)

// Somebody starts a server that is slow now and then with strobe run. What it prints, the terminal and the files name the line of the lock,
// and the line at which its holder was meanwhile.
func TestAStrangerIsToldWhyAServerIsSlow(t *testing.T) {
	if !*try {
		t.Skip("builds a server twice and waits for its slow requests; -try runs it, on a machine with processors to spare")
	}
	p := newProject(t)
	address, began := freeAddress(t), time.Now()
	lines, answered := p.run(t, address), begin(t, address)
	var first time.Time
	var url string
	lock, own, said := "", "", ""
	for late := time.After(2 * time.Minute); lock == "" || own == ""; {
		select {
		case <-answered:
			first, answered = time.Now(), nil
		case line, more := <-lines:
			if !more {
				t.Fatal("the server has ended")
			}
			if text, of := strings.CutPrefix(line, "strobe: main.(*wiki).search "); of {
				said = text
			}
			if m := liveLine.FindStringSubmatch(line); m != nil {
				url = m[1]
			}
			if m := lockLine.FindStringSubmatch(line); m != nil && lock == "" {
				lock = line
				t.Logf("the lock: %.1f s after strobe run, %.1f s after the first answer\n%s", time.Since(began).Seconds(), time.Since(first).Seconds(), line)
				p.at(t, m[1], "w.mu.Lock()")
				p.at(t, m[2], "w.feed.Sync()")
			}
			if own == "" && ownLine.MatchString(line) {
				own = line
				t.Logf("own code: %.1f s after strobe run, %.1f s after the first answer\n%s", time.Since(began).Seconds(), time.Since(first).Seconds(), line)
			}
		case <-late:
			t.Fatalf("not said in time: the lock %q, own code %q; a search last %s", lock[:min(9, len(lock))], own, said)
		}
	}
	if text, err := p.command(t, "top", "--once", url).CombinedOutput(); err != nil || !strings.Contains(string(text), "\nwhy: main.(*wiki).") {
		t.Errorf("%v\n%s", err, text)
	}
	files, err := filepath.Glob(filepath.Join(p.dir, "captures", "*.html"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d captures, %v", len(files), err)
	}
	for i, file := range files {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("others can read file %d of %d: %v", i, len(files), err)
		}
		cmd := p.command(t, "capture", file)
		cmd.Env = append(cmd.Env, "COLUMNS=1000")
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Errorf("%v\n%s", err, text)
		}
		if strings.HasPrefix(string(text), strings.TrimPrefix(lock, "strobe: ")+"\n") {
			return
		}
	}
	t.Errorf("none of %d files has %s", len(files), lock)
}

// at checks what is on a line of the server.
func (p *project) at(t *testing.T, line, want string) {
	t.Helper()
	if n, err := strconv.Atoi(line); err != nil || n < 1 || n > len(p.source) || strings.TrimSpace(p.source[n-1]) != want {
		t.Errorf("line %s is not %s", line, want)
	}
}
