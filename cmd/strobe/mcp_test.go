// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"context"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// connect starts strobe mcp as a process, and returns a session of a client of the SDK with it.
func connect(t *testing.T, o *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, o)
	s, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: exec.Command(binary(t), "mcp")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// call calls a tool and returns its text.
func call(t *testing.T, s *sdk.ClientSession, name string, arguments map[string]any) (text string, failed bool) {
	t.Helper()
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, c := range r.Content {
		text += c.(*sdk.TextContent).Text
	}
	return text, r.IsError
}

func TestAClientFindsTheToolsAndWhatTheyTake(t *testing.T) {
	s := connect(t, nil)
	list, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if text := s.InitializeResult().Instructions; !strings.Contains(text, "guide") {
		t.Errorf("the instructions are %q", text)
	}
	want := map[string][]string{"guide": nil, "run": {"package"}, "top": nil, "capture": {"files"}, "gate": {"revision"}, "bisect": {"range"}}
	for _, tool := range list.Tools {
		schema := tool.InputSchema.(map[string]any)
		var required []string
		if list, ok := schema["required"].([]any); ok {
			for _, name := range list {
				required = append(required, name.(string))
			}
		}
		wanted, ok := want[tool.Name]
		if !ok || !slices.Equal(required, wanted) || tool.Description == "" {
			t.Errorf("%s requires %q, %q", tool.Name, required, tool.Description)
		}
		delete(want, tool.Name)
		for name, p := range schema["properties"].(map[string]any) {
			if p.(map[string]any)["description"] == nil {
				t.Errorf("%s: %s is not explained", tool.Name, name)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("there is no tool %q", want)
	}
}

func TestToolsReturnWhatTheVerbsPrint(t *testing.T) {
	s := connect(t, nil)
	server := httptest.NewServer(http.HandlerFunc(serveEvents))
	defer server.Close()
	file := captureFile(t)
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		args      []string
	}{
		{"guide", nil, []string{"guide"}},
		{"guide", map[string]any{"topic": "numbers"}, []string{"guide", "numbers"}},
		{"capture", map[string]any{"files": []string{file}}, []string{"capture", file}},
		{"capture", map[string]any{"files": []string{"."}, "dir": filepath.Dir(file)}, []string{"capture", filepath.Dir(file)}},
		{"top", map[string]any{"url": server.URL}, []string{"top", "--once", server.URL}},
	} {
		text, failed := call(t, s, c.tool, c.arguments)
		want, _, _ := strobe(t, c.args...)
		line, rest, _ := strings.Cut(text, "\n")
		if failed || !strings.HasPrefix(line, "$ strobe "+c.args[0]) {
			t.Errorf("%q: %v, %q", c.args, failed, text)
		}
		if want = strings.ReplaceAll(want, file, filepath.Base(file)); strings.ReplaceAll(rest, file, filepath.Base(file)) != want {
			t.Errorf("%q: %s\nnot\n%s", c.args, rest, want)
		}
	}
}

func TestErrorsOfToolsAreOneLine(t *testing.T) {
	s := connect(t, nil)
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		says      string
	}{
		{"guide", map[string]any{"topic": "slow-allways"}, "the nearest is slow-always"},
		{"capture", map[string]any{"files": []string{"/nowhere"}}, "cannot read /nowhere"},
		{"capture", map[string]any{"files": []string{}}, "strobe capture: "},
		{"capture", map[string]any{"files": []string{"x"}, "dir": "/nowhere"}, `dir: "/nowhere" is not a folder`},
		{"top", map[string]any{"url": "http://127.0.0.1:9/"}, "nothing listens at"},
		{"gate", map[string]any{"revision": "--profile=x"}, "looks like a flag"},
		{"gate", map[string]any{"revision": "no-such-revision", "packages": []string{"./internal/cli"}}, "no-such-revision"},
		{"gate", map[string]any{"revision": "HEAD", "max_time": "long"}, "--max-time"},
		{"bisect", map[string]any{"range": "HEAD"}, "strobe bisect: "},
	} {
		text, failed := call(t, s, c.tool, c.arguments)
		if !failed || !strings.Contains(text, c.says) || strings.Count(strings.TrimSpace(text), "\n") != 0 || !strings.HasPrefix(text, "strobe "+c.tool+": ") {
			t.Errorf("%s of %v: %v, %q", c.tool, c.arguments, failed, text)
		}
	}
	for _, arguments := range []map[string]any{{"rev": "HEAD"}, {"revision": 1}, {"revision": "HEAD", "flags": "-x"}} {
		r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "gate", Arguments: arguments})
		if err == nil && !r.IsError {
			t.Errorf("%v is accepted", arguments)
		}
	}
}

