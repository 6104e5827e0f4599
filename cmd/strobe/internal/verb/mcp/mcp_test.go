// SPDX-License-Identifier: BSD-3-Clause

package mcp

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/cli"
	"github.com/strobe-go/strobe/cmd/strobe/internal/clitest"
)

func TestALongResultKeepsItsBeginningAndItsEnd(t *testing.T) {
	for _, lines := range []int{0, 1, 100, 2000, 3000, 50_000} {
		for _, part := range []int{1, 7, 1 << 15} {
			var whole strings.Builder
			for i := range lines {
				fmt.Fprintf(&whole, "line %d\n", i)
			}
			var b bounded
			for rest := whole.String(); rest != ""; rest = rest[min(part, len(rest)):] {
				b.Write([]byte(rest[:min(part, len(rest))]))
			}
			got := b.text("strobe x")
			if whole.Len() <= headBytes+tailBytes {
				if got != whole.String() {
					t.Errorf("%d lines: %d bytes of %d", lines, len(got), whole.Len())
				}
				continue
			}
			head, tail, cut := strings.Cut(got, "\n... ")
			say, tail, _ := strings.Cut(tail, "\n\n")
			if !cut || len(got) > headBytes+tailBytes+200 || !strings.HasPrefix(whole.String(), head) || !strings.HasSuffix(whole.String(), tail) || !strings.HasSuffix(head, "\n") {
				t.Errorf("%d lines, %d at once: %d bytes, %q", lines, part, len(got), say)
			}
			if want := fmt.Sprintf("%d of %d bytes are left out here; to see all, run: strobe x", whole.Len()-len(head)-len(tail), whole.Len()); say != want {
				t.Errorf("%q, not %q", say, want)
			}
		}
	}
}

// Output without lines, or that is no text, is bounded too.
func TestALongLineIsBounded(t *testing.T) {
	var b bounded
	for range 1000 {
		b.Write([]byte(strings.Repeat("\xff", 1000)))
	}
	if got := b.text("x"); len(got) > headBytes+tailBytes+200 || len(b.tail) > 3*tailBytes {
		t.Errorf("%d bytes, of %d kept", len(got), len(b.tail))
	}
}

func TestMessagesAreBounded(t *testing.T) {
	short := strings.Repeat(strings.Repeat("x", longest-1)+"\n", 3)
	if got, err := io.ReadAll(&messages{r: strings.NewReader(short)}); err != nil || len(got) != len(short) {
		t.Errorf("%d bytes of %d, %v", len(got), len(short), err)
	}
	if got, err := io.ReadAll(&messages{r: strings.NewReader("x\n" + strings.Repeat("x", 5*longest))}); err == nil || len(got) > 3*longest {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

func TestACommandIsAsOneTypesIt(t *testing.T) {
	c := child{verb: "gate", args: []string{"--bench=A|B's", "main", "./x"}}
	if got, want := c.line(), `strobe gate '--bench=A|B'\''s' main ./x`; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}

func TestFlagsAreThoseOfTheVerb(t *testing.T) {
	for _, c := range []struct {
		in   input
		want string
	}{
		{guideInput{}, "guide"},
		{topInput{URL: ":8080"}, "top --once :8080"},
		{topInput{Loop: "tick"}, "top --once --loop=tick"},
		{gateInput{choice{place{"x"}, []string{"./a", "./b"}, "Sum", "3%", "1m", "cpu"}, "main"}, "gate --bench=Sum --gate=3% --max-time=1m --by=cpu main ./a ./b"},
		{bisectInput{choice{Packages: []string{"./a"}}, "a..b"}, "bisect a..b ./a"},
	} {
		verb, args, err := c.in.args()
		if got := strings.Join(append([]string{verb}, args...), " "); err != nil || got != c.want {
			t.Errorf("%s, %v, not %s", got, err, c.want)
		}
	}
	for _, in := range []input{guideInput{"-x"}, topInput{URL: "--json"}, captureInput{Files: []string{"a", "-x"}}, gateInput{choice{Packages: []string{"--annotate"}}, "main"}} {
		if _, args, err := in.args(); err == nil {
			t.Errorf("%q", args)
		}
	}
}

func TestProgressIsNoWarning(t *testing.T) {
	s := new(stderr)
	for _, text := range []string{"progress: 1\nstrobe gate: a", " warning\npro", "gress: 2\n", strings.Repeat("x\n", 3), "no end"} {
		s.Write([]byte(text))
	}
	if s.doing != "2" || !slices.Equal(s.warnings(), []string{"strobe gate: a warning", "x", "x", "x", "no end"}) {
		t.Errorf("%q, %q", s.doing, s.said)
	}
	for range 1000 {
		s.Write([]byte("more\n" + strings.Repeat("y", 1<<12)))
	}
	if n := len(s.warnings()); n != mostWarnings || len(strings.Join(s.said, "")) > 2*headBytes || len(s.partial) > headBytes {
		t.Errorf("%d warnings, %d bytes", n, len(strings.Join(s.said, "")))
	}
}

func TestHelpFits(t *testing.T) {
	clitest.Help(t, cli.Verb{Name: "mcp", Summary: "Offers verbs to coding assistants.", Command: new(Command)}, 50)
}
