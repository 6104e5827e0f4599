// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/host"
	"github.com/strobe-go/strobe/cmd/strobe/internal/kept"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/stat"
	"github.com/strobe-go/strobe/stat/sample"
)

const (
	fewestKept = 12   // rounds of which the cost of a base is kept
	drifted    = 0.05 // by how much the cost of the same program may differ between runs before it is said
)

// earlier is what the base cost in the best earlier run of the same program on this machine.
type earlier struct {
	kept.Record
	now stat.Interval
}

// factor returns how many times as much the base costs now, within bounds.
func (e *earlier) factor() (lo, hi float64) { return e.now.Lo / e.Cost.Hi, e.now.Hi / e.Cost.Lo }

func (e *earlier) ratio() float64 { return e.now.Center / e.Cost.Center }

// differs reports whether the machine has become faster or slower, beyond what both intervals allow.
func (e *earlier) differs() bool {
	lo, hi := e.factor()
	return lo > 1+drifted || hi < 1/(1+drifted)
}

// remember finds what the bases cost before, and keeps what they cost now. Such costs never take part in a verdict, since the speed of
// a machine changes; they show that it has changed.
func (r *report) remember(file string) error {
	store := kept.Read(file)
	machine := host.Describe("/", session.Version())
	programs := map[string]string{}
	for i := range r.rows {
		x := &r.rows[i]
		if len(x.rounds) < fewestKept || x.broken != "" {
			continue
		}
		binary := x.pkg.binaries[x.base()][0]
		if programs[binary] == "" {
			programs[binary] = hashOf(binary)
		}
		costs := make([]float64, len(x.rounds))
		for i := range x.rounds {
			costs[i] = x.rounds[i].cost[oldSide]
		}
		now := sample.QuantileInterval(costs, 0.5, 0.99)
		k := kept.Key{Machine: machine.Stamp(), Program: programs[binary], Commit: r.m.checkout.base, Package: x.pkg.path, Benchmark: x.on(oldSide), Processors: x.maxProcs()}
		if k.Program == "" || !now.Bounded() {
			continue
		}
		if then, ok := store.Look(k, r.m.started); ok {
			x.earlier = &earlier{then, now}
		}
		store.Keep(k, kept.Record{At: r.m.started, Cost: now})
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return session.WriteFile(file, store.Write)
}

// hashOf returns a hash of a file, empty if it cannot be read.
func hashOf(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// drift says that the machine is not as fast as it was, empty if nothing shows it.
func (r *report) drift() string {
	n, of, example := 0, 0, (*row)(nil)
	for i := range r.rows {
		x := &r.rows[i]
		if x.earlier == nil {
			continue
		}
		of++
		if !x.earlier.differs() {
			continue
		}
		n++
		if example == nil || x.earlier.ratio() > example.earlier.ratio() {
			example = x
		}
	}
	if n == 0 {
		return ""
	}
	lo, hi := example.earlier.factor()
	return fmt.Sprintf("the speed of this machine has changed: the base of %d of %s costs something else than in an earlier run, that of %s %.3g to %.3g times what it cost at %s; both sides were measured now, so that this is no change of the code",
		n, layout.Plural(uint64(of), "benchmark"), example.title(), lo, hi, example.earlier.At.Local().Format(time.DateTime))
}

// An earlierObject is the JSON of an earlier cost.
type earlierObject struct {
	At   string        `json:"at"`      // when that run began, RFC 3339
	Cost stat.Interval `json:"cost_ns"` // of a call on the base
	Now  stat.Interval `json:"now_ns"`  // the same in this run
}

func (e *earlier) object() *earlierObject {
	if e == nil {
		return nil
	}
	return &earlierObject{e.At.Format(time.RFC3339), e.Cost, e.now}
}
