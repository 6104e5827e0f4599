// SPDX-License-Identifier: BSD-3-Clause

package profile

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/stat"
)

var update = flag.Bool("update", false, "write docs/snapshot.md anew from the fields and their comments")

const document = "../docs/snapshot.md"

const documentHead = `# The JSON form of a snapshot and a timeline

` + "`encoding/json`" + ` writes a ` + "`profile.Snapshot`" + ` or a ` + "`profile.Timeline`" + ` in this form and reads it back to an equal value.
Programs in other languages can rely on it: keys keep their meaning, new keys may be added.

* The end of a key is its unit: ` + "`_ns`, `_hz`, `_bytes`" + `; a key without one is a count, a name or an index.
* Durations and instants are whole nanoseconds. An instant counts from a zero of the measured process and means nothing
  in another.
* A key marked "optional" is absent where its value is empty, unknown or zero. An empty list may also be ` + "`null`" + `.
* Counts may exceed 2^53, above which JavaScript numbers are no longer exact.
* Histogram cell i holds i ticks if i is below 32. Above, with e = i/16 - 1 rounded down, it begins at (i - 16 e) 2^e ticks
  and is 2^e ticks wide.

The tables are made from the source by ` + "`go test ./profile -update`" + `.
`

// documented are the types in the order of the document.
var documented = []struct {
	name string
	typ  reflect.Type
	dir  string
}{
	{"Snapshot", reflect.TypeFor[Snapshot](), "."},
	{"ZoneInfo", reflect.TypeFor[ZoneInfo](), "."},
	{"LaneStats", reflect.TypeFor[LaneStats](), "."},
	{"ZoneStats", reflect.TypeFor[ZoneStats](), "."},
	{"Histogram", reflect.TypeFor[Histogram](), "."},
	{"Node", reflect.TypeFor[Node](), "."},
	{"FrameStats", reflect.TypeFor[FrameStats](), "."},
	{"Interval", reflect.TypeFor[stat.Interval](), "../stat"},
	{"PlotStats", reflect.TypeFor[PlotStats](), "."},
	{"UnitStats", reflect.TypeFor[UnitStats](), "."},
	{"Timeline", reflect.TypeFor[Timeline](), "."},
	{"TimelineLane", reflect.TypeFor[TimelineLane](), "."},
	{"Path", reflect.TypeFor[Path](), "."},
	{"Event", reflect.TypeFor[Event](), "."},
	{"Unit", reflect.TypeFor[Unit](), "."},
	{"Looks", reflect.TypeFor[Looks](), "."},
	{"ZoneSplit", reflect.TypeFor[ZoneSplit](), "."},
	{"Split", reflect.TypeFor[Split](), "."},
	{"UnitSpan", reflect.TypeFor[UnitSpan](), "."},
	{"Note", reflect.TypeFor[Note](), "."},
}

// ofInterval describes the fields of stat.Interval that one comment explains together.
var ofInterval = map[string]string{
	"Center": "the estimate, in the unit that the key of the interval ends with",
	"Lo":     "lower bound; absent if it is not known",
	"Hi":     "upper bound; absent if it is not known",
}

// The document of the JSON form agrees with the code.
func TestDocumentOfTheJSONFormIsThatOfTheCode(t *testing.T) {
	var b strings.Builder
	b.WriteString(documentHead)
	comments := map[string]map[string]string{".": fieldComments(t, "."), "../stat": fieldComments(t, "../stat")}
	known := map[reflect.Type]bool{}
	for _, d := range documented {
		known[d.typ] = true
	}
	for _, d := range documented {
		fmt.Fprintf(&b, "\n## %s\n\n| key | value | meaning |\n|---|---|---|\n", d.name)
		for _, f := range reflect.VisibleFields(d.typ) {
			if f.Anonymous {
				continue
			}
			key, option, _ := strings.Cut(f.Tag.Get("json"), ",")
			owner := d.name
			if len(f.Index) > 1 {
				owner = d.typ.FieldByIndex(f.Index[:1]).Type.Name()
			}
			comment := comments[d.dir][owner+"."+f.Name]
			if d.typ == reflect.TypeFor[stat.Interval]() {
				comment = cmp.Or(ofInterval[f.Name], comment)
			}
			if key == "" || comment == "" {
				t.Errorf("%s.%s has no JSON name or no comment", owner, f.Name)
			}
			if option != "" {
				comment = "optional; " + comment
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s |\n", key, valueOf(t, known, f.Type), comment)
		}
	}
	if *update {
		if err := os.WriteFile(document, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != b.String() {
		t.Error("docs/snapshot.md is not that of the code: go test ./profile -update")
	}
}

func valueOf(t *testing.T, known map[reflect.Type]bool, typ reflect.Type) string {
	switch {
	case typ == reflect.TypeFor[Kind]():
		return "string"
	case known[typ]:
		return typ.Name()
	}
	switch typ.Kind() {
	case reflect.Pointer:
		return valueOf(t, known, typ.Elem())
	case reflect.Slice:
		return "list of " + valueOf(t, known, typ.Elem())
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint64:
		return "integer"
	case reflect.Float64:
		return "number"
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	}
	t.Errorf("%v is in the JSON form, but not in the list of types that are documented", typ)
	return typ.String()
}

// fieldComments returns the comments of the fields of a package's types, by Type.Field.
func fieldComments(t *testing.T, dir string) map[string]string {
	out := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), dir+"/"+e.Name(), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			typ, ok := spec.Type.(*ast.StructType)
			if !ok {
				return false
			}
			for _, f := range typ.Fields.List {
				for _, name := range f.Names {
					out[spec.Name.Name+"."+name.Name] = strings.TrimSpace(f.Comment.Text())
				}
			}
			return false
		})
	}
	return out
}

// The cells of a histogram are those of the document.
func TestDocumentedCellsAreThoseOfTheHistogram(t *testing.T) {
	for i := range uint64(octaves.Count()) {
		first, width := i, uint64(1)
		if i >= 32 {
			e := i/16 - 1
			first, width = (i-16*e)<<e, 1<<e
		}
		if lo, hi := octaves.Range(i); lo != first || hi-lo+1 != width {
			t.Fatalf("cell %d is [%d, %d], want %d wide from %d", i, lo, hi, width, first)
		}
	}
}
