// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"bytes"
	"compress/gzip"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/race"
	"github.com/strobe-go/strobe/stat/decide"
)

// Requests are simulated with the noise of a machine, by the code that decides about real ones. The recording in testdata is of twenty
// benchmarks of common work, on a machine with two processors that some twenty other programs wanted. Another is made by
//
//	strobe gate --self --record FILE
//	go test ./cmd/strobe/internal/verb/gate -run Simulated -v -noise FILE -requests 200 -request-time 1m -waiting
var (
	noise       = flag.String("noise", "testdata/noise.csv.gz", "recording to simulate requests with, compressed or not")
	requests    = flag.Int("requests", 12, "simulated requests of each kind")
	requestTime = flag.Duration("request-time", 5*time.Minute, "time of a simulated request")
	waiting     = flag.Bool("waiting", false, "simulated runs wait for a processor as long as the recorded ones did, and do not find one free")
)

// readNoise returns the recording of -noise.
func readNoise(t *testing.T) []recorded {
	t.Helper()
	file, err := os.Open(*noise)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var from io.Reader = file
	if strings.HasSuffix(*noise, ".gz") {
		if from, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	all, err := readRecording(from)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Half of the requests change only where functions lie; in the others one benchmark takes 5 % longer.
func TestSimulatedRequestsKeepTheirLevelAndTheirTime(t *testing.T) {
	race.Sequential(t)
	m, trials := newPlayer(readNoise(t)), *requests
	var failed, found, unchanged, passed, rounds int
	var spent time.Duration
	for n := range 2 * trials {
		slow := ""
		if n%2 == 1 {
			slow = m.names[n/2%len(m.names)]
		}
		g := m.request(uint64(n), slow, *requestTime, 0.025)
		if spent += g.spent; g.spent > *requestTime+*requestTime/10 {
			t.Errorf("request %d measured for %v", n, g.spent)
		}
		wrong := false
		for _, x := range g.report().rows {
			rounds += len(x.rounds)
			switch {
			case x.name == slow && x.outcome == decide.Failed:
				found++
			case x.name != slow && x.outcome == decide.Failed:
				wrong = true
			case x.name != slow && x.outcome == decide.Passed:
				passed++
			}
		}
		if unchanged += len(m.names); slow != "" {
			unchanged--
		} else if wrong {
			failed++
		}
	}
	share := func(n, of int) float64 { return 100 * float64(n) / float64(of) }
	t.Logf("%d requests of each kind, %.0f s of %.0f on average, %.0f rounds a benchmark: %.1f %% of the unchanged fail, %.1f %% of the slower are found, %.1f %% of unchanged benchmarks pass",
		trials, (spent / time.Duration(2*trials)).Seconds(), requestTime.Seconds(), float64(rounds)/float64(2*trials*len(m.names)),
		share(failed, trials), share(found, trials), share(passed, unchanged))
	if most := 0.01*float64(trials) + 3*math.Sqrt(0.01*float64(trials)); float64(failed) > most {
		t.Errorf("%d of %d unchanged requests fail", failed, trials)
	}
	if passed == 0 {
		t.Error("no benchmark passes")
	}
}

func TestARecordingHasTheRunsThatWereMade(t *testing.T) {
	r := &recording{file: filepath.Join(t.TempDir(), "runs")}
	b := &benchmark{name: "A/x=1,2"}
	p := process{binary: os.Args[0], dir: t.TempDir(), pattern: "^BenchmarkOfARecording$", iterations: 3, blocks: 2, timeout: time.Minute}
	for side := range 2 {
		if _, err := r.run(t.Context(), b, side, 7, p); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(r.file)
	if err != nil {
		t.Fatal(err)
	}
	all, err := readRecording(bytes.NewReader(text))
	if err != nil || len(all) != 2 {
		t.Fatalf("%v, %s", err, text)
	}
	for side, x := range all {
		if x.name != b.name || x.side != side || x.layout != 7 || x.kind != "blocks" || x.iterations != 3 || x.blocks != 2 || len(x.ns) != 2 || x.took <= 0 || x.began < all[0].began {
			t.Errorf("%+v", x)
		}
	}
}

func BenchmarkOfARecording(b *testing.B) {
	for range b.N {
		time.Sleep(time.Microsecond)
	}
}
