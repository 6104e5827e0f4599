// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fixture writes a module with one package, and returns its folder.
func fixture(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/fix\n\ngo 1.24.0\n",
		"gauge/gauge.go": "// Package gauge is a fixture.\n//\n//\tg := gauge.New(start)\n//\tg.Read()\n//\n// Prose:\n//\n//\tgauge.New -> Read\n//\n" +
			"//\t$ echo gauge\npackage gauge\n\n// G is a fixture.\ntype G int\n\n// New is a fixture.\nfunc New(n int) G { return G(n) }\n\n" +
			"// Read is a fixture.\nfunc (g G) Read() int { return int(g) }\n",
		"internal/hidden/hidden.go": "// Package hidden is a fixture.\npackage hidden\n",
		"sub/go.mod":                "module example.com/fix/sub\n\ngo 1.24.0\n",
		"sub/sub.go":                "// Package sub is a fixture.\npackage sub\n\n// X is a fixture.\nconst X = 1\n",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func blocksOf(t *testing.T, text string) []Block {
	t.Helper()
	blocks, err := Markdown("doc.md", text)
	if err != nil {
		t.Fatal(err)
	}
	return blocks
}

func fence(lang, text string) string { return "```" + lang + "\n" + text + "\n```\n" }

func TestShellBlockThatLiesFails(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	for _, tt := range []struct {
		name, text string
		says       string // part of the error; "" if the block is correct
	}{
		{"true", fence("sh", "$ echo hello\nhello"), ""},
		{"no output shown", fence("sh", "$ echo hello"), ""},
		{"other text", fence("sh", "$ echo hello\ngoodbye"), `matches the line shown`},
		{"a line missing", fence("sh", "$ printf 'a\\nb\\n'\na"), "more is printed than shown"},
		{"a line too many", fence("sh", "$ echo a\na\nb"), "matches the line shown"},
		{"other figures", fence("sh", "$ echo 'p99   12.5 us (-3 %)'\np99 9 ns (4 %)"), ""},
		{"another name", fence("sh", "$ echo 'p99 12.5 us'\np50 9 us"), "matches the line shown"},
		{"another exit code", fence("sh", "$ echo 'exit status 2'\nexit status 3"), "matches the line shown"},
		{"no figure", fence("sh", "$ echo 'mean none'\nmean 9"), "matches the line shown"},
		{"lines left out", fence("sh", "$ printf 'a\\nb\\nc\\nd\\n'\na\n...\nd"), ""},
		{"text left out", fence("sh", "$ echo 'go1.26 on linux'\ngo... on ..."), ""},
		{"fails", fence("sh", "$ false"), "exit code 1, not 0"},
		{"fails in between", fence("sh", "$ false\n$ true"), "exit code 1, not 0"},
		{"fails as it says", "<!-- docs: exit=3 -->\n" + fence("sh", "$ (exit 3)"), ""},
		{"does not fail as it says", "<!-- docs: exit=3 -->\n" + fence("sh", "$ true"), "exit code 0, not 3"},
		{"illustration", "<!-- docs: pattern -->\n" + fence("sh", "$ echo took 12 ms\ntook 7 us\n..."), ""},
		{"illustration of other words", "<!-- docs: pattern -->\n" + fence("sh", "$ echo took 12 ms\nneeded 7 us"), "prints no \"needed\""},
		{"illustration that fails", "<!-- docs: pattern -->\n" + fence("sh", "$ false\nb"), "exit code 1"},
		{"appended", "<!-- docs: append=\"-n 2\" -->\n" + fence("sh", "$ echo\n-n 2"), "matches the line shown"},
		{"appended, seen", "<!-- docs: append=\"two\" -->\n" + fence("sh", "$ echo one\none two"), ""},
		{"given", "<!-- docs: given\nx=1; cd /\n-->\n" + fence("sh", "$ echo $x in $PWD\n1 in /"), ""},
		{"given, and fails", "<!-- docs: given\ncd /nowhere\n-->\n" + fence("sh", "$ true"), "what is given failed"},
		{"given, and fails as a block does", "<!-- docs: exit=1 given\nfalse\n-->\n" + fence("sh", "$ false"), "what is given failed"},
		{"skipped", "<!-- docs: skip=\"wants a display\" -->\n" + fence("sh", "$ false"), ""},
		{"one session", fence("sh", "$ x=1; cd /\n$ echo $x in $PWD\n1 in /"), ""},
		{"continued", fence("sh", "$ echo a \\\n>   b\na b"), ""},
		{"background", fence("sh", "$ sleep 600 &\n$ echo done\ndone"), ""},
		{"no newline at the end", fence("sh", "$ printf a\na\n$ printf b\nb"), ""},
		{"stderr is output", fence("sh", "$ echo oops >&2\noops"), ""},
		{"syntax error", fence("sh", "$ echo 'a"), "ended within"},
		{"exits the shell", fence("sh", "$ exit 0\n$ false"), "ended within"},
		{"output first", fence("sh", "hello\n$ echo hello"), "output before the first command"},
		{"check", fence("sh", "$ ./check\nanything"), ""},
		{"not a command", fence("sh", "false"), "output before the first command"},
		{"other languages", fence("json", "{"), ""},
		{"in a list", "- item\n  ```sh\n  $ echo a\n  b\n  ```\n", "matches the line shown"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			run := &Runner{Root: ".", Home: t.TempDir(), Limit: time.Minute, Logf: t.Logf}
			var err error
			for _, b := range blocksOf(t, tt.text) {
				if b.Lang == "sh" {
					err = run.Run(b)
				}
			}
			if (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got error %v, want one with %q", err, tt.says)
			}
		})
	}
}

