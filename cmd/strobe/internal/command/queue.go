// SPDX-License-Identifier: BSD-3-Clause

package command

import (
	"io"
	"os"
	"strconv"
	"time"

	"github.com/strobe-go/strobe/internal/procstat"
)

// A watched writer forwards what a program prints, and each time records how long the program's threads have waited for a
// processor, since that is unknown after the program has ended. It works only on Linux.
type watched struct {
	io.Writer
	started chan struct{} // closed when pid is known
	pid     int
	tasks   map[string]task
	part    *part // nil if none is asked for
}

// Write implements io.Writer.
func (w *watched) Write(p []byte) (int, error) {
	ends, begins := w.part.end(p), w.part.begin(p)
	w.look()
	switch {
	case begins:
		w.part.before = w.sum()
	case ends:
		w.part.queued(w.sum())
	}
	return w.Writer.Write(p)
}

func (w *watched) look() {
	<-w.started // the program may print before its start is known here
	dir := "/proc/" + strconv.Itoa(w.pid) + "/task/"
	threads, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, thread := range threads {
		text, err := os.ReadFile(dir + thread.Name() + "/schedstat")
		if err != nil {
			continue // it has ended
		}
		if t, ok := parseTask(string(text)); ok {
			w.tasks[thread.Name()] = t
		}
	}
}

// share returns the share of the time that the threads waited for a processor. ok is false if it is unknown.
func (w *watched) share() (share float64, ok bool) {
	return w.sum().share()
}

// sum returns the figures of all threads.
func (w *watched) sum() (sum task) {
	for _, t := range w.tasks {
		sum.ran += t.ran
		sum.queued += t.queued
	}
	return sum
}

// machineTimes returns the time of the machine's processors so far, in all and stolen; zero if the system does not tell.
func machineTimes() times {
	t, _ := procstat.Read()
	return times{t.Steal, t.All()}
}

type times struct{ steal, all time.Duration }

// since returns the share of the time since before that the host gave to other machines. ok is false if no tick has passed.
func (t times) since(before times) (share float64, ok bool) {
	all, stolen := t.all-before.all, t.steal-before.steal
	if before.all == 0 || all <= 0 || stolen < 0 {
		return 0, false
	}
	return float64(stolen) / float64(all), true
}
