// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package capture

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
)

// The programs of this file have another shape than those that the rules of the verdict were made with, and other sizes and another
// order of faults. They are for measuring how often the verdict is right: do not change a rule because of them.
var heldOut = []program{
	// Batches of jobs, each given to one of four workers, in which the batch is the unit and a worker works for it.
	{"pool", "batch", func(stop <-chan struct{}, faults <-chan func()) {
		batch, job, merge := strobe.NewRootZone("batch"), strobe.NewZone("job"), strobe.NewZone("merge")
		type task struct {
			of   strobe.Task
			fold *sync.WaitGroup
		}
		tasks := make(chan task)
		var workers sync.WaitGroup
		for range 4 {
			workers.Add(1)
			go func() {
				defer workers.Done()
				for t := range tasks {
					span := t.of.Enter(job)
					work(400 * time.Microsecond)
					span.Exit()
					t.fold.Done()
				}
			}()
		}
		ticker := time.NewTicker(12 * time.Millisecond)
		defer ticker.Stop()
		for done := false; !done; {
			span := batch.Enter()
			var all sync.WaitGroup
			for range 3 {
				all.Add(1)
				tasks <- task{strobe.CurrentTask(), &all}
			}
			all.Wait()
			merging := merge.Enter()
			work(100 * time.Microsecond)
			select {
			case plant := <-faults:
				plant()
			default:
			}
			merging.Exit()
			span.Exit()
			select {
			case <-stop:
				done = true
			case <-ticker.C:
			}
		}
		close(tasks)
		workers.Wait()
	}},
	// A pipeline: a loop that allocates a little, talks to a neighbour over channels each turn, and yields.
	{"pipeline", "tick", func(stop <-chan struct{}, faults <-chan func()) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		questions, answers := make(chan []byte), make(chan int)
		go func() {
			for {
				select {
				case q := <-questions:
					n := 0
					for _, b := range q {
						n += int(b)
					}
					answers <- n
				case <-ctx.Done():
					return
				}
			}
		}()
		think, ask := strobe.NewZone("think"), strobe.NewZone("ask")
		tick := strobe.NewLoop("tick")
		for {
			select {
			case <-stop:
				return
			default:
			}
			span := think.Enter()
			text := make([]byte, 8<<10)
			work(700 * time.Microsecond)
			runtime.Gosched()
			select {
			case plant := <-faults:
				plant()
			default:
			}
			span.Exit()
			span = ask.Enter()
			questions <- text
			<-answers
			span.Exit()
			time.Sleep(3 * time.Millisecond)
			tick.Frame()
		}
	}},
}

func TestAccuracyHeldOut(t *testing.T) {
	if *trials == 0 {
		t.Skip("long: run it with -trials 20")
	}
	table(t, "held out", heldOut, *trials, 20260+*seed)
}
