// SPDX-License-Identifier: BSD-3-Clause

package bench

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/command"
)

// A startup is the cost of starting and ending a shell that does nothing: the median of several runs.
type startup struct {
	words              []string
	wall, user, system time.Duration
	quartile           time.Duration // a quarter of the starts took less wall time than this
	above              time.Duration // and a quarter more than this
}

// starts is the number of measured starts, after an unmeasured one.
const starts = 25

func measureShell(ctx context.Context, shell string) (*startup, error) {
	words, err := command.Shell(shell, "")
	if err != nil {
		return nil, fmt.Errorf("--shell: %w", err)
	}
	var wall, user, system []time.Duration
	for range starts + 1 {
		r, err := (&command.Program{Args: words, Quote: true}).Exec(ctx)
		if err != nil {
			return nil, fmt.Errorf("--shell: %w", err)
		}
		wall, user, system = append(wall, r.Wall), append(user, r.User), append(system, r.System)
	}
	at := func(x []time.Duration, quarter int) time.Duration {
		x = slices.Clone(x[1:])
		slices.SortFunc(x, cmp.Compare)
		return x[quarter*(len(x)-1)/4]
	}
	return &startup{words[:len(words)-2], at(wall, 2), at(user, 2), at(system, 2), at(wall, 1), at(wall, 3)}, nil
}

// subtract subtracts the start of the shell from the times of a run, which stay at least 1 ns. A nil startup subtracts nothing.
func (s *startup) subtract(r *command.Run) {
	if s == nil {
		return
	}
	r.Wall = max(1, r.Wall-s.wall)
	r.User, r.System = max(0, r.User-s.user), max(0, r.System-s.system)
}

// note describes what was subtracted, and what that means for a command with this median, in ns.
func (s *startup) note(f *Flags, median float64) string {
	text := fmt.Sprintf("in %s, whose start of %s (quartiles %s and %s) is subtracted from all times, not from counts", command.Join(s.words),
		f.duration(float64(s.wall)), f.duration(float64(s.quartile)), f.duration(float64(s.above)))
	if spread := float64(s.above - s.quartile); spread > 0.05*median {
		text += "; it varies by more than a twentieth of the time of the command: use -N if it needs no shell"
	}
	return text
}
