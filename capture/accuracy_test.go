// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package capture

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	goroutines "github.com/strobe-go/strobe/internal/goroutine"
	"github.com/strobe-go/strobe/internal/planted"
	"github.com/strobe-go/strobe/internal/pressure"
)

var (
	trials  = flag.Int("trials", 0, "plant every fault so many times in each program, and print a table")
	only    = flag.String("fault", "", "plant only faults whose name contains this")
	verbose = flag.Bool("reports", false, "print the reports that are not right")
	without = flag.String("without", "", "sources to leave out: recorder, switches, or only processors, so that the switches of each thread are recorded by itself")
	results = flag.String("results", "", "file to which a line of JSON is appended for each fault and program, which tools/accuracy reads")
	seed    = flag.Uint64("seed", 0, "another seed is another order and other sizes of faults")
)

// A program does the same thing again and again, and plants a fault when it is told to.
type program struct {
	name string
	root string
	// run works until stop is closed. It calls plant once in a unit for each value of faults.
	run func(stop <-chan struct{}, faults <-chan func())
}

// programs are those that the rules of the verdict were made with. The ones in held_out_test.go were not.
var programs = []program{
	{"loop", "turn", func(stop <-chan struct{}, faults <-chan func()) {
		update := strobe.NewZone("update")
		for next := time.Now(); ; next = time.Now().Add(5 * time.Millisecond) {
			select {
			case <-stop:
				return
			default:
			}
			span := update.Enter()
			work(time.Millisecond)
			select {
			case plant := <-faults:
				plant()
			default:
			}
			span.Exit()
			time.Sleep(time.Until(next))
			strobe.Frame("turn")
		}
	}},
	{"server", "request", func(stop <-chan struct{}, faults <-chan func()) {
		request, render := strobe.NewRootZone("request"), strobe.NewZone("render")
		var all sync.WaitGroup
		for range 20 {
			all.Add(1)
			go func() {
				defer all.Done()
				for {
					select {
					case <-stop:
						return
					case <-time.After(time.Duration(10+rand.IntN(20)) * time.Millisecond):
					}
					span := request.Enter()
					work(300 * time.Microsecond)
					inner := render.Enter()
					select {
					case plant := <-faults:
						plant()
					default:
					}
					work(200 * time.Microsecond)
					inner.Exit()
					span.Exit()
				}
			}()
		}
		all.Wait()
	}},
	// A game: frames on the thread that the graphics are bound to, parts of which are for workers, and sound on a thread of its own.
	{"game", "frame", func(stop <-chan struct{}, faults <-chan func()) {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		update, move, draw, mix := strobe.NewZone("update"), strobe.NewZone("move"), strobe.NewZone("draw"), strobe.NewZone("mix")
		moves := make(chan *sync.WaitGroup)
		defer close(moves)
		for range 2 {
			go func() {
				for all := range moves {
					span := move.Enter()
					work(200 * time.Microsecond)
					span.Exit()
					all.Done()
				}
			}()
		}
		sound := make(chan struct{})
		go func() {
			defer close(sound)
			runtime.LockOSThread() // the thread ends with the goroutine
			for ticks := time.NewTicker(5 * time.Millisecond); ; {
				select {
				case <-stop:
					ticks.Stop()
					return
				case <-ticks.C:
				}
				mix.Do(func() { work(100 * time.Microsecond) })
			}
		}()
		defer func() { <-sound }()
		for next := time.Now(); ; next = time.Now().Add(8 * time.Millisecond) {
			select {
			case <-stop:
				return
			default:
			}
			span := update.Enter()
			var all sync.WaitGroup
			for range 4 {
				all.Add(1)
				moves <- &all
			}
			all.Wait()
			span.Exit()
			span = draw.Enter()
			work(500 * time.Microsecond)
			select {
			case plant := <-faults:
				plant()
			default:
			}
			span.Exit()
			time.Sleep(time.Until(next))
			strobe.Frame("frame")
		}
	}},
	// Calls that come from elsewhere, some at the same time, each in a goroutine of its own that ends with it.
	{"crowd", "call", func(stop <-chan struct{}, faults <-chan func()) {
		call, answer := strobe.NewRootZone("call"), strobe.NewZone("answer")
		var all sync.WaitGroup
		defer all.Wait()
		ticker := time.NewTicker(2 * time.Millisecond)
		defer ticker.Stop()
		for {
			var plant func()
			select {
			case <-stop:
				return
			case plant = <-faults:
			case <-ticker.C:
			}
			for n := range 3 {
				all.Add(1)
				go func() {
					defer all.Done()
					defer call.Enter().Exit()
					work(50 * time.Microsecond)
					if n == 1 {
						time.Sleep(300 * time.Microsecond)
					}
					if n == 0 && plant != nil {
						plant()
					}
					inner := answer.Enter()
					work(50 * time.Microsecond)
					inner.Exit()
				}()
			}
		}
	}},
}

