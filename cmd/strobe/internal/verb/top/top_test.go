// SPDX-License-Identifier: BSD-3-Clause

package top

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/view"
)

// A machine may stop this process for seconds, and the figures that are expected are of the whole span.
func TestMain(m *testing.M) {
	onceWait = 2 * time.Minute
	os.Exit(m.Run())
}

func verb() cli.Verb { return cli.Verb{Name: "top", Command: new(Command)} }

func steady() *fake { return &fake{run: "a", loops: `["ticker","census"]`, speed: 20} }

func TestHelpIsShort(t *testing.T) { clitest.Help(t, verb(), 45) }

func TestOncePrintsATable(t *testing.T) {
	server := steady().serve(t)
	out, errout, code := clitest.RunNarrow(t, 80, verb(), "", "top", "--once", server.URL)
	if code != session.Done || errout != "" {
		t.Fatalf("exit %d, %q", code, errout)
	}
	for _, want := range []string{"fake  pid 4711  " + server.URL + "/  loop ticker\n", "96.15 frames/s  1% low 20.00  p99 50 ms  ", " over 16.67 ms\n", "lateness ms 0.0625\n", "\nslowest 50 ms, frame 100, ",
		"\nzone  ", "\njoin (wait)  ", "  40.0 %    10.0 %    4.16 ms    4.16 ms "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "never") || strings.Contains(out, "\x1b") {
		t.Errorf("idle zones, or colour:\n%s", out)
	}
	clitest.Fits(t, out, 24, 80)
}

func TestOnceIsCompleteInAPipe(t *testing.T) {
	server := steady()
	server.zone = strings.Repeat("a long name ", 8) + "ends"
	address := server.serve(t).URL
	out, _, code := clitest.Run(t, verb(), "", "top", "--once", address)
	for _, want := range []string{"\n" + server.zone + "  ", address, "lateness ms 0.0625", "14 goroutines", " over 16.67 ms"} {
		if code != session.Done || !strings.Contains(out, want) || strings.Contains(out, "…") || strings.Contains(out, "Omitted") {
			t.Errorf("exit %d, no %q in\n%s", code, want, out)
		}
	}
	out, _, _ = clitest.RunNarrow(t, 80, verb(), "", "top", "--once", address)
	clitest.Fits(t, strings.ReplaceAll(out, address, ""), 24, 80)
}

func TestOnceIsBoundedAndSaysWhatItCovers(t *testing.T) {
	server := steady()
	out, _, _ := clitest.Run(t, verb(), "", "top", "--once", server.serve(t).URL)
	if flat := strings.Join(strings.Fields(out), " "); !strings.Contains(out, "\n3 of 3 zones that were entered in ") || !strings.HasSuffix(flat, "; --json has all figures.") {
		t.Errorf("%s", out)
	}
	server = steady()
	server.more = 400
	address := server.serve(t).URL
	out, _, _ = clitest.Run(t, verb(), "", "top", "--once", address)
	flat := strings.Join(strings.Fields(out), " ")
	if n := strings.Count(out, "\nmore  "); n != mostZones-3 || !strings.Contains(flat, " 30 of 403 zones that were entered in ") || !strings.HasSuffix(flat, " --all has the others too, and --json all figures.") {
		t.Errorf("%d rows:\n%s", n, out)
	}
	out, _, _ = clitest.Run(t, verb(), "", "top", "--once", "--all", address)
	if n := strings.Count(out, "\nmore  "); n != 400 || !strings.Contains(strings.Join(strings.Fields(out), " "), " 403 of 403 zones ") {
		t.Errorf("%d rows with --all:\n%s", n, out)
	}
}

func TestOnceFitsANarrowTerminal(t *testing.T) {
	server := steady().serve(t)
	out, _, _ := clitest.RunNarrow(t, 60, verb(), "", "top", "--once", server.URL+"/"+strings.Repeat("path/", 8))
	clitest.Fits(t, out, 24, 80) // the address is one word
	out, _, _ = clitest.RunNarrow(t, 60, verb(), "", "top", "--once", server.URL)
	clitest.Fits(t, out, 24, 60)
}

