// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat/decide"
)

// A sizing is the machine code of a package on both sides. It is the same in every build, so there is nothing to be confident of.
type sizing struct {
	*pkg
	answer
	unknown string // why it is
}

// size compares the code of the packages that differ, where that decides.
func (m *measurement) size(s *session.Session, dirs [2]string) error {
	p := s.Progress()
	defer p.Clear()
	for _, pk := range m.pkgs {
		l, ok := m.sizeCharge(pk)
		if !ok || m.flags.Self || pk.same || pk.unbuilt || !pk.on(oldSide) || !pk.on(newSide) {
			continue
		}
		p.Show("the size of %s", pk.path)
		x := sizing{pkg: pk, answer: answer{charge: l, decides: true, rounds: 1}}
		for side, value := range [2]*float64{&x.before, &x.after} {
			n, err := codeSize(s.Ctx, dirs[side], pk.target, m.build)
			if s.Interrupted() {
				return s.Ctx.Err()
			}
			if err != nil {
				x.unknown = fmt.Sprintf("the size of the code of %s on %s is unknown: %v", pk.path, sideNames[side], err)
				break
			}
			*value = float64(n)
		}
		x.judge()
		m.sizes = append(m.sizes, x)
	}
	return nil
}

// judge decides about two sizes.
func (x *sizing) judge() {
	if x.unknown != "" {
		x.rounds, x.sentence = 0, x.unknown
		return
	}
	x.apart = x.before != x.after
	base, other := x.costs(x.before, x.after)
	has := fmt.Sprintf("%s has %s %s, %s on %s: %s", x.path, x.text(x.after), x.unit(), x.text(x.before), sideNames[oldSide], x.differs())
	if other/base > 1+x.limit() {
		x.outcome, x.sentence = decide.Failed, fmt.Sprintf("%s, more than the allowed %s", has, x.allowed())
	} else {
		x.outcome, x.sentence = decide.Passed, fmt.Sprintf("%s, at most the allowed %s", has, x.allowed())
	}
}

// codeSize returns how many bytes of machine code the functions of a package have, its tests left out: those that its compiled form
// contains. A package that has tests alone has none.
func codeSize(ctx context.Context, dir, target string, flags []string) (n int64, err error) {
	text, err := tool(ctx, dir, slices.Concat([]string{"go", "list", "-e", "-export", "-json=Export,GoFiles,CgoFiles"}, flags, []string{"--", target})...)
	if err != nil {
		return 0, err
	}
	var p struct {
		Export            string
		GoFiles, CgoFiles []string
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return 0, fmt.Errorf("go list: %w", err)
	}
	if p.Export == "" {
		if len(p.GoFiles)+len(p.CgoFiles) > 0 {
			return 0, fmt.Errorf("it does not build without its tests")
		}
		return 0, nil
	}
	symbols, err := tool(ctx, dir, "go", "tool", "nm", "-size", p.Export)
	if err != nil {
		return 0, err
	}
	return sumText(symbols), nil
}

// sumText returns the sum of the sizes of functions that go tool nm -size lists: address, size, kind and name.
func sumText(symbols []byte) (n int64) {
	for line := range bytes.Lines(symbols) {
		words := strings.Fields(string(line))
		if len(words) < 4 || words[2] != "T" && words[2] != "t" {
			continue
		}
		if size, err := strconv.ParseInt(words[1], 10, 64); err == nil {
			n += size
		}
	}
	return n
}