// work computes for about so long.
func work(d time.Duration) {
	x := 1.0
	for start := time.Now(); time.Since(start) < d; {
		for range 1000 {
			x = x*1.0000001 + 1e-9
		}
	}
	worked = x
}

var worked float64

// An outcome is what became of a planted fault.
type outcome struct {
	right, placed, wrong, unclear, none, disturbed int

	own int // of the wrong ones, those that blame the program itself
}

// note appends an outcome to the file of results.
func (o outcome) note(t *testing.T, set string, f planted.Fault, program string) {
	if *results == "" {
		return
	}
	line, err := json.Marshal(map[string]any{"set": set, "fault": f.Name, "cause": f.Causes[0], "program": program,
		"right": o.right, "placed": o.placed, "wrong": o.wrong, "unclear": o.unclear, "none": o.none, "disturbed": o.disturbed})
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(*results, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		t.Fatal(err)
	}
	_, err = file.Write(append(line, '\n'))
	if err = errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
}

// needy are the causes of faults that need a processor all the time.
var needy = []string{"own", "allocation", "gc", "stopped-world", "page-faults", "no-processor"}

// disturbed reports whether the machine itself made a fault last longer than it should: another cause may then be right.
func disturbed(f planted.Fault, size, took, waited time.Duration) bool {
	if slices.Contains(needy, f.Causes[0]) {
		if f.Causes[0] == "own" || f.Causes[0] == "page-faults" {
			return waited > took/3
		}
		return waited > took // of several threads together
	}
	if f.Causes[0] == "preempted" {
		return waited < took*2/3 // the machine had room for everyone
	}
	return took > size*3/2 && slices.Contains([]string{"lock", "channel", "sleep", "network", "syscall"}, f.Causes[0])
}

