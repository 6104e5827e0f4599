// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument"
	"github.com/strobe-go/strobe/cmd/strobe/internal/program"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/profile"
)

// source is that of a program whose functions are called a known number of times.
const source = `package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

//go:noinline
func work(n int) (sum int) {
	for i := range n {
		sum += i % 7
	}
	return sum
}

func many(times int) {
	for range times {
		work(10000)
	}
}

// pause waits for a reading.
func pause() {
	d, err := time.ParseDuration(os.Args[2])
	if err != nil {
		panic(err)
	}
	time.Sleep(d)
}

func hold(mu *sync.Mutex, held chan<- bool) {
	mu.Lock()
	close(held)
	time.Sleep(50 * time.Millisecond)
	mu.Unlock()
}

func turn(n int) {
	var mu sync.Mutex
	if n%50 == 49 {
		held := make(chan bool)
		go hold(&mu, held)
		<-held
	}
	mu.Lock()
	mu.Unlock()
}

func turns(most int) {
	n := 0
	for range time.Tick(2 * time.Millisecond) {
		turn(n)
		if n++; n == most {
			return
		}
	}
}

func main() {
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			many(50)
		}()
	}
	wg.Wait()
	switch os.Args[1] {
	case "echo":
		in, _ := io.ReadAll(os.Stdin)
		dir, _ := os.Getwd()
		fmt.Println(os.Args[2:], string(in), dir, os.Getenv("STROBE_ATTACH") == "")
	case "exit":
		fmt.Fprintln(os.Stderr, "own words")
		os.Exit(3)
	case "panic":
		pause()
		panic("own panic")
	case "handled":
		c := make(chan os.Signal, 1)
		signal.Notify(c, syscall.SIGTERM)
		fmt.Println("ready")
		<-c
		many(1)
		os.Exit(7)
	case "wait":
		fmt.Println("ready")
		time.Sleep(time.Minute)
	case "goroutine":
		go os.Exit(5)
		select {}
	case "stubborn":
		c := make(chan os.Signal, 1)
		signal.Notify(c, os.Interrupt)
		fmt.Println("ready")
		<-c
		signal.Reset(os.Interrupt)
		fmt.Println("closing")
		time.Sleep(time.Minute)
	case "slow":
		turns(150)
	case "few":
		turns(10)
	case "megabytes":
		line := make([]byte, 1<<20)
		for range 8 {
			os.Stdout.Write(line)
		}
	default:
		others[os.Args[1]]()
	}
}

// others are what only some systems can do.
var others = map[string]func(){}
`

// unixSource is another file of the program.
const unixSource = `//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

var kept [][]byte

// close closes the descriptors of a kind.
func closeAll(is func(fd int) bool) {
	entries, _ := os.ReadDir("/dev/fd")
	for _, e := range entries {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd > 2 && is(fd) {
			syscall.Close(fd)
		}
	}
}

func init() {
	others["memory"] = func() {
		os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) // rather than the one that started it
		pause()
		for {
			kept = append(kept, make([]byte, 1<<20))
			for i := 0; i < 1<<20; i += 4096 {
				kept[len(kept)-1][i] = 1
			}
		}
	}
	others["sockets"] = func() {
		pause()
		closeAll(func(fd int) bool { _, err := syscall.Getsockname(fd); return err == nil })
		many(1)
	}
	others["unprivileged"] = func() {
		if err := syscall.Setgroups(nil); err != nil {
			panic(err)
		}
		if err := syscall.Setgid(65534); err != nil {
			panic(err)
		}
		if err := syscall.Setuid(65534); err != nil {
			panic(err)
		}
		many(1)
		fmt.Println(os.Getuid())
	}
	others["daemon"] = func() {
		d := exec.Command(os.Args[0], "wait")
		d.Stdout, d.SysProcAttr = os.Stdout, &syscall.SysProcAttr{Setsid: true}
		if err := d.Start(); err != nil {
			panic(err)
		}
		fmt.Println(d.Process.Pid)
	}
}
`