// A cancelled call ends its process, which removes what it made. Until then the client learns what is being done. A gate that fails is
// a result, with its exit code.
func TestAGateReportsProgressAndIsCancelled(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and measures for a while")
	}
	repository(t)
	temp := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, temp)
	}
	ctx, cancel := context.WithCancel(t.Context())
	last := 0.
	s := connect(t, &sdk.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) {
		if p := r.Params; p.ProgressToken != "token" || p.Progress <= last {
			t.Errorf("after %v: %+v", last, p)
		}
		last = r.Params.Progress
		if strings.Contains(r.Params.Message, "example.com/sum") {
			cancel()
		}
	}})
	if _, err := s.CallTool(ctx, &sdk.CallToolParams{Meta: sdk.Meta{"progressToken": "token"}, Name: "gate", Arguments: map[string]any{"revision": "HEAD"}}); err == nil {
		t.Error("a call with progress ended by itself")
	}
	text, failed := call(t, s, "gate", map[string]any{"revision": "HEAD", "max_time": "1s"})
	if failed || !strings.Contains(text, "\nexit code 1: a gate failed") && !strings.Contains(text, "\nexit code 3: inconclusive") || !strings.Contains(text, "gate  ") {
		t.Errorf("%v, %s", failed, text)
	}
	if err := s.Close(); err != nil { // the server ends after its processes
		t.Errorf("the server: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "strobe-*")); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}

var bisects = flag.Bool("bisect", false, "bisect by strobe mcp, which takes 20 s of processor time")

// A bisect that succeeds names the commit. A range of one commit takes the fewest builds: the ends are compared, and that is the proof.
func TestABisectNamesTheCommit(t *testing.T) {
	if !*bisects {
		t.Skip("builds two commits in several layouts, which takes 20 s of processor time: -bisect does; TestAGateReportsProgressAndIsCancelled has a gate")
	}
	repository(t)
	if out, err := exec.Command("git", "-c", "user.name=A. Name", "-c", "user.email=a@example.com", "commit", "-q", "-a", "-m", "Sum more").CombinedOutput(); err != nil {
		t.Fatalf("git: %v\n%s", err, out)
	}
	text, failed := call(t, connect(t, nil), "bisect", map[string]any{"range": "HEAD~1..HEAD", "bench": "Sum", "gate": "50%", "max_time": "5m"})
	if failed || !strings.HasPrefix(text, "$ strobe bisect --bench=Sum --gate=50% --max-time=5m 'HEAD~1..HEAD'\n") || !strings.Contains(text, "  Sum more\n") || !strings.Contains(text, "proven with") {
		t.Errorf("%v, %s", failed, text)
	}
}

// A program that does not end by itself is interrupted, and its report comes first.
func TestAProgramIsRunForSomeSeconds(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a program with zones, which takes seconds")
	}
	repository(t)
	main := "package main\n\nimport (\n\t\"fmt\"\n\t\"time\"\n)\n\nfunc work() {\n\tfor start := time.Now(); time.Since(start) < time.Millisecond; {\n\t}\n}\n\n" +
		"func main() {\n\tfmt.Println(\"ready\")\n\tfor {\n\t\twork()\n\t}\n}\n"
	if err := os.MkdirAll("cmd", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("cmd/main.go", []byte(main), 0o666); err != nil {
		t.Fatal(err)
	}
	text, failed := call(t, connect(t, nil), "run", map[string]any{"package": "./cmd", "seconds": 2, "capture": "slow"})
	if at := strings.Index(text, "main.work"); failed || !strings.HasPrefix(text, "$ strobe run --report --capture=slow ./cmd\n") || !strings.Contains(text, "no slow unit was explained") || at < 0 || strings.Index(text, "Standard output:\nready\n") < at {
		t.Errorf("%v, %s", failed, text)
	}
	text, failed = call(t, connect(t, nil), "run", map[string]any{"package": "./nowhere"})
	if !failed {
		t.Errorf("%s", text)
	}
}

func TestTheServerEndsWithItsClient(t *testing.T) {
	for name, input := range map[string]string{"nothing": "", "no message": "{", "too long a message": strings.Repeat("x", 3<<20)} {
		cmd := exec.Command(binary(t), "mcp")
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		var said strings.Builder
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		io.WriteString(in, input) // fails if the server has ended
		in.Close()
		cmd.Wait()
		if code := cmd.ProcessState.ExitCode(); (code == 0) != (input == "") || code != 0 && code != 4 || strings.Count(said.String(), "\n") != code/4 {
			t.Errorf("%s: exit %d, %s", name, code, said.String())
		}
	}
}

// repository makes the current folder a new repository with a benchmark, which a change that is not committed makes slower.
func repository(t *testing.T) {
	t.Helper()
	for _, tool := range []string{"git", "go"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("makes a repository and builds its benchmark: ", err)
		}
	}
	t.Chdir(t.TempDir())
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	sum := "package sum\n\nfunc Sum(n int) (s int) {\n\tfor i := range n {\n\t\ts ^= i * i\n\t}\n\treturn s\n}\n"
	write("go.mod", "module example.com/sum\n\ngo 1.24\n")
	write("sum.go", sum)
	write("sum_test.go", "package sum\n\nimport \"testing\"\n\nfunc BenchmarkSum(b *testing.B) {\n\tfor i := 0; i < b.N; i++ {\n\t\tSum(2000)\n\t}\n}\n")
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "-m", "Sum"}} {
		if out, err := exec.Command("git", append([]string{"-c", "user.name=A. Name", "-c", "user.email=a@example.com"}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	write("sum.go", strings.Replace(sum, "range n", "range 3*n", 1))
}