// plantAll plants a fault in a program, and counts what the reports say.
func plantAll(t *testing.T, p program, f planted.Fault, n int, random *rand.Rand) (o outcome) {
	plant := f.Prepare(t)
	reports := make(chan Report, 1000)
	left := blind{strings.Contains(*without, "recorder"), strings.Contains(*without, "switches"), strings.Contains(*without, "processors")}
	// A budget that the machine's own small delays keep, so that what is explained when a fault is planted is not something else.
	c := Start(Options{Cost: -1, Budget: 15 * time.Millisecond, Log: slog.New(slog.DiscardHandler), On: func(r Report) { reports <- r }, without: left})
	defer c.Stop()
	stop, faults, ended := make(chan struct{}), make(chan func()), make(chan struct{})
	go func() {
		defer close(ended)
		p.run(stop, faults)
	}()
	defer func() {
		close(stop)
		<-ended
	}()
	time.Sleep(700 * time.Millisecond)
	counters := pressure.Open(pressure.Options{})
	defer counters.Close()
	for range n {
		time.Sleep(150*time.Millisecond + time.Duration(random.Int64N(int64(50*time.Millisecond))))
		size := 20*time.Millisecond + time.Duration(random.Int64N(int64(40*time.Millisecond)))
		var from, to time.Time
		var before, after pressure.Reading
		var number int64
		done := make(chan struct{})
		faults <- func() {
			number = int64(goroutines.Number())
			counters.Read(&before)
			from = time.Now()
			plant(size)
			to = time.Now()
			counters.Read(&after)
			close(done)
		}
		<-done
		waited, _ := after.Since(&before).Value(pressure.Waited)
		if disturbed(f, size, to.Sub(from), time.Duration(waited)) {
			o.disturbed++
			wait(reports, p.root, number, from, to)
			continue
		}
		r, ok := wait(reports, p.root, number, from, to)
		if ok && r.Took > to.Sub(from)*3/2 && f.Causes[0] != "preempted" { // it was delayed outside what was planted
			o.disturbed++
			continue
		}
		switch place := f.At; {
		case !ok:
			o.none++
			if *verbose {
				t.Logf("%s of %v in a %s, took %v: no report", f.Name, size, p.name, to.Sub(from))
				continue
			}
		case slices.Contains(f.Causes, r.Cause.String()):
			o.right++
			if strings.Contains(r.Where, place) || place == "" || r.Cause == Own && strings.Contains(r.Where, "planted.") {
				o.placed++
			} else if *verbose {
				t.Logf("%s, place: %v", f.Name, r)
			}
			continue
		case r.Cause == Unclear:
			o.unclear++
		default:
			o.wrong++
			if blamed(r.Cause) {
				o.own++
			}
		}
		if *verbose {
			t.Logf("%s of %v in a %s, took %v: %v\n%+v\n%v", f.Name, size, p.name, to.Sub(from), r, r.Account, r.Degrees)
		}
	}
	return o
}

// wait returns the report of the unit in which something was planted.
func wait(reports <-chan Report, root string, number int64, from, to time.Time) (Report, bool) {
	middle := from.Add(to.Sub(from) / 2)
	for late := time.After(2 * time.Second); ; {
		select {
		case r := <-reports:
			if r.Root == root && r.Goroutine == number && r.At.Before(middle) && r.At.Add(r.Took).After(middle) {
				return r, true
			}
			if *verbose && r.Took > 10*time.Millisecond {
				fmt.Println("another:", r.Root, r.Goroutine, number, middle.Sub(r.At), r)
			}
		case <-late:
			return Report{}, false
		}
	}
}

// table plants all faults and prints how often the cause was right.
func table(t *testing.T, set string, programs []program, n int, seed uint64) {
	var sum outcome
	var b strings.Builder
	fmt.Fprintf(&b, "%-36s %-10s right placed wrong unclear none disturbed\n", "fault", "program")
	for _, f := range planted.Faults() {
		if !strings.Contains(f.Name, *only) {
			continue
		}
		for _, p := range programs {
			t.Run(f.Name+" in a "+p.name, func(t *testing.T) {
				o := plantAll(t, p, f, n, rand.New(rand.NewPCG(seed, uint64(len(f.Name)))))
				o.note(t, set, f, p.name)
				fmt.Fprintf(&b, "%-36s %-10s %5d %6d %5d %7d %4d %9d\n", f.Name, p.name, o.right, o.placed, o.wrong, o.unclear, o.none, o.disturbed)
				sum = outcome{sum.right + o.right, sum.placed + o.placed, sum.wrong + o.wrong, sum.unclear + o.unclear, sum.none + o.none, sum.disturbed + o.disturbed, sum.own + o.own}
			})
		}
	}
	fmt.Fprintf(&b, "%-47s %5d %6d %5d %7d %4d %9d\n", "all", sum.right, sum.placed, sum.wrong, sum.unclear, sum.none, sum.disturbed)
	t.Log("\n" + b.String())
}

func TestAccuracy(t *testing.T) {
	if *trials == 0 {
		t.Skip("long: run it with -trials 20")
	}
	table(t, "tuned", programs, *trials, 1+*seed)
}