const wrong = `package main

func main() {
	x := 1
}
`

var built struct {
	sync.Once
	dir, file string
}

func TestMain(m *testing.M) {
	code := m.Run()
	os.RemoveAll(built.dir)
	os.Exit(code)
}

// make builds the program once, as the verb does.
func made(t *testing.T) string {
	t.Helper()
	built.Do(func() {
		var err error
		if built.dir, err = os.MkdirTemp("", "strobe-run-test-"); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(built.dir, "go.mod"), "module example.com/program\n\ngo 1.24\n")
		write(t, filepath.Join(built.dir, "main.go"), source)
		write(t, filepath.Join(built.dir, "more.go"), unixSource)
		to := filepath.Join(built.dir, "built.exe")
		var e bytes.Buffer
		f, s := program.Flags{Dir: built.dir, Go: []string{"-trimpath"}}, &session.Session{Ctx: t.Context(), Err: &e}
		plan, err := f.Prepare(s, ".", false, program.WithPage)
		if err != nil {
			t.Fatal(err)
		}
		defer plan.Close()
		if err := f.Build(s, plan, false, to); err != nil {
			t.Fatal(err, e.String())
		}
		built.file = to
	})
	if built.file == "" {
		t.Fatal("it was not built")
	}
	return built.file
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A syncBuffer is a buffer that several goroutines write.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// execute runs the program that was built, as strobe run does.
func execute(t *testing.T, c *Command, input string, asJSON bool, args ...string) (out, errout string, code int) {
	t.Helper()
	var o, e syncBuffer
	file := made(t)
	if c.Rows == 0 {
		c.Rows = 24
	}
	c.Page = func(w io.Writer, program string, at time.Time, s profile.Snapshot) error {
		_, err := io.WriteString(w, "page of "+program)
		return err
	}
	s := &session.Session{Ctx: t.Context(), In: strings.NewReader(input), Out: &o, Err: &e, Verb: "run", JSON: asJSON}
	err := c.execute(s, &instrument.Plan{Zones: make([]instrument.Zone, 3)}, ".", file, args, built.dir)
	exit, ok := err.(session.Exit)
	if !ok {
		t.Fatal(err)
	}
	return o.String(), e.String(), int(exit)
}

func TestTheStreamsAndTheFolderAreThoseOfTheProgram(t *testing.T) {
	out, errout, code := execute(t, new(Command), "input", false, "echo", "-a", "--json", "b")
	dir, err := filepath.EvalSymlinks(built.dir)
	if err != nil {
		t.Fatal(err)
	}
	if want := "[-a --json b] input " + dir + " true\n"; code != 0 || out != want && runtime.GOOS != "darwin" {
		t.Errorf("exit code %d, %q, want %q", code, out, want)
	}
	for _, want := range []string{"main.work", "   100 ", "functions that were called", "goroutine", "strobe: "} {
		if !strings.Contains(errout, want) {
			t.Errorf("%q is missing:\n%s", want, errout)
		}
	}
	if strings.Contains(errout, "before the end") {
		t.Errorf("the figures of a program that returned are not its last:\n%s", errout)
	}
}

func TestTheExitCodeIsThatOfTheProgram(t *testing.T) {
	_, errout, code := execute(t, &Command{Flags: Flags{Flags: program.Flags{Quiet: true}}}, "", false, "exit")
	if code != 3 || errout != "own words\n" {
		t.Errorf("exit code %d, %q", code, errout)
	}
}

// callsOf returns the calls of a function in what the verb writes with --json.
func callsOf(t *testing.T, errout, name string) (calls uint64, o runObject) {
	t.Helper()
	if i := strings.IndexByte(errout, '{'); i < 0 || json.Unmarshal([]byte(errout[i:]), &o) != nil {
		t.Fatalf("no object: %s", errout)
	}
	for _, f := range o.Functions {
		if f.Name == name {
			return f.Calls, o
		}
	}
	return 0, o
}

