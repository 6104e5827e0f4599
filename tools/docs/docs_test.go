// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	_ "embed"
	"flag"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

const root = "../.."

// documents are the files whose blocks are tested, in addition to package comments.
var documents = []string{"README.md", "CONTRIBUTING.md", "DESIGN.md", "RELEASE.md", "docs/*.md", "contrib/*/README.md", "examples/README.md", "examples/*/README.md",
	"AGENTS.md", "skills/*/SKILL.md", "cmd/strobe/internal/verb/guide/topics/*.md"}

var brief = flag.Bool("brief", false, "leave out commands that take long")

func TestDocumentsDoWhatTheySay(t *testing.T) {
	if os.Getenv(nested) != "" {
		t.Skip("a document is running this test")
	}
	blocks := allBlocks(t)
	var goBlocks []Block
	for _, b := range blocks {
		if err := b.SameText(root); err != nil {
			t.Error(err)
		}
		if b.Lang == "go" && b.Ask.Skip == "" && b.Ask.Same == "" { // a block that shows a file is built with its module
			goBlocks = append(goBlocks, b)
		}
	}
	t.Run("go", func(t *testing.T) {
		if err := Compile(root, t.TempDir(), goBlocks); err != nil {
			t.Error(err)
		}
	})
	t.Run("sh", func(t *testing.T) {
		if testing.Short() {
			for _, b := range blocks {
				if _, err := b.Commands(); b.Lang == "sh" && err != nil {
					t.Error(err)
				}
			}
			t.Skip("the commands of the documents take a minute")
		}
		if _, err := exec.LookPath("sh"); err != nil {
			t.Skip("the commands of the documents want a shell: ", err)
		}
		bin := t.TempDir()
		if main, err := filepath.Glob(filepath.Join(root, "cmd", "strobe", "*.go")); err == nil && len(main) > 0 {
			build := exec.Command("go", "build", "-o", bin, "./cmd/strobe")
			build.Dir, build.Env = root, append(os.Environ(), "GOWORK=auto")
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		run := &Runner{Root: root, Path: bin, Home: t.TempDir(), Limit: 8 * time.Minute, Brief: *brief}
		for len(blocks) > 0 {
			n := slices.IndexFunc(blocks, func(b Block) bool { return b.File != blocks[0].File })
			if n < 0 {
				n = len(blocks)
			}
			of := slices.DeleteFunc(slices.Clone(blocks[:n]), func(b Block) bool { return b.Lang != "sh" })
			if len(of) > 0 {
				t.Run(of[0].File, func(t *testing.T) { runBlocks(t, run, of) })
			}
			blocks = blocks[n:]
		}
	})
}

// runBlocks runs the commands of a document.
func runBlocks(t *testing.T, run *Runner, blocks []Block) {
	for _, b := range blocks {
		start := time.Now()
		run.Logf = t.Logf
		err := run.Run(b)
		for n := 1; err != nil && b.Ask.Pattern && n < 5; n++ { // on a busy machine a program may have measured less than the example shows
			t.Logf("once more: %v", err)
			err = run.Run(b)
		}
		if err != nil {
			t.Error(err)
		}
		t.Logf("%s took %.1f s", b.At(), time.Since(start).Seconds())
	}
}

//go:embed figures.txt
var figuresText string

// TestFiguresHaveSources compares the numbers in the documents and in the comments of importable packages with their sources.
func TestFiguresHaveSources(t *testing.T) {
	var figures []Figure
	for name, text := range allDocuments(t, slices.Concat(documents, []string{"CHANGELOG.md", "SECURITY.md"})) {
		figures = append(figures, Figures(name, text)...)
	}
	if err := eachFile(root, func(path string) error {
		name, err := filepath.Rel(root, path)
		if name = filepath.ToSlash(name); err != nil || !Importable(name) {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		found, err := CommentFigures(name, text)
		figures = append(figures, found...)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	sources, err := ParseSources("figures.txt", figuresText)
	if err != nil {
		t.Fatal(err)
	}
	for _, fault := range CheckFigures(figures, sources, func(path string) (string, error) {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
		return string(text), err
	}) {
		t.Error(fault)
	}
}

func allBlocks(t *testing.T) []Block {
	t.Helper()
	var blocks []Block
	for name, text := range allDocuments(t, documents) {
		found, err := Markdown(name, text)
		if err != nil {
			t.Error(err)
		}
		blocks = append(blocks, found...)
	}
	packages, err := Packages(root)
	if err != nil {
		t.Fatal(err)
	}
	found, err := PackageComments(root, packages)
	if err != nil {
		t.Fatal(err)
	}
	return append(blocks, found...)
}

// allDocuments yields the text of every document that a pattern names, by its path from the root.
func allDocuments(t *testing.T, patterns []string) iter.Seq2[string, string] {
	return func(yield func(name, text string) bool) {
		for _, pattern := range patterns {
			files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				name, err := filepath.Rel(root, file)
				if err != nil {
					t.Fatal(err)
				}
				if !yield(filepath.ToSlash(name), string(text)) {
					return
				}
			}
		}
	}
}