func TestOnceSaysThatTheLoopIsNotThere(t *testing.T) {
	server := steady().serve(t)
	for loop, want := range map[string]string{"census": "", "nope": "the program has no loop \"nope\""} {
		out, errout, code := clitest.Run(t, verb(), "", "top", "--once", "--loop", loop, server.URL)
		if code != session.Done || !strings.Contains(out, "loop ") || (want == "") != (errout == "") || !strings.Contains(errout, want) {
			t.Errorf("%s: exit %d, %q, %q", loop, code, out, errout)
		}
	}
}

func TestOnceAsJSONIsOneObject(t *testing.T) {
	server := steady().serve(t)
	out, errout, code := clitest.Run(t, verb(), "", "top", "--once", "--json", "--loop", "census", server.URL)
	var o topObject
	if err := json.Unmarshal([]byte(out), &o); err != nil || code != session.Done || errout != "" {
		t.Fatalf("exit %d, %q, %v", code, errout, err)
	}
	if o.Schema != 1 || !o.Connected || o.Loop != "census" || *o.Rate != 96.15 || *o.Over != o.Of/100 || o.Worst.Took != 50e6 || o.Plots["lateness ms"] != 0.0625 {
		t.Errorf("%s", out)
	}
	if len(o.Zones) != 3 || o.Zones[0].Zone != "join" || !o.Zones[0].Wait || o.Zones[2].Share < 0.299 || o.Zones[2].Share > 0.301 {
		t.Errorf("%+v", o.Zones)
	}
}

func TestAServerShowsItsUnitsAndNoFrames(t *testing.T) {
	server := &fake{run: "a", loops: `[]`, speed: 20, served: true, zone: "request"}
	address := server.serve(t).URL
	out, errout, code := clitest.RunNarrow(t, 80, verb(), "", "top", "--once", address)
	if code != session.Done || errout != "" {
		t.Fatalf("exit %d, %q", code, errout)
	}
	for _, want := range []string{"\nrequest 100/s  p50 1.03", " ms  p99 -  longest 1.04 ms  p99.9 -\n", " seen, request ran 50 % of its time, was ready 0 %", "\nunits of ",
		"\nslowest 69 ms of request, 0.0 s ago; move +63 ms; route /cart\n", "\nopen for long: 1 of request, the longest for 2.5 s; route /slow\n",
		"\nwhy: request took 69 ms, 60 ms more than usual: it waited for a lock, 0 s ago", "12 of 340", "\nzone  "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	for _, no := range []string{"/s  1% low", ", frame ", " over 16.67 ms"} {
		if strings.Contains(out, no) {
			t.Errorf("%q in\n%s", no, out)
		}
	}
	out, _, code = clitest.Run(t, verb(), "", "top", "--once", "--json", address)
	var o topObject
	if err := json.Unmarshal([]byte(out), &o); err != nil || code != session.Done {
		t.Fatalf("exit %d, %v in %s", code, err, out)
	}
	if len(o.Units) != 1 || o.Units[0].Zone != "request" || o.Units[0].Rate != 100 || !o.Units[0].P50.Bounded() || o.Units[0].P99.Reason == "" || *o.Units[0].Max != 1040000 ||
		o.Units[0].Open != 2 || o.UnitSpan%1e9 != 0 || o.UnitSpan == 0 || o.Rate != nil || o.P99 != nil || o.Low1 != nil || o.Worst != nil || o.Over != nil || o.Loop != "" {
		t.Errorf("%s", out)
	}
	if u := o.Units[0]; u.Split == nil || u.Split.Running != u.Split.Waiting || u.Split.Running == 0 || o.Unseen != "" || u.Slowest == nil || u.Slowest.Cause != "lock" || u.Slowest.Took != 69e6 {
		t.Errorf("%+v", u)
	}
	if c := o.Slowest; c == nil || o.SlowUnits != 340 || o.Explained != 12 || o.Why != "request took 69 ms, 60 ms more than usual: it waited for a lock." || c.Unit != "request" || c.Took != 69e6 || c.Zone != "move" || c.More != 63e6 || len(c.Notes) != 1 || c.Notes[0].Value != "/cart" {
		t.Errorf("%s", out)
	}
}

func TestWhatCannotBeShownGetsOneLine(t *testing.T) {
	other := httptest.NewServer(nil) // answers 404
	defer other.Close()
	gone := httptest.NewServer(nil)
	gone.Close()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{gone.URL}, "standard output is not a terminal; use --once for a table or --json for lines"},
		{[]string{"--once", gone.URL}, "nothing listens at " + gone.URL},
		{[]string{"--json", gone.URL}, "nothing listens at " + gone.URL},
		{[]string{"--once", other.URL}, "HTTP status 404"},
		{[]string{"--json", other.URL}, "HTTP status 404"},
		{[]string{"--once", "host:x"}, "HOST:PORT"},
		{[]string{"--loop", "--once", gone.URL}, "--loop: --once is a flag"},
		{[]string{"--once", gone.URL, "--loop"}, "--loop: missing value (see strobe top --help)"},
		{[]string{"--once", "foo://x"}, "strobe top: URL: \"foo://x\" is not"},
	} {
		out, errout, code := clitest.Run(t, verb(), "", append([]string{"top"}, c.args...)...)
		if code != session.Usage || out != "" || strings.Count(errout, "\n") != 1 || !strings.Contains(errout, c.want) {
			t.Errorf("%q: exit %d, %q, %q", c.args, code, out, errout)
		}
	}
}

