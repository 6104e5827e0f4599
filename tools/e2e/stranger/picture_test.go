// SPDX-License-Identifier: BSD-3-Clause

package stranger

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/capture"
	"github.com/strobe-go/strobe/tools/docs"
)

var record = flag.Bool("record", false, "take the picture of docs/capture.md anew: needs tmux, and address 127.0.0.1:8080")

const (
	picture   = "../../../docs/stranger.svg"
	columns   = 118
	whichLock = `$(grep -l '"cause":"lock","share"' captures/*list* | head -n 1)`
)

// go -C tools test ./e2e/stranger -run Picture -record takes the picture anew.
func TestThePictureIsOfTodaysCommands(t *testing.T) {
	if *record {
		takePicture(t)
	}
	text, err := os.ReadFile(picture)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 30<<10 {
		t.Errorf("the picture has %d bytes", len(text))
	}
	manual, err := os.ReadFile("../../../cmd/strobe/doc.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := docs.TerminalLines(string(text))
	typed := regexp.MustCompile(`\$ strobe (\w+)( --\w+)?`)
	verbs := 0
	for _, line := range lines {
		if m := typed.FindStringSubmatch(line); m != nil {
			verbs++
			help := regexp.MustCompile(`(?m)^// # strobe ` + m[1] + `$`)
			if !help.Match(manual) || !strings.Contains(string(manual), m[2]) {
				t.Errorf("the manual has no %s", m[0])
			}
		}
	}
	if verbs != 3 {
		t.Errorf("%d commands of strobe are typed, want 3", verbs)
	}
	shown := masked(strings.Join(lines, ""))
	r := capture.Report{Root: "main.(*wiki).list", Took: 2e9, Usual: 1e9, Spent: 1e9, Cause: capture.Lock, Where: "main.go:1 (main.(*wiki).latest)", Zone: "w.mu.Lock in main.(*wiki).latest",
		By: "goroutine 1 at main.go:1 (main.(*wiki).changed)"}
	if sentence := masked(r.String()); strings.Count(shown, sentence) < 2 {
		t.Errorf("the log and strobe capture do not say %s:\n%s", sentence, shown)
	}
	for _, want := range []string{"why: main.(*wiki).", "live view at http://", "cause this time usual share where"} {
		if !strings.Contains(shown, masked(want)) {
			t.Errorf("the picture has no %q", want)
		}
	}
}

var (
	figure = regexp.MustCompile(`\d[\d.]*(ns|µs|ms|s)?`)
	blank  = regexp.MustCompile(`\s+`)
)

// masked is a text without its figures and spaces: a terminal breaks lines anywhere.
func masked(text string) string {
	return figure.ReplaceAllString(blank.ReplaceAllString(text, ""), "#")
}

// A terminal is a window of tmux with a shell.
type terminal struct {
	t      *testing.T
	socket string
}

// newTerminal opens a window in the stranger's folder. Its prompt has the time since began.
func newTerminal(t *testing.T, p *project, name string, began time.Time) *terminal {
	t.Helper()
	term := &terminal{t, fmt.Sprintf("stranger-%s-%d", name, time.Now().UnixNano())}
	start := filepath.Join(t.TempDir(), "start")
	script := fmt.Sprintf("export LC_ALL=C.UTF-8 NO_COLOR=1 GOWORK=off PATH='%s'\nSECONDS=%d\nPS1='[${SECONDS} s] $ '\n", p.path, int(time.Since(began).Seconds()))
	if err := os.WriteFile(start, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { exec.Command("tmux", "-L", term.socket, "kill-server").Run() })
	term.tmux("-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(columns), "-y", "100", "-c", p.dir, "bash --rcfile "+start)
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

// types types a command, and waits until the terminal shows a text after it, whatever the lines in which it does.
func (term *terminal) types(command string, shows *regexp.Regexp) {
	term.t.Helper()
	term.until(regexp.MustCompile(`\$$`)) // the prompt
	before := len(strings.Join(term.lines(), ""))
	term.tmux("send-keys", "-l", command)
	term.tmux("send-keys", "Enter")
	term.after(before+len(command), shows)
}

func (term *terminal) until(shows *regexp.Regexp) { term.t.Helper(); term.after(0, shows) }

func (term *terminal) after(skip int, shows *regexp.Regexp) {
	term.t.Helper()
	text := ""
	for end := time.Now().Add(4 * time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if text = strings.Join(term.lines(), ""); len(text) >= skip && shows.MatchString(text[skip:]) {
			return
		}
	}
	term.t.Fatalf("the terminal does not show %s:\n%s", shows, text)
}

// lines returns what the terminal shows, without empty lines at the end.
func (term *terminal) lines() []string {
	term.t.Helper()
	lines := strings.Split(term.tmux("capture-pane", "-p"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// takePicture runs the server in one terminal, asks in another, and draws what both show.
func takePicture(t *testing.T) {
	p, began := newProject(t), time.Now()
	prompts := regexp.MustCompile(`\] \$$`)
	first := newTerminal(t, p, "first", began)
	first.types("strobe run --capture captures .", regexp.MustCompile(`live view at`))
	begin(t, "127.0.0.1:8080")
	first.until(regexp.MustCompile(`strobe: main\.\(\*wiki\)\.list took.*waiting for a lock.*which was in a system call.* for \d`))
	server := first.lines()
	page := liveLine.FindStringSubmatch(strings.Join(server, "\n"))
	if page == nil {
		t.Fatalf("no address of the live page:\n%s", strings.Join(server, "\n"))
	}
	second := newTerminal(t, p, "second", began)
	second.types("strobe top --once "+page[1]+" | head -n 12", prompts)
	second.types(`strobe capture "`+whichLock+`" | head -n 16`, prompts)
	asked := second.lines()
	asked = asked[:len(asked)-1] // the last prompt
	first.tmux("send-keys", "C-c")
	first.until(prompts)
	title := "Two terminals: strobe run says which lock the requests of a server waited for, and so do strobe top and strobe capture"
	if err := os.WriteFile(picture, []byte(docs.Terminal(title, server, asked)), 0o666); err != nil {
		t.Fatal(err)
	}
}
