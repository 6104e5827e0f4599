// SPDX-License-Identifier: BSD-3-Clause

//go:build unix

package strobeprom

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"

	"github.com/strobe-go/strobe"
)

// crowd is 1000 zones that 100 goroutines use.
type crowd struct {
	zones []*strobe.Zone
	begin [100]chan struct{}
	done  sync.WaitGroup
}

func newCrowd() *crowd {
	c := new(crowd)
	for i := range 1000 {
		c.zones = append(c.zones, strobe.NewZone(fmt.Sprint("crowd ", i)))
	}
	for i := range c.begin {
		c.begin[i] = make(chan struct{})
		go func() {
			r := rand.New(rand.NewPCG(uint64(i), 0))
			for range c.begin[i] {
				for j := range 300 { // every lane uses some of the zones
					c.zones[(i*37+j)%len(c.zones)].Add(time.Duration(1e6 * math.Exp(r.NormFloat64())))
				}
				c.done.Done()
			}
		}()
	}
	return c
}

// work lets every goroutine make calls.
func (c *crowd) work() {
	c.done.Add(len(c.begin))
	for _, b := range c.begin {
		b <- struct{}{}
	}
	c.done.Wait()
}

func (c *crowd) end() {
	for _, b := range c.begin {
		close(b)
	}
}

func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func scrapeOnce(tb testing.TB, r *prometheus.Registry) {
	families, err := r.Gather()
	if err != nil {
		tb.Fatal(err)
	}
	e := expfmt.NewEncoder(io.Discard, protobuf)
	for _, f := range families {
		if err := e.Encode(f); err != nil {
			tb.Fatal(err)
		}
	}
}

func BenchmarkScrape(b *testing.B) {
	c := newCrowd()
	defer c.end()
	c.work()
	for _, busy := range []bool{true, false} {
		b.Run(fmt.Sprintf("busy=%v", busy), func(b *testing.B) {
			collector := NewCollector(Options{Zones: -1})
			r := registered(b, collector)
			scrapeOnce(b, r)
			collecting, scraping := time.Duration(0), time.Duration(0)
			for b.Loop() {
				if busy {
					b.StopTimer()
					c.work()
					b.StartTimer()
				}
				from := cpu()
				if collector.scrape(); true {
					collecting += cpu() - from
				}
				scrapeOnce(b, r)
				scraping += cpu() - from
			}
			b.ReportMetric(float64(collecting.Microseconds())/1e3/float64(b.N), "read-cpu-ms/op")
			b.ReportMetric(float64(scraping.Microseconds())/1e3/float64(b.N), "cpu-ms/op")
		})
	}
}
