// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package attach

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/internal/tether"
)

var built struct {
	sync.Once
	file string
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.file != "" {
		os.RemoveAll(filepath.Dir(built.file))
	}
	os.Exit(code)
}

// endings returns the program of testdata, built as strobe build does.
func endings(t *testing.T) string {
	t.Helper()
	if !strobe.Enabled {
		t.Skip("nothing is measured with the tag strobe_off")
	}
	built.Do(func() {
		dir, err := os.MkdirTemp("", "strobe-endings-")
		if err != nil {
			built.err = err
			return
		}
		built.file = filepath.Join(dir, "endings")
		out, err := exec.Command("go", "build", "-tags=strobe_run,netgo,osusergo", "-ldflags=-checklinkname=0", "-o", built.file, "./testdata/endings").CombinedOutput()
		if err != nil {
			built.err = fmt.Errorf("%w: %s", err, out)
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return built.file
}

// A parent does what strobe run does.
type parent struct {
	cmd    *exec.Cmd
	out    *bufio.Reader
	said   strings.Builder // what it wrote on standard error, when it has ended
	hellos chan tether.Hello
	all    chan []tether.Reading // when the program has ended
	slow   []tether.Slow         // when the program has ended, as the rest
	logged []string
	faults []string
}

func begin(t *testing.T, args ...string) *parent {
	t.Helper()
	return beginWith(t, "", args...)
}

// beginWith starts the program with a folder for captures.
func beginWith(t *testing.T, captures string, args ...string) *parent {
	t.Helper()
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { on.Close() })
	offer, err := json.Marshal(tether.Offer{Parent: os.Getpid(), Address: on.Addr().String(), Token: "token", HTTP: "127.0.0.1:0", Capture: captures})
	if err != nil {
		t.Fatal(err)
	}
	p := &parent{cmd: exec.Command(endings(t), args...), hellos: make(chan tether.Hello, 10), all: make(chan []tether.Reading, 1)}
	p.cmd.Env, p.cmd.Stderr = append(os.Environ(), tether.Variable+"="+string(offer)), &p.said
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.cmd.Process.Kill() })
	go func() {
		for {
			conn, err := on.Accept()
			if err != nil {
				return
			}
			go p.serve(conn)
		}
	}()
	return p
}

func (p *parent) serve(conn net.Conn) {
	defer conn.Close()
	messages := json.NewDecoder(conn)
	var hello tether.Hello
	if messages.Decode(&hello) != nil {
		return
	}
	p.hellos <- hello
	var all []tether.Reading
	for {
		var r tether.Reading
		if messages.Decode(&r) != nil {
			break
		}
		all = append(all, r)
		if r.Last {
			conn.Write([]byte{tether.Received})
		}
	}
	p.all <- all
}

// end waits for the end of the program.
func (p *parent) end(t *testing.T) (code int, last tether.Reading) {
	t.Helper()
	hangs := time.AfterFunc(2*time.Minute, func() { p.cmd.Process.Signal(syscall.SIGQUIT) }) // which prints what it waits for
	p.cmd.Wait()
	hangs.Stop()
	all := <-p.all
	if len(all) == 0 {
		t.Fatal("no reading")
	}
	for i, r := range all {
		p.slow, p.logged, p.faults = append(p.slow, r.Slow...), append(p.logged, r.Said...), append(p.faults, r.Faults...)
		if r.Last && i < len(all)-1 {
			t.Errorf("reading %d of %d is called the last", i+1, len(all))
		}
	}
	return p.cmd.ProcessState.ExitCode(), all[len(all)-1]
}

// calls returns the calls of a zone.
func calls(r tether.Reading, name string) uint64 {
	if i, ok := r.Snapshot.Zone(name); ok {
		return r.Snapshot.Totals()[i].Calls
	}
	return 0
}

