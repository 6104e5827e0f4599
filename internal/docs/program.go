// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Standard packages that a fragment may name without importing them.
var standard = []string{"context", "errors", "fmt", "io", "log", "math", "net/http", "os", "sort", "strings", "sync", "testing", "time"}

// parses reports whether text is Go: a file, declarations or statements.
func parses(text string) bool {
	_, err := program(Block{Text: text}, nil)
	return err == nil
}

// program makes a Go file of a block: a file stays as it is, declarations get a package clause, and
// statements a function, the imports of what they name, and a use of every variable they declare.
func program(b Block, packages map[string]string) (string, error) {
	if _, err := parse(b.Text); err == nil {
		return lineMark(b, 0) + b.Text, nil
	}
	if file, err := parse("package p;" + b.Text); err == nil {
		return "package p\n" + imports(file, packages) + lineMark(b, 0) + b.Text, nil
	}
	n := len(importLines.FindString(b.Text))
	head, body := b.Text[:n], b.Text[n:]
	wrap := func(end string) string {
		return "package p\n" + head + "func _() {\n" + lineMark(b, strings.Count(head, "\n")) + body + end + "}\n"
	}
	file, err := parse(wrap(""))
	if err != nil {
		return "", err
	}
	var uses strings.Builder
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok {
			for _, name := range declares(f.Body.List) {
				uses.WriteString("_ = " + name + "\n")
			}
		}
	}
	text := wrap(uses.String())
	return strings.Replace(text, "package p\n", "package p\n"+imports(file, packages), 1), nil
}

func parse(text string) (*ast.File, error) {
	return parser.ParseFile(token.NewFileSet(), "block.go", text, parser.SkipObjectResolution)
}

// lineMark makes the compiler speak of the document's lines.
func lineMark(b Block, skipped int) string {
	if b.File == "" {
		return ""
	}
	return fmt.Sprintf("//line %s:%d\n", b.File, b.Line+skipped)
}

var importLines = regexp.MustCompile(`^(\s*import\s+(\([^)]*\)|[^\n]*)\n)*`)

// declares returns the variables that statements declare in their own scope.
func declares(list []ast.Stmt) []string {
	var names []string
	add := func(expr ast.Expr) {
		if id, ok := expr.(*ast.Ident); ok && id.Name != "_" && !slices.Contains(names, id.Name) {
			names = append(names, id.Name)
		}
	}
	for _, stmt := range list {
		switch s := stmt.(type) {
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				for _, lhs := range s.Lhs {
					add(lhs)
				}
			}
		case *ast.DeclStmt:
			if d := s.Decl.(*ast.GenDecl); d.Tok == token.VAR {
				for _, spec := range d.Specs {
					for _, id := range spec.(*ast.ValueSpec).Names {
						add(id)
					}
				}
			}
		}
	}
	return names
}

// imports returns import declarations for the packages that a file names and neither imports nor declares.
func imports(file *ast.File, packages map[string]string) string {
	known := map[string]string{}
	for _, path := range standard {
		known[path[strings.LastIndexByte(path, '/')+1:]] = path
	}
	for name, path := range packages {
		known[name] = path
	}
	taken := map[string]bool{}
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value)
		taken[path[strings.LastIndexByte(path, '/')+1:]] = true
		if spec.Name != nil {
			taken[spec.Name.Name] = true
		}
	}
	named := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok {
				named[id.Name] = true
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for _, lhs := range n.Lhs {
					if id, ok := lhs.(*ast.Ident); ok {
						taken[id.Name] = true
					}
				}
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				taken[id.Name] = true
			}
		case *ast.Field:
			for _, id := range n.Names {
				taken[id.Name] = true
			}
		}
		return true
	})
	var lines []string
	for name := range named {
		if path := known[name]; path != "" && !taken[name] {
			lines = append(lines, fmt.Sprintf("import %s %q\n", name, path))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

var leftToReader = regexp.MustCompile(`undefined: [a-z]\w*$`)

// Compile builds the go blocks in a module of their own at dir that sees the modules below root as a
// program outside would. The errors name the documents' lines.
func Compile(root, dir string, blocks []Block) error {
	packages, err := Packages(root)
	if err != nil {
		return err
	}
	if err := writeModule(root, dir); err != nil {
		return err
	}
	var faults []error
	loose := map[string]bool{}
	for i, b := range blocks {
		text, err := program(b, packages)
		if err != nil {
			faults = append(faults, fmt.Errorf("%s: not Go: %w", b.At(), err))
			continue
		}
		folder := fmt.Sprintf("block%03d", i)
		loose[folder] = b.Loose
		files := map[string]string{"block.go": text}
		if b.Ask.Given != "" {
			file, err := parse(text)
			if err != nil {
				return err
			}
			clause := "package " + file.Name.Name + "\n"
			given, err := parse(clause + b.Ask.Given)
			if err != nil {
				faults = append(faults, fmt.Errorf("%s: what is given is not Go: %w", b.At(), err))
				continue
			}
			files["given.go"] = clause + imports(given, packages) + b.Ask.Given
		}
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o777); err != nil {
			return err
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, folder, name), []byte(text), 0o666); err != nil {
				return err
			}
		}
	}
	if len(loose) > 0 {
		faults = append(faults, build(dir, loose))
	}
	return errors.Join(faults...)
}

// build compiles every block and returns what the compiler says, less the names left to the reader.
func build(dir string, loose map[string]bool) error {
	cmd := exec.Command("go", "build", "-mod=mod", "-gcflags=-e", "-o", os.DevNull, "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err == nil {
		return nil
	}
	var faults []string
	folder, left := "", 0
	for line := range strings.Lines(string(bytes.TrimSpace(out))) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "# "+module+"/"); ok {
			folder = name
			continue
		}
		if loose[folder] && leftToReader.MatchString(line) {
			left++
			continue
		}
		faults = append(faults, line)
	}
	if len(faults) == 0 && left > 0 {
		return nil
	}
	return errors.New(strings.Join(faults, "\n"))
}

// module is the path of the module that blocks are compiled in.
const module = "docs.invalid/blocks"

// writeModule writes a go.mod that replaces every module below root by its folder.
func writeModule(root, dir string) error {
	root, err := filepath.Abs(root)
	if err != nil {
		return err
	}
	modules, err := Modules(root)
	if err != nil {
		return err
	}
	goMod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return err
	}
	version := regexp.MustCompile(`(?m)^go\s.*`).Find(goMod)
	var mod, sum strings.Builder
	fmt.Fprintf(&mod, "module %s\n\n%s\n\nrequire %s v0.0.0\n\n", module, version, modules[root])
	for folder, path := range modules {
		fmt.Fprintf(&mod, "replace %s => %s\n", path, strconv.Quote(folder))
		if lines, err := os.ReadFile(filepath.Join(folder, "go.sum")); err == nil {
			sum.Write(lines)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod.String()), 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "go.sum"), []byte(sum.String()), 0o666)
}
