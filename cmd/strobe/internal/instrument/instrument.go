// SPDX-License-Identifier: BSD-3-Clause

// Package instrument puts zones into the functions of a Go program for one build. It chooses the functions and writes changed
// copies of their files to a folder of its own; the go command reads these in place of the sources, by its flag -overlay. The
// sources, go.mod, go.sum and the vendor folder stay as they are.
package instrument

import (
	"context"
	"os"

	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument/shape"
)

// A Request says what is built and where zones go.
type Request struct {
	Dir      string   // where the go command runs; "" is the current folder
	Package  string   // one main package, or .go files of one, separated by spaces; with Test, the package whose tests are built
	Test     bool     // the test binary is built
	Flags    []string // for the go command: -tags=x, -race and so on
	Zones    []string // patterns of functions that get zones; none: those of the main module's packages
	Skip     []string // patterns of functions that get none
	Closures bool     // function literals get zones, too
	Attach   bool     // the program imports package live/attach
}

// A Plan says which functions get zones, and has the flags for the go command that put them there.
type Plan struct {
	Zones   []Zone    // in the order of packages, files and lines
	LeftOut []LeftOut // the other functions of the packages, in the same order
	Args    []string  // flags for go build or go test -c, which include Request.Flags
	Targets []string  // what go build or go test -c is to build
	Env     []string  // variables, as KEY=VALUE, that are added to the environment of the go command

	dir string
}

// A Zone is a function that gets a zone.
type Zone struct {
	Name     string // as pprof shows functions, without the folders of the package: lua.(*LState).Call
	Package  string // the import path
	Position string // FILE:LINE
	Kind     shape.Kind
	Why      string // by what a unit or a wait was recognised
}

// A LeftOut is a function without a zone. Name, Package and Position are those of a Zone.
type LeftOut struct {
	Name, Package, Position string
	Reason                  string // a phrase: "inlined by the compiler"
}

// Prepare chooses the functions of a program and writes the files for its build. The plan must be closed. An error is one line for
// the user, with what the go command said if it failed.
func Prepare(ctx context.Context, r Request) (*Plan, error) {
	packages, err := list(ctx, r)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "strobe-run-")
	if err != nil {
		return nil, err
	}
	p := &Plan{dir: dir, Targets: r.targets(), Args: r.Flags}
	if err := p.make(ctx, r, packages); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// Close removes the files of the plan.
func (p *Plan) Close() error { return os.RemoveAll(p.dir) }