func TestWhatIsKnownAtEachEnd(t *testing.T) {
	for ending, want := range map[string]struct {
		code  int
		calls uint64
		last  bool
		sig   syscall.Signal // sent when the program is ready
	}{
		"return": {0, 1000, true, 0}, "exit": {3, 1000, true, 0}, "fatal": {1, 1000, true, 0}, "folder": {0, 1000, true, 0},
		"goexit": {0, 1001, true, 0}, "handled": {7, 1001, true, syscall.SIGTERM},
		"panic": {2, 1000, false, 0}, "deep": {2, 1000, false, 0},
		"wait": {-1, 1000, false, syscall.SIGKILL}, "wait ": {-1, 1000, false, syscall.SIGINT},
	} {
		t.Run(ending, func(t *testing.T) {
			t.Parallel()
			p := begin(t, strings.TrimSpace(ending))
			if want.sig != 0 {
				if line, err := p.out.ReadString('\n'); line != "ready\n" {
					t.Fatal(line, err)
				}
				if !want.last {
					time.Sleep(time.Second) // for a reading: the last one is some tenths of a second old
				}
				p.cmd.Process.Signal(want.sig)
			}
			code, last := p.end(t)
			if got := calls(last, "work"); code != want.code || got != want.calls || last.Last != want.last {
				t.Errorf("exit code %d, %d calls, the last: %v; want %+v", code, got, last.Last, want)
			}
			if hello := <-p.hellos; hello.Token != "token" || hello.PID != p.cmd.Process.Pid || !strings.HasPrefix(hello.URL, "http://127.0.0.1:") || hello.Problem != "" {
				t.Errorf("%+v", hello)
			}
		})
	}
}

// A program whose goroutines all wait for each other ends as it would without this package, with nothing lost.
func TestTheRuntimeNoticesThatAllGoroutinesAreAsleep(t *testing.T) {
	for ending, want := range map[string]string{"deadlock": "all goroutines are asleep - deadlock!", "goexited": "main called runtime.Goexit) - deadlock!"} {
		t.Run(ending, func(t *testing.T) {
			t.Parallel()
			p := begin(t, ending)
			code, last := p.end(t)
			if got := calls(last, "work"); code != 2 || got != 1000 || !last.Last || !last.Asleep || !strings.Contains(p.said.String(), want) {
				t.Errorf("exit code %d, %d calls, last %v, asleep %v: %s", code, got, last.Last, last.Asleep, p.said.String())
			}
			alone := exec.Command(endings(t), ending) // nothing is asked of it
			if out, _ := alone.CombinedOutput(); alone.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), want) {
				t.Errorf("alone: %v, %s", alone.ProcessState, out)
			}
		})
	}
}

// A program that waits for a timer, a signal, a connection or a process is not asleep, however long.
func TestAProgramThatSomethingWillWakeIsNotAsleep(t *testing.T) {
	for _, ending := range []string{"timer", "connection", "child"} {
		t.Run(ending, func(t *testing.T) {
			t.Parallel()
			p := begin(t, ending)
			if code, last := p.end(t); code != 0 || !last.Last || last.Asleep || calls(last, "work") != 1001 {
				t.Errorf("exit code %d, last %v, asleep %v: %s", code, last.Last, last.Asleep, p.said.String())
			}
		})
	}
}

func TestChildrenOfTheProgramAreNotMeasured(t *testing.T) {
	t.Setenv(captureVariable, t.TempDir())
	p := begin(t, "again")
	text, _ := io.ReadAll(p.out)
	p.end(t)
	if string(text) != "<nil> false\n" || len(p.hellos) != 1 {
		t.Errorf("%q, %d connections", text, len(p.hellos))
	}
}

func TestAReadingIsGivenWhenItIsWanted(t *testing.T) {
	wake := make(chan struct{}, 1)
	here, there := net.Pipe()
	l := &link{conn: here, received: make(chan struct{})}
	go l.listen(wake)
	there.Write([]byte{tether.Now})
	<-wake
	there.Write([]byte{tether.Received})
	<-l.received
	there.Close()
}

