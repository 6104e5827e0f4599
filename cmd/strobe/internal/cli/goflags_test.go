// SPDX-License-Identifier: BSD-3-Clause

package cli

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// A builder prints what it got.
type builder struct {
	Zones []string `help:"Zones."`
	Fast  bool     `help:"Fast."`
	Dir   string   `short:"C" help:"Folder."`
	Go    []string `name:"go" sep:"none" help:"Flags."`
	Words []string `arg:"" passthrough:"" help:"Words."`
}

func (b *builder) Run(s *session.Session) error {
	_, err := fmt.Fprintf(s.Out, "zones=%q fast=%v dir=%q go=%q words=%q json=%v", b.Zones, b.Fast, b.Dir, b.Go, b.Words, s.JSON)
	return err
}

func TestFlagsOfTheGoCommandMayBeGivenAsTheyAre(t *testing.T) {
	for args, want := range map[string]string{
		"b ./x -race --json -y":                  `zones=[] fast=false dir="" go=[] words=["./x" "-race" "--json" "-y"] json=false`,
		"b -race -tags a,b ./x":                  `zones=[] fast=false dir="" go=["-race" "-tags=a,b"] words=["./x"] json=false`,
		"--json b --zones p,q -ldflags=-s . --z": `zones=["p" "q"] fast=false dir="" go=["-ldflags=-s"] words=["." "--z"] json=true`,
		"b --fast -C dir -v --go=-x -- ./x -a":   `zones=[] fast=true dir="dir" go=["-v" "-x"] words=["--" "./x" "-a"] json=false`,
		"b --zones=p -p 4 ./x":                   `zones=["p"] fast=false dir="" go=["-p=4"] words=["./x"] json=false`,
	} {
		var out, errout bytes.Buffer
		code := Run(t.Context(), []Verb{{Name: "b", Command: new(builder)}}, strings.Fields(args), nil, &out, &errout)
		if got := out.String(); code != 0 || got != want {
			t.Errorf("%s: exit code %d\n%s, want\n%s%s", args, code, got, want, errout.String())
		}
	}
}

// An ender ends with the exit code of a program.
type ender struct{}

func (ender) Run(*session.Session) error { return session.Exit(143) }

func TestTheExitCodeMayBeThatOfAProgram(t *testing.T) {
	var out, errout bytes.Buffer
	if code := Run(t.Context(), []Verb{{Name: "e", Command: new(ender)}}, []string{"e"}, nil, &out, &errout); code != 143 || errout.Len() > 0 {
		t.Errorf("exit code %d, %q", code, errout.String())
	}
}
