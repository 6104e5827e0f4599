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

// thousand are zones that the goroutines of a crowd use.
var thousand []*strobe.Zone

type crowd struct {
	zones []*strobe.Zone
	begin []chan struct{}
	done  sync.WaitGroup
}

func newCrowd(lanes int) *crowd {
	c := &crowd{begin: make([]chan struct{}, lanes)}
	for i := range 1000 {
		if len(thousand) <= i {
			thousand = append(thousand, strobe.NewZone(fmt.Sprint("crowd ", i)))
		}
	}
	c.zones = thousand
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

// work makes every goroutine call its zones.
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

// BenchmarkScrape scrapes 1000 zones: after every lane has used 300 of them, and after none has.
func BenchmarkScrape(b *testing.B) {
	for _, lanes := range []int{10, 100} {
		for _, busy := range []bool{true, false} {
			b.Run(fmt.Sprintf("lanes=%d/busy=%v", lanes, busy), func(b *testing.B) {
				c := newCrowd(lanes)
				defer c.end()
				c.work()
				r := prometheus.NewRegistry()
				r.MustRegister(NewCollector(Options{Zones: -1}))
				scrapeOnce(b, r)
				took := time.Duration(0)
				for b.Loop() {
					if busy {
						c.work()
					}
					from := cpu()
					scrapeOnce(b, r)
					took += cpu() - from
				}
				b.ReportMetric(float64(took.Microseconds())/1e3/float64(b.N), "cpu-ms/scrape")
			})
		}
	}
}