func TestAnExitOnAnotherGoroutineIsCountedExactly(t *testing.T) {
	_, errout, code := execute(t, new(Command), "", true, "goroutine")
	if calls, o := callsOf(t, errout, "main.work"); code != 5 || calls != 100 || o.Missing != 0 {
		t.Errorf("exit code %d, %d calls, missing %d", code, calls, o.Missing)
	}
}

func TestTwoRunsOfAProgramAtOnceAreApart(t *testing.T) {
	made(t)
	for _, mode := range []string{"echo", "exit"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			_, errout, code := execute(t, new(Command), "", true, mode)
			if calls, o := callsOf(t, strings.TrimPrefix(errout, "own words\n"), "main.work"); calls != 100 || o.Exit != code || code != map[string]int{"exit": 3}[mode] {
				t.Errorf("exit code %d, %d calls", code, calls)
			}
		})
	}
}

// executeRead is execute of a program that pauses for a reading; if none came in time that has the calls before, the pause is longer.
func executeRead(t *testing.T, asJSON bool, mode, calls string) (errout string, code int) {
	t.Helper()
	for pause := time.Second / 2; ; pause *= 4 {
		_, errout, code = execute(t, new(Command), "", asJSON, mode, pause.String())
		if strings.Contains(errout, calls) || pause > 30*time.Second {
			return errout, code
		}
	}
}

func TestAPanicLeavesTheLatestReading(t *testing.T) {
	errout, code := executeRead(t, false, "panic", "   100 ")
	if code != 2 || !strings.Contains(errout, "panic: own panic") || !strings.Contains(errout, "main.work") ||
		!strings.Contains(strings.Join(strings.Fields(errout), " "), "before the end, since it did not end by os.Exit") {
		t.Errorf("exit code %d:\n%s", code, errout)
	}
}

func TestTheObjectHasWhatTheReportSays(t *testing.T) {
	_, errout, code := execute(t, new(Command), "", true, "exit")
	var o runObject
	_, text, _ := strings.Cut(errout, "own words\n")
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatalf("%v: %s", err, errout)
	}
	if code != 3 || o.Exit != 3 || !o.Known || o.Missing != 0 || o.Zones != 3 || o.Called < 2 || o.Elapsed <= 0 {
		t.Errorf("%+v", o)
	}
	for _, f := range o.Functions {
		if want := map[string]uint64{"main.work": 100}[f.Name]; want > 0 && f.Calls != want {
			t.Errorf("%s was called %d times, want %d", f.Name, f.Calls, want)
		}
		if f.Name == "main.work" && !strings.Contains(f.Where, "main.go:") {
			t.Errorf("%s is at %q", f.Name, f.Where)
		}
	}
}

func TestTheEndingSaysWhatIsExported(t *testing.T) {
	for name, want := range map[string]string{"x.json": `{"version":1,"program":"built",`, "x.pb.gz": "\x1f\x8b", "x.html": "page of built"} {
		file := filepath.Join(t.TempDir(), name)
		if _, errout, code := execute(t, &Command{Flags: Flags{Export: exportName(file), HTTP: "off", Output: file + ".txt"}}, "", false, "echo"); code != 0 || errout != "" {
			t.Errorf("exit code %d, %s", code, errout)
		}
		text, err := os.ReadFile(file)
		if err != nil || !strings.HasPrefix(string(text), want) {
			t.Errorf("%s: %v, %.60q", name, err, text)
		}
		if report, err := os.ReadFile(file + ".txt"); err != nil || !strings.HasPrefix(string(report), "function") {
			t.Errorf("%v, %.60q", err, report)
		}
	}
}

func TestAProgramMayPrintMegabytes(t *testing.T) {
	if out, _, _ := execute(t, new(Command), "", false, "megabytes"); len(out) != 8<<20 {
		t.Errorf("%d bytes", len(out))
	}
}