func TestShellBlockThatHangsIsEnded(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	run := &Runner{Root: ".", Home: t.TempDir(), Limit: 50 * time.Millisecond, Logf: t.Logf}
	err := run.Run(blocksOf(t, fence("sh", "$ sleep 600"))[0])
	if err == nil || !strings.Contains(err.Error(), "not done after") {
		t.Errorf("got error %v", err)
	}
}

func TestLongBlocksAreLeftOutOfBriefTestsOnly(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	lie := blocksOf(t, "<!-- docs: long -->\n"+fence("sh", "$ echo hello\ngoodbye"))[0]
	said := 0
	run := &Runner{Root: ".", Home: t.TempDir(), Limit: time.Minute, Brief: true, Logf: func(string, ...any) { said++ }}
	if err := run.Run(lie); err != nil || said != 1 {
		t.Errorf("a brief test: error %v, %d reasons", err, said)
	}
	run.Brief = false
	if err := run.Run(lie); err == nil {
		t.Error("a long block was left out of a test that is not brief")
	}
}

func TestCommandsThatWouldRecurseOrReachOutAreNotRun(t *testing.T) {
	for _, text := range []string{"./check", "./check quick", "check", "bash .ci/run", "go test ./...", "go -C tools test -race ./docs",
		"go get example.com/x", "go install example.com/x@latest", "go install github.com/x/y", "go mod init example.com/x", "go mod tidy", "go work init .", "git clone x",
		"sudo apt-get install gcc"} {
		if notRun(text, false) == "" {
			t.Errorf("%q would be run", text)
		}
	}
	for _, text := range []string{"go run ./cmd/strobe demo", "strobe probe", "strobe stat checked.txt", "go test ./clock", "seq 10 | strobe stat -"} {
		if why := notRun(text, false); why != "" {
			t.Errorf("%q would not be run: %s", text, why)
		}
	}
}

func TestRepositoriesModulesAndWorkspacesAreMadeInAFolderOfTheSessionsOwn(t *testing.T) {
	for _, text := range []string{"git init", "go mod init example.com/x", "go mod edit -replace a=b", "go work init ."} {
		if why := notRun(text, true); why != "" {
			t.Errorf("%q is not run there: %s", text, why)
		}
	}
	for _, text := range []string{"go install example.com/x@latest", "go get example.com/x", "go mod tidy"} {
		if notRun(text, true) == "" {
			t.Errorf("%q would be run there", text)
		}
	}
}