// lines is a writer that sends each line to a channel.
type lines struct {
	rest bytes.Buffer
	each func(string)
}

func (l *lines) Write(p []byte) (int, error) {
	l.rest.Write(p)
	for bytes.Contains(l.rest.Bytes(), []byte("\n")) {
		line, _ := l.rest.ReadString('\n')
		l.each(line)
	}
	return len(p), nil
}

func TestJSONIsALineASecondAndSaysWhenTheProgramIsAway(t *testing.T) {
	server := steady().serve(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	connected, away := 0, 0
	out := &lines{each: func(line string) {
		var o topObject
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Errorf("%v: %s", err, line)
		}
		switch {
		case o.Connected:
			if connected++; connected == 2 {
				go func() { // the program ends for good once it has been seen
					server.CloseClientConnections()
					server.Close()
				}()
			}
		case connected > 0 && ctx.Err() == nil: // the line of the next second may follow
			if away++; o.Error == "" || o.Program != "fake" {
				t.Errorf("away: %s", line)
			}
			cancel()
		}
	}}
	var e bytes.Buffer
	code := cli.Run(ctx, []cli.Verb{verb()}, []string{"top", "--json", server.URL}, strings.NewReader(""), out, &e)
	if code != session.Interrupted || away != 1 || e.Len() != 0 {
		t.Errorf("exit %d, %d lines with and %d without the program, %q", code, connected, away, e.String())
	}
}

// A recorded screen is a simulated terminal that keeps a copy of what it shows, since its contents belong to the goroutine that
// draws.
type recorded struct {
	tcell.SimulationScreen
	mu       sync.Mutex
	shot     string
	coloured bool
}

