// SPDX-License-Identifier: BSD-3-Clause

package perf_test

import (
	"fmt"
	"log"

	"github.com/strobe-go/strobe/perf"
)

// A value has a count or a reason why it has none.
func ExampleOpen() {
	g, err := perf.Open(perf.Thread, perf.Instructions, perf.TaskClock)
	if err != nil {
		log.Print(err) // nothing can be counted here: the reason, and what would help
	}
	defer g.Close() // a nil Group does nothing, so the program carries on
	m := g.Start()
	sum := 0
	for i := range 1000 {
		sum += i
	}
	r := m.Stop()
	for v := range r.All() {
		if !v.Known() && v.Reason == "" {
			fmt.Println("neither a count nor a reason:", v)
		}
	}
	if ipc, ok := r.Ratio(perf.Instructions, perf.TaskClock); ok && ipc <= 0 {
		fmt.Println("no instructions per nanosecond")
	}
	fmt.Println(sum)
	// Output: 499500
}

// Check says which events can be counted on this machine.
func ExampleCheck() {
	for _, v := range perf.Check(perf.PageFaults, "no-such-event") {
		switch {
		case v.Event == "no-such-event":
			fmt.Println(v.Event, "is", v.State)
		case !v.Known() && v.Reason == "":
			fmt.Println("neither a count nor a reason:", v)
		}
	}
	// Output: no-such-event is unsupported
}

// An Aggregate summarizes many measurements of the same work.
func ExampleAggregate() {
	g, err := perf.Open(perf.Thread, perf.PageFaults)
	if err != nil {
		log.Print(err) // then no reading has a count
	}
	defer g.Close()
	var a perf.Aggregate
	for range 10 {
		m := g.Start()
		_ = make([]byte, 1<<16)
		a.Add(m.Stop())
	}
	faults, elapsed := a.Of(perf.PageFaults), a.Of(perf.Elapsed)
	if faults.N < 10 && faults.Reason == "" {
		fmt.Println("neither a count nor a reason:", faults)
	}
	fmt.Println(elapsed.N, elapsed.Unit)
	// Output: 10 ns
}
