// SPDX-License-Identifier: BSD-3-Clause

package docs

import (
	"go/doc/comment"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
)

// PackageComments returns the indented blocks of all package comments below root that are commands or
// Go code which names one of the packages. A block that does not parse as Go counts as prose.
func PackageComments(root string, packages map[string]string) ([]Block, error) {
	var blocks []Block
	fset := token.NewFileSet()
	err := eachFile(root, func(path string) error {
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(fset, path, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil || file.Doc == nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		for _, part := range new(comment.Parser).Parse(file.Doc.Text()).Content {
			code, ok := part.(*comment.Code)
			if !ok {
				continue
			}
			b := Block{File: filepath.ToSlash(rel), Line: fset.Position(file.Doc.Pos()).Line, Text: code.Text, Loose: true}
			switch {
			case strings.HasPrefix(code.Text, "$ ") || strings.Contains(code.Text, "\n$ "):
				b.Lang = "sh"
			case namesPackage(code.Text, packages) && parses(code.Text):
				b.Lang = "go"
			default:
				continue
			}
			blocks = append(blocks, b)
		}
		return nil
	})
	return blocks, err
}

var qualified = regexp.MustCompile(`\b([a-z]\w*)\.[A-Z]\w*`)

func namesPackage(text string, packages map[string]string) bool {
	for _, m := range qualified.FindAllStringSubmatch(text, -1) {
		if packages[m[1]] != "" {
			return true
		}
	}
	return false
}