func TestFunctionsAreListedWithReasons(t *testing.T) {
	made(t)
	out, errout, code := clitest.Run(t, cli.Verb{Name: "run", Command: new(Command)}, "", "run", "-C", built.dir, "--list", ".")
	if code != 0 || errout != "" || !strings.Contains(out, "main.work") || !strings.Contains(out, "main.go:") {
		t.Errorf("exit code %d, %s%s", code, out, errout)
	}
}

func TestErrorsOfTheCompilerAreShownAsTheyAre(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/wrong\n\ngo 1.24\n")
	write(t, filepath.Join(dir, "main.go"), wrong)
	_, errout, code := clitest.Run(t, cli.Verb{Name: "run", Command: new(Command)}, "", "run", "-C", dir, ".")
	if code == 0 || !strings.Contains(errout, "main.go:4") || !strings.Contains(errout, "declared and not used: x") || strings.Contains(errout, "overlay") {
		t.Errorf("exit code %d, %s", code, errout)
	}
}

// The compiler's remarks about the other packages, which say what it inlines, are not among the errors, and of many errors there are some.
func TestErrorsOfTheCompilerAreBounded(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), "module example.com/wrong\n\ngo 1.24\n")
	imports := ""
	for i := range 20 {
		name := fmt.Sprint("p", i)
		if err := os.Mkdir(filepath.Join(dir, name), 0o777); err != nil {
			t.Fatal(err)
		}
		text := "package " + name + "\n\nfunc F() {\n" + strings.Repeat("\tx\n", 9) + "}\n" // several errors
		if i == 0 {
			text = "package " + name + "\n\nfunc F() {}\n"
		}
		write(t, filepath.Join(dir, name, "p.go"), text)
		imports += "import _ \"example.com/wrong/" + name + "\"\n"
	}
	write(t, filepath.Join(dir, "main.go"), "package main\n\n"+imports+"\nfunc main() {}\n")
	_, errout, code := clitest.Run(t, cli.Verb{Name: "run", Command: new(Command)}, "", "run", "-C", dir, ".")
	if code == 0 || strings.Contains(errout, "can inline") || !strings.Contains(errout, "undefined: x") || strings.Count(errout, "\n") > 45 ||
		!strings.Contains(errout, "more lines; go build shows them") {
		t.Errorf("exit code %d, %s", code, errout)
	}
}

func TestFlagsThatContradictEachOtherAreRefused(t *testing.T) {
	for _, args := range [][]string{{"--report", "--top"}, {"--top", "--open"}, {"--http=off", "--open"}, {"--export=x.txt"}, {"--zonse", "x"}} {
		out, errout, code := clitest.Run(t, cli.Verb{Name: "run", Command: new(Command)}, "", append(append([]string{"run"}, args...), ".")...)
		if code != session.Usage || out != "" || !strings.HasPrefix(errout, "strobe run: ") || strings.Count(errout, "\n") != 1 {
			t.Errorf("%q: exit code %d, %q", args, code, errout)
		}
	}
}

func TestAPageIsPartOfTheProgramUnlessNobodyWillOpenIt(t *testing.T) {
	const free = "127.0.0.1:0"
	for _, x := range []struct {
		flags Flags
		want  program.Use
	}{{Flags{HTTP: free}, program.WithPage}, {Flags{HTTP: free, Top: true}, program.WithPage}, {Flags{HTTP: free, Report: true}, program.WithoutPage}, {Flags{HTTP: "off"}, program.WithoutPage}} {
		if got := (&Command{Flags: x.flags}).use(); got != x.want {
			t.Errorf("%+v: %d, want %d", x.flags, got, x.want)
		}
	}
}

func TestHelpIsShort(t *testing.T) {
	clitest.Help(t, cli.Verb{Name: "run", Command: new(Command)}, 70)
}
