// SPDX-License-Identifier: BSD-3-Clause

package instrument

import (
	"fmt"
	"slices"
	"testing"

	"github.com/strobe-go/strobe/cmd/strobe/internal/instrument/shape"
)

// described returns the units and waits of a plan, without their places.
func described(p *Plan) (all []string) {
	for _, z := range p.Zones {
		if z.Kind == shape.Plain {
			continue
		}
		all = append(all, fmt.Sprintf("%v %s: %s", z.Kind, z.Name, z.Why))
	}
	return all
}

func TestUnitsAndWaitsGetZonesOfTheirKind(t *testing.T) {
	p, program := build(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"main.go": `package main

import (
	"fmt"
	"sync"
	"time"

	"example.com/m/pool"
)

var mu sync.Mutex

func tick(n *int) { *n++ }

func main() {
	n, p := 0, pool.New[int](1)
	p.Put(1)
	for n < 3 {
		mu.Lock()
		mu.Unlock()
		tick(&n)
		time.Sleep(time.Millisecond)
	}
	errs := make(chan error, 1)
	errs <- nil
	fmt.Println(n, p.Get(), <-errs)
}
`,
		"pool/pool.go": `package pool

type Pool[T any] struct{ free chan T }

func New[T any](n int) *Pool[T] { return &Pool[T]{make(chan T, n)} }

func (p *Pool[T]) Put(v T) { p.free <- v }

func (p *Pool[T]) Get() T {
	return <-p.free
}
`}, Request{})
	if got := run(t, program); got != "3 1 <nil>" {
		t.Errorf("prints %s", got)
	}
	want := []string{
		"wait p.free <- in pool.(*Pool[...]).Put: sends to a channel",
		"wait <-p.free in pool.(*Pool[...]).Get: receives from a channel",
		"unit main.tick: the tick of a loop that waits for the time",
		"wait mu.Lock in main.main: a call of (*sync.Mutex).Lock, if the lock was taken",
		"wait time.Sleep in main.main: a call of time.Sleep",
		"wait errs <- in main.main: sends to a channel",
		"wait <-errs in main.main: receives from a channel",
	}
	if got := described(p); !slices.Equal(got, want) {
		t.Errorf("zones\n%q, want\n%q", got, want)
	}
}

// Without a request or a tick the whole program is the unit.
func TestMainIsTheUnitOfOtherPrograms(t *testing.T) {
	p, program := build(t, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"main.go": `package main

import "net/http"

func middleware(next http.Handler) http.Handler { return next }

func main() { println(middleware(nil) == nil) }
`}, Request{})
	if got := run(t, program); got != "true" {
		t.Errorf("prints %s", got)
	}
	if got, want := described(p), []string{"unit main.main: the whole program, since nothing else looks like a unit"}; !slices.Equal(got, want) {
		t.Errorf("zones %q, want %q", got, want)
	}
}

// The user may name units: also a function that is so small that it has no zone otherwise, and one of a dependency.
func TestUnitsAreNamed(t *testing.T) {
	files := map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"main.go": `package main

import "example.com/m/queue"

func small(n int) int { return n + 1 }

func take(n int) (sum int) {
	for i := range n {
		sum += small(i)
	}
	return sum
}

func main() { println(queue.Each(3, take)) }
`,
		"queue/queue.go": `package queue

func Each(n int, f func(int) int) (sum int) {
	for i := range n {
		sum += f(i)
	}
	return sum
}
`}
	for _, c := range []struct {
		r    Request
		want []string
	}{
		{Request{Units: []string{"main.take", "main.small"}, Skip: []string{"example.com/m/queue"}}, []string{"unit main.small: named by --units", "unit main.take: named by --units"}},
		{Request{Units: []string{"queue.Each"}, Zones: []string{"main.take"}}, []string{"unit queue.Each: named by --units"}},
	} {
		p, program := build(t, files, c.r)
		if got := run(t, program); got != "" && got != "4" {
			t.Errorf("prints %s", got)
		}
		if got := described(p); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.r.Units, got, c.want)
		}
		for _, z := range p.Zones {
			if z.Kind == shape.Unit && !z.Stays {
				t.Errorf("%s may be left out for its cost", z.Name)
			}
		}
	}
}
