// SPDX-License-Identifier: BSD-3-Clause

package fleet

import (
	"fmt"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// calls is the number of calls that a program makes.
const calls = 100_000

// newPrometheus starts a server that scrapes the targets every second, with the alert rules of contrib/prometheus.
func newPrometheus(t *testing.T, targets ...string) *server {
	t.Helper()
	prometheus := built(t, "prometheus")
	rules, err := filepath.Abs("../../../contrib/prometheus/alerts.yml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	config := filepath.Join(dir, "prometheus.yml")
	text := fmt.Sprintf("global: {scrape_interval: 1s}\nrule_files: [%q]\nscrape_configs:\n- job_name: strobe\n  scrape_native_histograms: true\n  enable_compression: false\n"+
		"  static_configs: [{targets: [%s]}]\n", rules, strings.Join(targets, ", "))
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	address := freePort(t)
	return run(t, "http://"+address, "/-/ready", prometheus, "--config.file="+config, "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--web.listen-address="+address, "--enable-feature=exemplar-storage")
}

// The quantiles of each program differ from the merged ones by far more than the allowed error.
func TestPrometheusMergesThreePrograms(t *testing.T) {
	var targets []string
	var all []time.Duration
	for seed := range 3 {
		address, _ := start(t, seed, "127.0.0.1:0", calls, 0)
		targets = append(targets, address)
		all = append(all, durations(uint64(seed), calls)...)
	}
	s := newPrometheus(t, targets...)
	s.until(`sum(up{job="strobe"})`, 3)
	s.until(`sum(histogram_count(strobe_zone_duration_seconds{zone="tick"}))`, 3*calls)
	s.until(`sum(strobe_zone_calls_total{zone="tick"})`, 3*calls)
	sum := time.Duration(0)
	for _, d := range all {
		sum += d
	}
	if v := s.whole(`histogram_sum(strobe_zone_duration_seconds{zone="tick"})`, "sum(%s)"); math.Abs(v/sum.Seconds()-1) > 1e-4 { // the counter may have been recalibrated
		t.Errorf("the sums are %v s, want %v", v, sum.Seconds())
	}
	slices.Sort(all)
	for _, q := range []float64{0.5, 0.99, 0.999} {
		got := s.whole(`strobe_zone_duration_seconds{zone="tick"}`, fmt.Sprintf("histogram_quantile(%v, sum(%%s))", q))
		want := all[int(q*float64(len(all)))].Seconds()
		t.Logf("p%g: %.4f ms, off by %+.3f %%", q*100, got*1e3, (got/want-1)*100)
		if math.Abs(got/want-1) > 0.002 {
			t.Errorf("p%g is %v, want %v", q*100, got, want)
		}
	}
}

// The second process has fewer calls, so that the server can tell it from the first.
func TestNothingIsLostOrDoubledWhenAProgramIsRestarted(t *testing.T) {
	address, kill := start(t, 0, freePort(t), calls, 0)
	s := newPrometheus(t, address)
	const count, histogram = `strobe_zone_calls_total{zone="tick"}`, `strobe_zone_duration_seconds{zone="tick"}`
	s.until(count, calls)
	s.until(`histogram_count(`+histogram+`)`, calls)
	kill()
	s.until(`up{job="strobe"}`, 0)
	start(t, 0, address, calls/2, 0)
	s.until(count, calls/2)
	s.until(`histogram_count(`+histogram+`)`, calls/2)
	for q, want := range map[string]float64{
		`resets(` + count + `[5m])`:                                1,
		`resets(` + histogram + `[5m])`:                            1,
		`max_over_time(` + count + `[5m])`:                         calls,
		`min_over_time(` + count + `[5m])`:                         calls / 2,
		`max_over_time(histogram_count(` + histogram + `)[5m:1s])`: calls,
	} {
		if v, ok := s.one(q); !ok || v != want {
			t.Errorf("%s is %v, want %v", q, v, want)
		}
	}
}

// An exemplar leads from a slow frame on a dashboard to that frame on the live page.
func TestPrometheusKeepsTheSlowFrame(t *testing.T) {
	address, _ := start(t, 0, "127.0.0.1:0", calls, 0)
	s := newPrometheus(t, address)
	eventually(t, func() string {
		var all []struct {
			Exemplars []struct {
				Labels map[string]string
				Value  string
			}
		}
		now := time.Now()
		window := fmt.Sprintf("&start=%d&end=%d", now.Add(-time.Hour).Unix(), now.Add(time.Hour).Unix())
		if err := s.get("/api/v1/query_exemplars?query="+url.QueryEscape(`strobe_frame_duration_seconds{loop="game"}`)+window, &all); err != nil {
			return err.Error()
		}
		for _, series := range all {
			for _, e := range series.Exemplars {
				if v, err := strconv.ParseFloat(e.Value, 64); err == nil && v >= 0.2 && e.Labels["frame"] != "" && e.Labels["run"] != "" {
					return ""
				}
			}
		}
		return fmt.Sprintf("no exemplar of the slow frame: %+v", all)
	})
}

// The server accepts every query in the documents, the dashboard and the alert rules.
func TestPrometheusTakesEveryQuery(t *testing.T) {
	address, _ := start(t, 0, "127.0.0.1:0", calls, 0)
	s := newPrometheus(t, address) // the server reads the alert rules when it starts, and exits if one is wrong
	s.until(`sum(up{job="strobe"})`, 1)
	n := 0
	for where, q := range queries(t) {
		if _, err := s.query(q); err != nil {
			t.Errorf("%s: %v", where, err)
		}
		n++
	}
	t.Logf("%d queries", n)
}

func TestPrometheusScrapesAThousandZones(t *testing.T) {
	address, _ := start(t, 0, "127.0.0.1:0", calls, 1000)
	s := newPrometheus(t, address)
	s.until(`count(strobe_zone_calls_total)`, 1001)
	s.until(`count(histogram_count(strobe_zone_duration_seconds) > 0)`, 1001)
	var took []float64
	eventually(t, func() string {
		if v, ok := s.one(`scrape_duration_seconds{job="strobe"}`); ok && (len(took) == 0 || took[len(took)-1] != v) {
			took = append(took, v)
		}
		if len(took) < 6 {
			return "too few scrapes"
		}
		return ""
	})
	slices.Sort(took)
	t.Logf("a scrape of 1000 zones took %.1f ms, the median of %d", took[len(took)/2]*1e3, len(took))
}
