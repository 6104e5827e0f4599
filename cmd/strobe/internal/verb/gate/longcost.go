// SPDX-License-Identifier: BSD-3-Clause

package gate

// twoRuns are a long run and one of few calls.
type twoRuns struct{ long, few *lengthened }

// What counts of the processor time of a run: that of the process, or that from when it printed the name of the benchmark, to the end or
// to the result. What the functions do that a benchmark is a part of, such as to make the input of all, may take longer than the calls,
// and never the same time twice.
const (
	ofProcess = iota
	sinceName
	untilResult
)

// mostAfter is what may follow the result of few calls, as a share of the calls of a long run, and count. Work that they put off may
// be done there.
const mostAfter = 0.1

// whatCounts returns what counts of both sides of a round, alike for both.
func whatCounts(sides [2]twoRuns) int {
	count := sinceName
	for _, x := range sides {
		switch {
		case !x.parts():
			return ofProcess
		case float64(x.few.Part.After) > mostAfter*x.long.timed:
			count = untilResult
		}
	}
	return count
}

// parts reports whether it is known what both runs used since the name was printed.
func (x twoRuns) parts() bool {
	return x.long.Part != nil && x.few.Part != nil && 2*float64(x.long.Part.Wall) > x.long.timed
}

// processor returns the processor time of a call, ns, without what the process costs apart from the calls.
func (x twoRuns) processor(count int) float64 {
	long, few := processorTime(&x.long.Run), processorTime(&x.few.Run)
	if count != ofProcess { // the name may have been read some milliseconds after the first call
		long = float64(x.long.Part.Processor) * max(1, x.long.timed/float64(x.long.Part.Wall))
		few = float64(x.few.Part.Processor)
	}
	if count == sinceName {
		long, few = long+float64(x.long.Part.After), few+float64(x.few.Part.After)
	}
	return (long - few) / float64(x.long.calls-x.few.calls)
}

// elapsed returns the time of a call, ns, without waiting for a processor.
func (x twoRuns) elapsed(count int) float64 {
	d := disturbanceOf(&x.long.Run)
	if queued := x.long.Run; count != ofProcess && d.known && queued.Part.Queued >= 0 {
		queued.Queued = queued.Part.Queued
		d = disturbanceOf(&queued)
	}
	if !d.known {
		d.waited = 0
	}
	return x.long.timed * (1 - d.waited) / float64(x.long.calls)
}

// longCost returns what a call costs: processor time, that of other goroutines and of the collector included, without what the
// process costs apart from the calls, as runs of different lengths tell. Where calls wait for something else than a processor it is
// the time that they take.
func (b *benchmark) longCost(x twoRuns, by string, count int) float64 {
	switch {
	case by == "cpu":
		return x.processor(count)
	case b.setUpGrows:
		return x.elapsed(count)
	}
	return max(x.processor(count), x.elapsed(count))
}
