// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"io"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/live"
)

// BenchmarkParked measures the cost of watching a process in which most goroutines wait inside a span, as in a server.
func BenchmarkParked(b *testing.B) { runRows(b, parkedRows()) }

const (
	parkedGoroutines = 20_000
	parkedZones      = 20
	parkedFor        = 5 * time.Second
)

// parkedRows must run in this order: the goroutines enter the spans in which they wait only once.
func parkedRows() []row {
	crowd := sync.OnceValue(parkCrowd)
	inside := func() { crowd().enter() }
	read := func(r *strobe.Reader) func(b *testing.B) {
		return func(b *testing.B) {
			for range 4 { // until all lanes are known to be idle
				r.Read()
			}
			cpuRow(10, func() { keptSnapshot = r.Read() })(b)
		}
	}
	return []row{
		{"outside/read", func(b *testing.B) {
			crowd()
			read(new(strobe.Reader))(b)
		}},
		{"read", func(b *testing.B) {
			inside()
			read(new(strobe.Reader))(b)
		}},
		{"read-sums", func(b *testing.B) {
			inside()
			read(&strobe.Reader{Lanes: -1})(b)
		}},
		{"TakeSnapshot", func(b *testing.B) {
			inside()
			cpuRow(5, func() { keptSnapshot = strobe.TakeSnapshot() })(b)
		}},
		{"page-closed", func(b *testing.B) {
			inside()
			watchParked(b, crowd(), false)
		}},
		{"page-open", func(b *testing.B) {
			inside()
			watchParked(b, crowd(), true)
		}},
	}
}

// watchParked reports the processor time of a live page, and the growth of the heap since the goroutines began to measure, as a
// multiple of what the profiler reports.
func watchParked(b *testing.B, c *parkedCrowd, open bool) {
	if _, ok := cpuTime(); !ok {
		b.Skip("the processor time of a process is not known here")
	}
	once(b, func() map[string]float64 {
		s, err := live.Serve("127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		defer s.Close()
		reader := strobe.NewReader()
		if open {
			answer, err := http.Get(s.URL() + "events")
			if err != nil {
				b.Fatal(err)
			}
			defer answer.Body.Close()
			go io.Copy(io.Discard, answer.Body)
		}
		time.Sleep(2 * time.Second) // until all lanes are known to be idle
		cpu := cpuShare(b, parkedFor)
		keptSnapshot = strobe.Snapshot{}
		grown, said := heapInUse()-c.heap, strobe.TakeSnapshot().Memory
		runtime.KeepAlive(reader)
		return map[string]float64{"cpu-%": cpu, "heap/memory": float64(grown) / float64(said)}
	})
}

func heapInUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A parkedCrowd is a number of goroutines that wait until the process ends.
type parkedCrowd struct {
	enter func()
	heap  int64 // in use after they were started, before they measured anything
}

func parkCrowd() *parkedCrowd {
	var zones []*strobe.Zone
	for i := range parkedZones {
		zones = append(zones, strobe.NewZone("parked "+strconv.Itoa(i)))
	}
	wait := strobe.NewWaitZone("read a request")
	var exist, entered, within sync.WaitGroup
	measure, move := make(chan bool), make(chan bool)
	for range parkedGoroutines {
		exist.Add(1)
		entered.Add(1)
		within.Add(1)
		go func() {
			exist.Done()
			<-measure
			for _, z := range zones {
				s := z.Enter()
				s.Exit()
			}
			entered.Done()
			<-move
			wait.Enter() // never ends
			within.Done()
			select {}
		}()
	}
	exist.Wait()
	c := &parkedCrowd{heap: heapInUse()}
	close(measure)
	entered.Wait()
	c.enter = sync.OnceFunc(func() {
		close(move)
		within.Wait()
	})
	return c
}