func TestAHotZoneIsSampledAndItsTimeEstimated(t *testing.T) {
	_, last := begin(t, "hot").end(t)
	tiny, _ := last.Snapshot.Zone("tiny")
	var found *tether.Sampled
	for i := range last.Sampled {
		if last.Sampled[i].Zone == tiny {
			found = &last.Sampled[i]
		}
	}
	z := last.Snapshot.Totals()[tiny]
	if found == nil || found.Every < leastEvery || found.Share <= mostOfOne || z.Timed >= z.Calls || z.Calls < 1000 {
		t.Fatalf("%+v, %d of %d calls were timed", last.Sampled, z.Timed, z.Calls)
	}
	if last.Snapshot.Zones[tiny].Every != found.Every {
		t.Errorf("every %d in the snapshot, %d in the list", last.Snapshot.Zones[tiny].Every, found.Every)
	}
	if last.Least <= 0 || last.Spans < last.Least || last.Most < last.Spans || last.Reading <= 0 || last.Processor <= 0 {
		t.Errorf("spans cost %v, at least %v and at most %v, readings %v, of %v", last.Spans, last.Least, last.Most, last.Reading, last.Processor)
	}
}

// A program that strobe build made, or a child of one, is not slowed for results that nobody sees.
func TestTheCostIsKeptDownWhereNothingIsAsked(t *testing.T) {
	out, err := exec.Command(endings(t), "sampled").Output()
	if every, _ := strconv.Atoi(strings.TrimSpace(string(out))); err != nil || every < leastEvery {
		t.Errorf("%v, one call in %q is timed", err, out)
	}
}

func TestAFileIsWrittenAtTheEnd(t *testing.T) {
	file := filepath.Join(t.TempDir(), "out.json")
	cmd := exec.Command(endings(t), "folder")
	cmd.Env = append(os.Environ(), exportVariable+"="+filepath.Base(file))
	cmd.Dir = filepath.Dir(file)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("%v: %s", err, out)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var r tether.Reading
	if err := json.Unmarshal(text, &r.Snapshot); err != nil || calls(r, "work") != 1000 {
		t.Errorf("%v, %d calls", err, calls(r, "work"))
	}
}

// The last unit of the program is slow, and on a busy machine others are. Where nobody asks for readings, the program logs them.
func TestSlowUnitsAreExplainedBeforeTheEnd(t *testing.T) {
	captures := func(folder string) int {
		files, err := filepath.Glob(filepath.Join(folder, "*.html"))
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	folder := filepath.Join(t.TempDir(), "slow")
	cmd := exec.Command(endings(t), "units")
	cmd.Env = append(os.Environ(), captureVariable+"="+filepath.Base(folder))
	cmd.Dir = filepath.Dir(folder)
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), `"msg":"unit took `) || captures(folder) == 0 {
		t.Errorf("%v, %d captures: %s", err, captures(folder), out)
	}

	for try := 1; ; try++ {
		folder := filepath.Join(t.TempDir(), "slow")
		p := beginWith(t, folder, "units")
		code, _ := p.end(t)
		n := captures(folder)
		if code != 0 || n == 0 || len(p.slow) == 0 || max(n-len(p.slow), len(p.slow)-n) > 1 || strings.Contains(p.said.String(), "unit took") {
			t.Fatalf("exit code %d, %d captures, %+v, %q", code, n, p.slow, p.said.String())
		}
		if len(p.faults) > 0 || !slices.ContainsFunc(p.logged, func(line string) bool { return strings.HasPrefix(line, "unit took ") }) {
			t.Errorf("%q, %q", p.logged, p.faults)
		}
		u := p.slow[len(p.slow)-1]
		if u.Root != "unit" || u.Usual < time.Millisecond || !strings.HasPrefix(u.Sentence, "unit took ") || u.Units < uint64(len(p.slow)) {
			t.Errorf("%+v", u)
		}
		if n > 1 || u.Took >= 60*time.Millisecond {
			break
		} else if try == 5 { // to explain a unit that the machine delayed may have taken all that Options.Cost allows
			t.Fatalf("only another unit than the last was explained, %d times in a row: %+v", try, u)
		}
	}
}

// What a folder cannot take is explained all the same, and it is said why there is no file.
func TestAFolderThatCannotBeWrittenIsAFault(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p := beginWith(t, filepath.Join(file, "slow"), "units")
	code, _ := p.end(t)
	if code != 0 || len(p.slow) == 0 || len(p.faults) != 1 || !strings.HasPrefix(p.faults[0], "capture cannot write a file: ") || !strings.Contains(p.faults[0], file) {
		t.Errorf("exit code %d, %d slow units, %q", code, len(p.slow), p.faults)
	}
}
