// SPDX-License-Identifier: BSD-3-Clause

// Package instrument puts zones into the functions of a Go program for one build. It chooses the functions and writes changed
// copies of their files to a folder of its own; the go command reads these in place of the sources, by its flag -overlay. The
// sources, go.mod, go.sum and the vendor folder stay as they are.
package instrument

import (
	"context"
	"os"
	"time"

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
	Units    []string // patterns of functions that get zones whose calls are units, beside those that look like it
	Closures bool     // function literals get zones, too
	Attach   bool     // the program imports package live/attach
	Costly   bool     // zones that slowed an earlier run are not left out
}

// A Plan says which functions get zones, and has the flags for the go command that put them there.
type Plan struct {
	Zones   []Zone    // in the order of packages, files and lines
	LeftOut []LeftOut // the other functions of the packages, in the same order
	Costly  []Costly  // zones that are left out since they slowed an earlier run; their functions are in LeftOut, too
	Args    []string  // flags for go build or go test -c, which include Request.Flags
	Targets []string  // what go build or go test -c is to build
	Env     []string  // variables, as KEY=VALUE, that are added to the environment of the go command
	Fixed   bool      // the program is the same as long as the plan is, so that it need not be built again
	Unkept  string    `json:"-"` // why neither the plan nor the program can be kept, as a sentence; empty if they can

	dir        string
	temporary  string // a folder that Close removes
	costlyFile string // where Note writes; "" if nowhere
	whole      bool   // Request.Costly
}

// A Zone is a function that gets a zone.
type Zone struct {
	Name     string // as pprof shows functions, without the folders of the package: lua.(*LState).Call
	Package  string // the import path
	Position string // FILE:LINE
	Kind     shape.Kind
	Why      string // by what a unit or a wait was recognised
	Stays    bool   // it is not left out, whatever it costs
}

// A LeftOut is a function without a zone. Name, Package and Position are those of a Zone.
type LeftOut struct {
	Name, Package, Position string
	Reason                  string // a phrase: "inlined by the compiler"
}

// Prepare chooses the functions of a program and writes the files for its build. They are kept in the user's cache folder, and used
// again as long as neither the request nor the program's files change. If that folder cannot be written, or is full, a temporary one
// takes its place. The plan must be closed. An error is one line for the user, with what the go command said if it failed. Safe for
// concurrent use, also by several processes.
func Prepare(ctx context.Context, r Request) (*Plan, error) {
	s, err := openStore()
	if err != nil {
		return nil, err
	}
	p, err := r.prepare(ctx, s)
	if reason := s.refused(err); reason != "" && s.unkept == "" {
		if s, err = temporaryStore(reason); err != nil {
			return nil, err
		}
		p, err = r.prepare(ctx, s)
	}
	if err == nil {
		p.costlyFile, p.whole = s.costlyFile(r), r.Costly
		now := time.Now()
		os.Chtimes(p.costlyFile, now, now) // it is in use, if it is there
	}
	if s.unkept != "" {
		if err != nil {
			os.RemoveAll(s.base)
			if s.refused(err) != "" {
				err = nowhere(s.unkept, err)
			}
		} else {
			p.temporary, p.Unkept = s.base, s.unkept
		}
	}
	return p, err
}

func (r Request) prepare(ctx context.Context, s *store) (*Plan, error) {
	key := r.key()
	if p := s.find(key); p != nil {
		return p, nil
	}
	b, err := r.load(ctx)
	if err != nil {
		return nil, err
	}
	h := head{Inputs: b.inputs()}
	if !r.Costly {
		in := input{Path: s.costlyFile(r)}
		in.Digest, b.costly = in.read(), readCostly(in.Path)
		h.Inputs = append(h.Inputs, in)
	}
	h.Plan = s.folder(key, h.Inputs)
	p := s.load(h.Plan)
	if p == nil {
		if p, err = b.make(ctx, s.base, h.Plan); err != nil {
			return nil, err
		}
	}
	return p, s.keep(key, h)
}

// Folder returns a folder for the program, and for nothing else: the go command does not link what is there again if nothing has
// changed. The plan that takes the place of this one removes it, so that a program is not to be started there.
func (p *Plan) Folder() string { return folderIn(p.dir) }

// Close releases the plan.
func (p *Plan) Close() error {
	if p.temporary == "" {
		return nil
	}
	return os.RemoveAll(p.temporary)
}