func (r *recorded) Show() {
	r.SimulationScreen.Show()
	cells, width, height := r.GetContents()
	var b strings.Builder
	coloured := false
	for y := range height {
		var line strings.Builder
		for _, c := range cells[y*width : (y+1)*width] {
			line.WriteString(string(c.Runes))
			fg, bg, _ := c.Style.Decompose()
			coloured = coloured || fg != tcell.ColorDefault || bg != tcell.ColorDefault
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.shot, r.coloured = b.String(), coloured
}

// screenshot returns the characters on the screen, and whether any have a colour.
func (r *recorded) screenshot() (shot string, coloured bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.shot, r.coloured
}

// A viewer is a run of the view on a simulated terminal.
type viewer struct {
	t      *testing.T
	screen *recorded
	done   chan bool // interrupted
	err    error
}

func watch(t *testing.T, color bool, url string) *viewer {
	v := &viewer{t, &recorded{SimulationScreen: tcell.NewSimulationScreen("UTF-8")}, make(chan bool, 1), nil}
	if err := v.screen.Init(); err != nil {
		t.Fatal(err)
	}
	v.screen.SetSize(80, 24)
	go func() {
		interrupted, err := run(t.Context(), v.screen, color, feed.Source{URLs: []string{url}, Name: "here", Rate: 10})
		v.err = err
		v.done <- interrupted
	}()
	return v
}

// until waits for a text to appear.
func (v *viewer) until(want string) string {
	v.t.Helper()
	return v.when(want, func(shot string) bool { return strings.Contains(shot, want) })
}

// when waits for a screen of some kind.
func (v *viewer) when(kind string, is func(shot string) bool) string {
	v.t.Helper()
	shot := ""
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if shot, _ = v.screen.screenshot(); is(shot) {
			return shot
		}
	}
	v.t.Fatalf("no %q within a minute:\n%s", kind, shot)
	return ""
}

func (v *viewer) key(r rune) { v.screen.InjectKey(tcell.KeyRune, r, tcell.ModNone) }

func (v *viewer) end() (interrupted bool) {
	v.t.Helper()
	select {
	case interrupted = <-v.done:
	case <-time.After(time.Minute):
		v.t.Fatal("it does not end")
	}
	return interrupted
}

func TestTheViewIsDrawnAndTakesKeys(t *testing.T) {
	f := steady()
	v := watch(t, false, f.serve(t).URL+"/")
	shot := v.until("join (wait)")
	clitest.Fits(t, shot, 24, 80)
	for _, want := range []string{"fake  pid 4711", "96.15 frames/s", "⣿⣿", "tick  "} {
		if !strings.Contains(shot, want) {
			t.Errorf("no %q in\n%s", want, shot)
		}
	}
	if _, coloured := v.screen.screenshot(); coloured {
		t.Error("colour that nobody wants")
	}
	v.key('?')
	v.until("Any key closes this help.")
	v.key('x')
	v.key('l')
	v.until("loop census")
	v.screen.SetSize(60, 20)
	v.screen.PostEvent(tcell.NewEventResize(60, 20))
	small := v.when("20 lines", func(shot string) bool { return strings.Count(shot, "\n") == 20 && strings.Contains(shot, "? help") })
	clitest.Fits(t, small, 20, 60)
	v.key('q')
	if v.end() || v.err != nil {
		t.Error(v.err)
	}
}

func TestTheViewWaitsForAProgramThatIsAway(t *testing.T) {
	f := steady()
	server := f.serve(t)
	v := watch(t, true, server.URL+"/")
	v.until("join (wait)")
	if _, coloured := v.screen.screenshot(); !coloured {
		t.Error("no colour")
	}
	f.away.Store(true) // otherwise it might be back before the test reads the screen
	server.CloseClientConnections()
	v.until("No connection: the connection ended; trying again.")
	f.away.Store(false)
	v.until("  live\n")
	server.CloseClientConnections()
	server.Close()
	v.until("nothing listens at here")
	v.screen.InjectKey(tcell.KeyCtrlC, 0, tcell.ModCtrl)
	if !v.end() {
		t.Error("Ctrl-C does not interrupt")
	}
}

func TestTheViewEndsWhereThereIsNoProgram(t *testing.T) {
	other := httptest.NewServer(nil)
	defer other.Close()
	v := watch(t, true, other.URL+"/")
	if v.end() || v.err == nil || !strings.Contains(v.err.Error(), "HTTP status 404") {
		t.Error(v.err)
	}
}

func TestWideCharactersTakeTheirColumns(t *testing.T) {
	screen := tcell.NewSimulationScreen("UTF-8")
	if err := screen.Init(); err != nil {
		t.Fatal(err)
	}
	defer screen.Fini()
	screen.SetSize(12, 4)
	texts := []string{"plain |", "日本  |", "e\u0301\u0301 \U0001F44D\U0001F3FD  |", "日本日本日本日本"}
	var lines []view.Line
	for _, text := range texts {
		lines = append(lines, view.Line{{Text: text[:len(text)-1]}, {Text: text[len(text)-1:]}})
	}
	lines[3] = view.Line{{Text: texts[3]}} // this line is wider than the screen
	draw(screen, lines, false)
	for y, text := range texts[:3] {
		if got, _, _ := screen.Get(6, y); got != "|" {
			t.Errorf("%q: %q in the seventh column", text, got)
		}
	}
}
