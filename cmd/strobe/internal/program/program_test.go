// SPDX-License-Identifier: BSD-3-Clause

package program

import (
	"fmt"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument"
	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument/shape"
)

func TestUnitsAreNamedWithTheReason(t *testing.T) {
	p := &instrument.Plan{LeftOut: make([]instrument.LeftOut, 7)}
	for i := range 5 {
		p.Zones = append(p.Zones, instrument.Zone{Name: fmt.Sprintf("main.f%d", i), Package: "a", Kind: shape.Unit, Why: "an http handler"})
	}
	want := "5 zones in 1 package; 7 functions have none (--list says why)\n" +
		"units: main.f0, an http handler; main.f1, an http handler; main.f2, an http handler; and 2 more (--skip leaves out)"
	if got := strings.Join(Describe(p), "\n"); got != want {
		t.Errorf("%s", got)
	}
}

func TestFlagsOfTheGoCommandAreKept(t *testing.T) {
	for _, x := range []struct {
		flags         []string
		goflags, want string
	}{
		{nil, "", "-tags=strobe_run -ldflags=-checklinkname=0"},
		{[]string{"-race", "-tags=a,b"}, "", "-race -tags=a,b,strobe_run -ldflags=-checklinkname=0"},
		{[]string{"-ldflags=-s -w"}, "-mod=mod -tags=c -ldflags=-X=a.b=c", "-tags=c,strobe_run -ldflags=-s -w -checklinkname=0"},
		{[]string{"--tags=a b"}, "", "-tags=a,b,strobe_run -ldflags=-checklinkname=0"},
	} {
		if got := strings.Join(withEnd(x.flags, x.goflags), " "); got != x.want {
			t.Errorf("%q: %s, want %s", x.flags, got, x.want)
		}
	}
}

func TestTheFirstWordIsThePackage(t *testing.T) {
	for words, want := range map[string]string{"./a -b c": "./a|-b c", "a.go b.go c": "a.go b.go|c", "-- ./a -- -b": "./a|-- -b", ".": ".|"} {
		target, args := Split(strings.Fields(words))
		if got := target + "|" + strings.Join(args, " "); got != want {
			t.Errorf("%s: %s, want %s", words, got, want)
		}
	}
}
