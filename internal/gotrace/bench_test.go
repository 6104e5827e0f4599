// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import (
	"sync"
	"testing"
	"time"
)

// busy is a trace of goroutines that exchange values, lock, sleep and allocate: 1 MB or more.
var busy = sync.OnceValue(func() []byte {
	b := new(testing.B)
	return record(b, func(generation func()) {
		var wg sync.WaitGroup
		var mu sync.Mutex
		for range 8 {
			ping, pong := make(chan int), make(chan int)
			wg.Add(2)
			go func() {
				defer wg.Done()
				for i := range 5000 {
					ping <- i
					<-pong
				}
				close(ping)
			}()
			go func() {
				defer wg.Done()
				for i := range ping {
					if i%50 == 0 {
						mu.Lock()
						time.Sleep(10 * time.Microsecond)
						mu.Unlock()
					}
					pong <- len(make([]byte, 1000))
				}
			}()
		}
		wg.Wait()
	})
})

// events counts the events of a trace.
func events(t testing.TB, data []byte) (n int) {
	version, at, err := header(data)
	if err != nil {
		t.Fatal(err)
	}
	r := batches{data: data, at: at, version: version}
	for {
		g, err := r.generation()
		if err != nil {
			t.Fatal(err)
		}
		if g == nil {
			return n
		}
		for _, s := range g.streams {
			c := cursor{batches: s.batches}
			for {
				ok, err := c.next(g.max)
				if err != nil {
					t.Fatal(err)
				}
				if !ok {
					break
				}
				n++
			}
		}
	}
}

func BenchmarkRead(b *testing.B) {
	data := busy()
	n := events(b, data)
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		if _, err := Read(data); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(n), "ns/event")
	b.ReportMetric(float64(n), "events")
}

// Of a window of which a tenth is asked for, the last or one in the middle.
func BenchmarkReadBetween(b *testing.B) {
	data := busy()
	n := events(b, data)
	tr, err := Read(data)
	if err != nil {
		b.Fatal(err)
	}
	tenth := (tr.To - tr.From) / 10
	for name, from := range map[string]Time{"last": tr.To - tenth, "middle": tr.To - 5*tenth} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ReadBetween(data, from, from+tenth, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(n), "ns/event")
		})
	}
}

// What part of that is decoding.
func BenchmarkDecode(b *testing.B) {
	data := busy()
	n := events(b, data)
	for b.Loop() {
		events(b, data)
	}
	b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(n), "ns/event")
}

func BenchmarkStack(b *testing.B) {
	data := busy()
	tr, err := Read(data)
	if err != nil {
		b.Fatal(err)
	}
	id := tr.Goroutines[len(tr.Goroutines)-1].Steps[2].Stack
	b.ReportAllocs()
	for b.Loop() {
		clear(tr.file.frames)
		tr.Stack(id)
	}
}
