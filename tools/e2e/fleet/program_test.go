// SPDX-License-Identifier: BSD-3-Clause

package fleet

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/strobe-go/strobe"
	strobeprom "github.com/strobe-go/strobe/contrib/prometheus"
	strobevictoria "github.com/strobe-go/strobe/contrib/victoria"
	"github.com/strobe-go/strobe/live"
)

// The test binary is also the program that is measured: with FLEET_PROGRAM=SEED,ADDRESS,CALLS,ZONES it serves its metrics, or
// pushes them once if ADDRESS is a URL.
func TestMain(m *testing.M) {
	if what := os.Getenv("FLEET_PROGRAM"); what != "" {
		if err := program(what); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if what := os.Getenv("FLEET_SLOW"); what != "" { // URL,TRACE
		url, trace, _ := strings.Cut(what, ",")
		if err := slowProgram(url, trace); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// durations returns the durations of the calls of the program with that seed.
func durations(seed uint64, calls int) []time.Duration {
	r := rand.New(rand.NewPCG(seed, 0))
	all := make([]time.Duration, calls)
	for i := range all {
		all[i] = time.Duration(float64(8+seed) * 1e6 * math.Exp(0.2*r.NormFloat64()))
	}
	return all
}

// program serves until its standard input ends. It prints its address first.
func program(what string) error {
	f := strings.Split(what, ",")
	seed, _ := strconv.ParseUint(f[0], 10, 64)
	calls, _ := strconv.Atoi(f[2])
	zones, _ := strconv.Atoi(f[3])
	tick := strobe.NewZone("tick")
	for _, d := range durations(seed, calls) {
		tick.Add(d)
	}
	if zones > 0 {
		go keepBusy(zones)
	}
	strobe.Frame("main")
	if strings.HasPrefix(f[1], "http:") {
		return strobevictoria.Push(context.Background(), f[1], strobe.TakeSnapshot(), map[string]string{"run": f[0]})
	}
	page := live.New(live.Options{})
	defer page.Close()
	for i := range 100 {
		if strobe.Frame("game"); i == 50 {
			time.Sleep(200 * time.Millisecond)
		}
	}
	prometheus.MustRegister(strobeprom.NewCollector(strobeprom.Options{Version: "1.0", Zones: -1, SlowFrames: page.SlowFrames}))
	l, err := net.Listen("tcp", f[1])
	if err != nil {
		return err
	}
	fmt.Println(l.Addr())
	go http.Serve(l, promhttp.Handler())
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// keepBusy calls the given number of zones repeatedly, so that all change between two scrapes.
func keepBusy(zones int) {
	var all []*strobe.Zone
	for i := range zones {
		all = append(all, strobe.NewZone(fmt.Sprint("zone ", i)))
	}
	took := durations(0, 1000)
	for next := 0; ; time.Sleep(100 * time.Millisecond) {
		for _, z := range all {
			z.Add(took[next%len(took)])
			next += 7
		}
	}
}

// start starts a program and returns its address and a function that kills it. address may have port 0.
func start(t *testing.T, seed int, address string, calls, zones int) (bound string, kill func()) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), fmt.Sprintf("FLEET_PROGRAM=%d,%s,%d,%d", seed, address, calls, zones))
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
		t.Fatalf("the program gave no address: %v", err)
	}
	return strings.TrimSpace(line), kill
}

// push runs a program that sends its measurements to the server at base and ends.
func push(t *testing.T, seed int, base string) {
	t.Helper()
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), fmt.Sprintf("FLEET_PROGRAM=%d,%s,%d,0", seed, base, calls))
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
