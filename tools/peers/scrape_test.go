// SPDX-License-Identifier: BSD-3-Clause

package peers

import (
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/strobe-go/strobe"
	strobeprom "github.com/strobe-go/strobe/contrib/prometheus"
)

// BenchmarkScrape measures the cost of a scrape by Prometheus.
func BenchmarkScrape(b *testing.B) { runRows(b, scrapeRows()) }

// acceptNative is how a server asks for native histograms.
const acceptNative = "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited"

func scrapeRows() []row {
	calls := sync.OnceValue(scrapedZones)
	scraped := sync.OnceValue(func() *prometheus.Registry {
		r := prometheus.NewRegistry()
		r.MustRegister(strobeprom.NewCollector(strobeprom.Options{Version: "1.0", Zones: -1}))
		return r
	})
	var all []row
	for _, compressed := range []bool{false, true} {
		for _, changed := range []bool{true, false} {
			name := map[bool]string{true: "changed", false: "unchanged"}[changed]
			if compressed {
				name += "-gzip"
			}
			all = append(all, row{name, func(b *testing.B) {
				if _, ok := cpuTime(); !ok {
					b.Skip("the processor time of a process is not known here")
				}
				once(b, func() map[string]float64 { return scrapeOf(b, scraped(), calls(), changed, compressed) })
			}})
		}
	}
	return all
}

// scrapedZones makes 1000 zones and returns a function that calls each of them a few times, on four lanes.
func scrapedZones() (calls func()) {
	const lanes = 4
	var all []*strobe.Zone
	for i := range manyZones {
		all = append(all, strobe.NewZone("scraped "+strconv.Itoa(i)))
	}
	r := rand.New(rand.NewPCG(1, 0))
	durations := make([]time.Duration, 1<<16)
	for i := range durations {
		durations[i] = time.Duration(1e6 * math.Exp(r.NormFloat64()))
	}
	var begin [lanes]chan int
	var done sync.WaitGroup
	for lane := range begin {
		begin[lane] = make(chan int)
		go func() {
			for next := range begin[lane] {
				for i := lane; i < len(all); i += lanes {
					for range 10 {
						all[i].Add(durations[next%len(durations)])
						next++
					}
				}
				done.Done()
			}
		}()
	}
	next := 0
	return func() {
		done.Add(lanes)
		for lane := range begin {
			next += 10*manyZones/lanes + 1
			begin[lane] <- next
		}
		done.Wait()
	}
}

// scrapeOf scrapes some times and returns the mean.
func scrapeOf(b *testing.B, of prometheus.Gatherer, calls func(), changed, compressed bool) map[string]float64 {
	const scrapes = 20
	server := httptest.NewServer(promhttp.HandlerFor(of, promhttp.HandlerOpts{DisableCompression: !compressed}))
	defer server.Close()
	bytes := int64(0)
	scrape := func() {
		request, err := http.NewRequest("GET", server.URL, nil)
		if err != nil {
			b.Fatal(err)
		}
		request.Header.Set("Accept", acceptNative)
		request.Header.Set("Accept-Encoding", "gzip") // with an explicit header, the client does not decompress
		answer, err := server.Client().Do(request)
		if err != nil {
			b.Fatal(err)
		}
		defer answer.Body.Close()
		if got := answer.Header.Get("Content-Encoding") == "gzip"; got != compressed {
			b.Fatalf("compressed: %v, want %v", got, compressed)
		}
		if bytes, err = io.Copy(io.Discard, answer.Body); err != nil {
			b.Fatal(err)
		}
	}
	for range 100 { // so that distributions get their shape, and histograms their resolution
		calls()
	}
	scrape()
	var took, used time.Duration
	for range scrapes {
		if changed {
			calls()
		}
		before, _ := cpuTime()
		from := time.Now()
		scrape()
		took += time.Since(from)
		after, _ := cpuTime()
		used += after - before
	}
	return map[string]float64{"ms": took.Seconds() * 1e3 / scrapes, "cpu-ms": used.Seconds() * 1e3 / scrapes, "kB": float64(bytes) / 1e3}
}
