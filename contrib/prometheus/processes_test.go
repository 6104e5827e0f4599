// SPDX-License-Identifier: BSD-3-Clause

package strobeprom

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	dto "github.com/prometheus/client_model/go"

	"github.com/strobe-go/strobe"
)

// The test binary is also the program that the tests scrape.
func TestMain(m *testing.M) {
	if seed, err := strconv.Atoi(os.Getenv("STROBEPROM_SERVE")); err == nil {
		serve(uint64(seed))
		return
	}
	os.Exit(m.Run())
}

const callsOfAProcess = 100_000

// durations returns the durations that the process with that seed records.
func durations(seed uint64) []time.Duration {
	r := rand.New(rand.NewPCG(seed, 0))
	all := make([]time.Duration, callsOfAProcess)
	for i := range all {
		all[i] = time.Duration(float64(8+seed) * 1e6 * math.Exp(0.2*r.NormFloat64()))
	}
	return all
}

// serve prints its address and serves until its standard input ends.
func serve(seed uint64) {
	zone := strobe.NewZone("tick")
	for _, d := range durations(seed) {
		zone.Add(d)
	}
	prometheus.MustRegister(NewCollector(Options{}))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(l.Addr())
	go http.Serve(l, promhttp.Handler())
	io.Copy(io.Discard, os.Stdin)
}

// start starts a process and returns its address and a function that kills it.
func start(t *testing.T, seed int) (address string, kill func()) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), "STROBEPROM_SERVE="+strconv.Itoa(seed))
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	c.Stderr = os.Stderr
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	kill = func() {
		c.Process.Kill()
		in.Close()
		c.Wait()
	}
	t.Cleanup(kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the process gave no address: %v", err)
	}
	return line[:len(line)-1], kill
}

// scrape requests protobuf, like a server that accepts native histograms.
func scrape(t *testing.T, address string) map[string]*dto.MetricFamily {
	t.Helper()
	q, err := http.NewRequest("GET", "http://"+address+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Accept", "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited")
	answer, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, bytes.NewBuffer(body), protobuf)
}

func TestMergedQuantilesOfThreeProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("starts three processes")
	}
	var all []time.Duration
	var histograms []*dto.Histogram
	var sum time.Duration
	got := 0.0
	for seed := range 3 {
		address, _ := start(t, seed)
		for range 2 { // the second scrape finds nothing new
			m := scrape(t, address)
			h := of(t, m, "strobe_zone_duration_seconds", "zone", "tick").GetHistogram()
			calls := of(t, m, "strobe_zone_calls_total", "zone", "tick").GetCounter().GetValue()
			if calls != callsOfAProcess || h.GetSampleCount() != callsOfAProcess || total(h) != callsOfAProcess {
				t.Errorf("process %d: %v calls, %d in the histogram", seed, calls, h.GetSampleCount())
			}
			histograms = append(histograms[:seed], h)
		}
		got += histograms[seed].GetSampleSum()
		for _, d := range durations(uint64(seed)) {
			all = append(all, d)
			sum += d
		}
	}
	if math.Abs(got/sum.Seconds()-1) > 1e-6 {
		t.Errorf("sums of %v s, want %v", got, sum.Seconds())
	}
	judgeQuantiles(t, all, histograms)
}

// judgeQuantiles compares quantiles of merged histograms with those of the durations, within what package strobeprom promises.
func judgeQuantiles(t *testing.T, all []time.Duration, histograms []*dto.Histogram) {
	t.Helper()
	slices.Sort(all)
	for q, most := range map[float64]float64{0.5: 0.002, 0.9: 0.002, 0.99: 0.002, 0.999: 0.004} {
		got, want := quantile(q, histograms...), all[int(q*float64(len(all)))].Seconds()
		if e := math.Abs(got/want - 1); !(e <= most) {
			t.Errorf("p%g is %v, want %v: off by %.3f %%; schema %d", q*100, got, want, e*100, histograms[0].GetSchema())
		}
	}
}

// Cells are in ticks, so their bounds in seconds are elsewhere on each machine.
func TestMergedQuantilesWhereverCellsBegin(t *testing.T) {
	const shifts = 16
	c := NewCollector(Options{Zones: -1})
	var all [shifts][]time.Duration
	for k := range shifts {
		for seed := range 3 {
			zone := strobe.NewZone(fmt.Sprintf("shifted %d of %d", k, seed))
			for _, d := range durations(uint64(seed)) {
				d = time.Duration(float64(d) * math.Exp2(float64(k)/(16*shifts))) // by less than a cell
				zone.Add(d)
				all[k] = append(all[k], d)
			}
		}
	}
	families, err := registered(t, c).Gather()
	if err != nil {
		t.Fatal(err)
	}
	byName := make(map[string]*dto.MetricFamily)
	for _, f := range families {
		byName[f.GetName()] = f
	}
	for k := range shifts {
		var histograms []*dto.Histogram
		for seed := range 3 {
			histograms = append(histograms, of(t, byName, "strobe_zone_duration_seconds", "zone", fmt.Sprintf("shifted %d of %d", k, seed)).GetHistogram())
		}
		judgeQuantiles(t, all[k], histograms)
	}
}

// A server detects a restart by a count that decreases or by a later creation time.
func TestAProcessThatIsKilledAndStartedAgainBeginsAtZero(t *testing.T) {
	if testing.Short() {
		t.Skip("starts two processes")
	}
	var created []time.Time
	for range 2 {
		address, kill := start(t, 1)
		m := scrape(t, address)
		kill()
		h := of(t, m, "strobe_zone_duration_seconds", "zone", "tick").GetHistogram()
		if h.GetSampleCount() != callsOfAProcess {
			t.Errorf("%d calls, want those of this process, %d", h.GetSampleCount(), callsOfAProcess)
		}
		created = append(created, h.GetCreatedTimestamp().AsTime())
		if c := of(t, m, "strobe_zone_calls_total", "zone", "tick").GetCounter().GetCreatedTimestamp().AsTime(); !c.Equal(created[len(created)-1]) {
			t.Errorf("the counter was created at %v, the histogram at %v", c, created)
		}
	}
	if !created[1].After(created[0]) {
		t.Errorf("created at %v, and after the restart at %v", created[0], created[1])
	}
}