func TestGoBlockThatLiesFails(t *testing.T) {
	dir := fixture(t)
	for _, tt := range []struct {
		name, text string
		says       string
	}{
		{"statements", fence("go", "g := gauge.New(3)\nfmt.Println(g.Read())"), ""},
		{"unused variable", fence("go", "g := gauge.New(3)\nvar n = g.Read()"), ""},
		{"declaration", fence("go", "func read(g gauge.G) int { return g.Read() }"), ""},
		{"file", fence("go", "package main\n\nimport \"example.com/fix/gauge\"\n\nfunc main() { gauge.New(1) }"), ""},
		{"imports of its own", fence("go", "import (\n\t\"example.com/fix/gauge\"\n)\n\ng := gauge.New(3)\ng.Read()"), ""},
		{"nested module", fence("go", "println(sub.X)"), ""},
		{"no such function", fence("go", "text\n"), "undefined: text"},
		{"no such name", "one\n\n" + fence("go", "g := gauge.New(3)\ng.Raed()"), "doc.md:5"},
		{"wrong argument", fence("go", "gauge.New(\"3\")"), "cannot use"},
		{"not Go", fence("go", "gauge.New("), "not Go"},
		{"unused import", fence("go", "import \"os\"\n\ngauge.New(3)"), "imported and not used"},
		{"internal", fence("go", "import _ \"example.com/fix/internal/hidden\"\n\ngauge.New(3)"), "internal package"},
		{"undeclared", fence("go", "gauge.New(start)"), "undefined: start"},
		{"given", "<!-- docs: given\nvar start = int(time.Second)\n-->\n" + fence("go", "gauge.New(start)"), ""},
		{"wrongly given", "<!-- docs: given\nvar start = 1s\n-->\n" + fence("go", "gauge.New(start)"), "what is given is not Go"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := Compile(dir, t.TempDir(), blocksOf(t, tt.text))
			if (err == nil) != (tt.says == "") || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got error %v, want one with %q", err, tt.says)
			}
		})
	}
}

func TestPackageCommentsAreBlocks(t *testing.T) {
	dir := fixture(t)
	packages, err := Packages(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(packages); got != "map[gauge:example.com/fix/gauge sub:example.com/fix/sub]" {
		t.Errorf("packages: %s", got)
	}
	blocks, err := PackageComments(dir, packages)
	if err != nil {
		t.Fatal(err)
	}
	var langs []string
	for _, b := range blocks {
		langs = append(langs, b.At()+" "+b.Lang)
	}
	if got := strings.Join(langs, ", "); got != "gauge/gauge.go:1 go, gauge/gauge.go:1 sh" {
		t.Errorf("blocks: %s", got)
	}
	if err := Compile(dir, t.TempDir(), blocks[:1]); err != nil {
		t.Errorf("a package comment may leave a name to the reader: %v", err)
	}
	blocks[0].Text = "gauge.New(start).Raed()\n"
	if err := Compile(dir, t.TempDir(), blocks[:1]); err == nil {
		t.Error("a method that is not there passed")
	}
}

func TestUnreadableDocumentsAreErrors(t *testing.T) {
	for _, tt := range []struct{ text, says string }{
		{"```sh\n$ true\n", "the block has no end"},
		{"<!-- docs: exit=x -->\n" + fence("sh", "$ true"), "invalid syntax"},
		{"<!-- docs: exti=1 -->\n" + fence("sh", "$ true"), `cannot read "exti=1"`},
		{"<!-- docs: skip -->\n" + fence("sh", "$ true"), `cannot read "skip"`},
		{"<!-- docs: given\nvar x int\n", "the comment has no end"},
		{"<!-- docs: pattern -->\ntext\n" + fence("sh", "$ true"), "no block follows"},
	} {
		if _, err := Markdown("doc.md", tt.text); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%q: got error %v, want one with %q", tt.text, err, tt.says)
		}
	}
}

func TestABlockIsTheFileItNames(t *testing.T) {
	dir := fixture(t)
	text, err := os.ReadFile(filepath.Join(dir, "sub", "sub.go"))
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(text), "\n")
	for _, tt := range []struct{ file, text, says string }{
		{"sub/sub.go", strings.TrimSuffix(code, "\n"), ""},
		{"sub/sub.go", code + "const Y = 2", "doc.md:3: differs from sub/sub.go"},
		{"sub/gone.go", code, "doc.md:3: open"},
	} {
		b := blocksOf(t, "<!-- docs: file="+tt.file+" -->\n"+fence("go", tt.text))[0]
		if err := b.SameText(dir); tt.says == "" && err != nil || tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)) {
			t.Errorf("%s: got %v, want %q", tt.file, err, tt.says)
		}
	}
}
