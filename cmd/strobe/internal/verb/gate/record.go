// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"context"
	"encoding/csv"
	"os"
	"strconv"
	"time"
)

// A runner runs a process of one side of a benchmark: to record it, or to simulate it.
type runner func(ctx context.Context, b *benchmark, side, layout int, p process) (printout, error)

// exec runs a process of one side of a benchmark.
func (p *pkg) exec(ctx context.Context, b *benchmark, side, layout int, program process) (printout, error) {
	if p.runner != nil {
		return p.runner(ctx, b, side, layout, program)
	}
	return program.exec(ctx)
}

// A recorded run is what a run took, to simulate others with.
type recorded struct {
	name               string
	side, layout       int
	kind               string
	iterations, blocks int
	began, took        time.Duration // began counts from any moment, the same for all of a recording
	processor          float64       // time, ns
	waited             float64       // as disturbance has it; negative if unknown
	ns                 []float64     // per call, of each block
}

// strings returns the run as a line of a recording.
func (r *recorded) strings() []string {
	line := []string{r.name, strconv.Itoa(r.side), strconv.Itoa(r.layout), r.kind, strconv.Itoa(r.iterations), strconv.Itoa(r.blocks),
		strconv.FormatInt(r.began.Microseconds(), 10), strconv.FormatInt(r.took.Microseconds(), 10), strconv.FormatFloat(r.processor/1e3, 'f', 0, 64),
		strconv.FormatFloat(r.waited, 'f', 3, 64)}
	for _, x := range r.ns {
		line = append(line, strconv.FormatFloat(x, 'g', 5, 64))
	}
	return line
}

// A recording runs processes and appends what they took to a file.
type recording struct{ file string }

func (r *recording) run(ctx context.Context, b *benchmark, side, layout int, p process) (printout, error) {
	began := time.Now()
	out, err := p.exec(ctx)
	x := recorded{name: b.name, side: side, layout: layout, kind: p.kind(), iterations: p.iterations, blocks: p.blocks, began: time.Duration(began.UnixNano()),
		took: time.Since(began), processor: processorTime(&out.run), waited: -1}
	if d := disturbanceOf(&out.run); d.known {
		x.waited = d.waited
	}
	for _, v := range out.values {
		x.ns = append(x.ns, v.ns)
	}
	if err != nil || len(x.ns) == 0 {
		return out, err
	}
	f, err := os.OpenFile(r.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return out, err
	}
	lines := csv.NewWriter(f)
	_ = lines.Write(x.strings()) // Flush keeps the error
	lines.Flush()
	if err := lines.Error(); err != nil {
		f.Close()
		return out, err
	}
	return out, f.Close()
}
