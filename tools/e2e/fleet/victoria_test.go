// SPDX-License-Identifier: BSD-3-Clause

package fleet

import (
	"fmt"
	"math"
	"net/http"
	"os/exec"
	"slices"
	"testing"
	"time"
)

// The programs send their measurements when they end, like short benchmark runs.
func TestVictoriaMetricsMergesWhatProgramsPush(t *testing.T) {
	name, err := exec.LookPath("victoria-metrics")
	if err != nil {
		missing(t, "victoria-metrics is not in PATH; on Debian it is a package of that name")
	}
	address := freePort(t)
	s := run(t, "http://"+address, "/health", name, "-storageDataPath="+t.TempDir(), "-httpListenAddr="+address, "-retentionPeriod=1", "-search.latencyOffset=0s")
	var all []time.Duration
	for seed := range 3 {
		push(t, seed, s.base)
		all = append(all, durations(uint64(seed), calls)...)
	}
	answer, err := http.Get(s.base + "/internal/force_flush")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	s.until(`sum(strobe_zone_calls_total{zone="tick"})`, 3*calls)
	s.until(`sum(strobe_zone_duration_seconds_bucket{zone="tick"})`, 3*calls)
	slices.Sort(all)
	for _, q := range []float64{0.5, 0.99, 0.999} {
		got, ok := s.one(fmt.Sprintf(`histogram_quantile(%v, sum(strobe_zone_duration_seconds_bucket{zone="tick"}) by (vmrange))`, q))
		want := all[int(q*float64(len(all)))].Seconds()
		t.Logf("p%g: %.4f ms, off by %+.3f %%", q*100, got*1e3, (got/want-1)*100)
		if !ok || math.Abs(got/want-1) > 0.005 { // a ninth of a range, since the server interpolates
			t.Errorf("p%g is %v, want %v", q*100, got, want)
		}
	}
}
