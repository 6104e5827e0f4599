// SPDX-License-Identifier: BSD-3-Clause

// Command tuning finds the constants of internal/tuned again: it simulates the processes of docs/coverage.md with other values of each
// constant, and prints the range of values with which every promise of that page is kept, what breaks on either side, and what
// happens without the constant. The other constants keep the values in use.
//
//	go -C tools run ./tuning [-quick] [-series N] [-only RE]
//
// With -quick it looks at each constant where it is needed most, with and without it, which takes seconds. Otherwise, with 1000 series
// of each kind and size, it takes about ten minutes of processor time. The same series are used for all values, so that small
// differences show. A value breaks a promise if a share is off its limit by more than two standard errors of the simulation, and differs
// from that with the constant in use by more than two.
package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"sync"
)

func main() {
	series := flag.Int("series", 1000, "draw `N` series of each process and size")
	quick := flag.Bool("quick", false, "only compare each constant in use with its absence, where it is needed most")
	only := flag.String("only", "", "vary only constants that match `RE`")
	flag.Parse()
	pattern, err := regexp.Compile(*only)
	switch {
	case err != nil:
		fail("-only: %v", err)
	case *series < 1:
		fail("-series %d: want at least 1", *series)
	case flag.NArg() > 0:
		fail("%q is not a flag; see -help", flag.Arg(0))
	}
	var chosen []constant
	for _, c := range constants {
		if pattern.MatchString(c.name) {
			chosen = append(chosen, c)
		}
	}
	if *quick {
		for i := range chosen {
			fmt.Println(chosen[i].compare(*series))
		}
		return
	}
	found := run(cells([]int{16, 32, 64, 128, 200, 400, 1000, 5000}), chosen, *series)
	for i := range chosen {
		fmt.Println(found.report(&chosen[i], i))
	}
}

// A result is what was simulated of a cell.
type result struct {
	cell
	now      tally    // with the constants in use
	families []family // of each constant
}

type results []result

// run simulates all cells, as many at once as there are processors.
func run(all []cell, chosen []constant, series int) results {
	found := make(results, len(all))
	var wait sync.WaitGroup
	room := make(chan bool, runtime.GOMAXPROCS(0))
	for i, c := range all {
		wait.Add(1)
		room <- true
		go func() {
			defer wait.Done()
			families := make([]family, len(chosen))
			for k := range chosen {
				families[k] = familyOf(&chosen[k])
			}
			found[i] = result{c, c.simulate(series, families), families}
			<-room
			fmt.Fprintf(os.Stderr, "%s, n=%d\n", c.process.Name, c.n)
		}()
	}
	wait.Wait()
	return found
}

// fail ends the program because of how it was called.
func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "tuning: "+format+"\n", args...)
	os.Exit(2)
}
