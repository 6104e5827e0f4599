// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"slices"
	"strings"
	"testing"
)

func TestASceneChangeIsFoundAndDated(t *testing.T) {
	x := slices.Concat(autoregressive(2000, 0.5, 1), faster(autoregressive(2000, 0.5, 2), 2))
	r, err := Analyze(Capture{Frames: x}, Options{Resamples: 100})
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "the scene changes near ") })
	if at < 0 || !r.NotStationary {
		t.Fatalf("%q", r.Warnings)
	}
	var seconds, before, after float64
	var frame int
	scan(t, r.Warnings[at], "not stationary: the scene changes near %g s, frame %d, from %g to %g fps", &seconds, &frame, &before, &after)
	if frame < 1995 || frame > 2005 || !within(seconds, exactSum(x[:2000])/1e3, 0.01) || !within(before, 1e3*2000/exactSum(x[:2000]), 0.01) || !within(after, 1e3*2000/exactSum(x[2000:]), 0.01) {
		t.Errorf("%s; the truth is frame 2001 after %.4g s", r.Warnings[at], exactSum(x[:2000])/1e3)
	}
	first, second := r.Scenes[0], r.Scenes[1]
	if len(r.Scenes) != 2 || first.First != 0 || first.Start != 0 || first.Frames != frame-1 || second.First != frame-1 || first.Frames+second.Frames != len(x) ||
		second.Start != first.Length || !near(first.Length+second.Length, exactSum(x), 6) {
		t.Errorf("%+v", r.Scenes)
	}
	for _, c := range []struct {
		frames []float64
		scene  int
	}{{x[:frame-1], 0}, {x[frame-1:], 1}} {
		alone, err := Analyze(Capture{Frames: c.frames}, Options{Resamples: -1})
		if err != nil || alone.NotStationary || alone.Scenes != nil {
			t.Errorf("%v: one scene: %q", err, alone.Warnings)
		}
		for _, key := range []string{"avg_fps", "p1_fps", "low1_integral_fps", "stddev_ms", "max_ms"} {
			m, _ := r.Metric(key)
			if want := value(t, alone, key); len(m.Scenes) != 2 || !within(m.Scenes[c.scene], want, 1e-9) {
				t.Errorf("%s in scene %d is %v, alone %v", key, c.scene+1, m.Scenes, want)
			}
		}
	}
}

// A longer part of a run bounds a figure at least as well as a shorter one, or the reason says where the slow frames lie.
func TestALongerCaptureIsBoundedAsWellOrSaysWhy(t *testing.T) {
	worse := 0
	for _, name := range []string{"capframex-re2.csv.gz", "ocat-metro-exodus.csv.gz"} {
		x := captures(t, name, ReadOptions{})[0].Frames
		bounded := map[string]bool{}
		for part := 1; part <= 8; part++ {
			r, err := Analyze(Capture{Frames: x[:len(x)*part/8]}, Options{Resamples: 200})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range r.Metrics {
				if !m.Interval.Bounded() && bounded[m.Key] {
					worse++
					if !strings.Contains(m.Interval.Reason, "frames are that slow") && !strings.Contains(m.Interval.Reason, "the level keeps changing over the whole capture") {
						t.Errorf("%s, %d eighths: %s has lost its interval: %s", name, part, m.Key, m.Interval.Reason)
					}
				}
				bounded[m.Key] = bounded[m.Key] || m.Interval.Bounded()
			}
		}
	}
	if worse == 0 {
		t.Error("no figure lost its interval, so nothing was tested")
	}
}

func TestSlowFramesOfASceneAreLocated(t *testing.T) {
	x := autoregressive(4000, 0.3, 5)
	for i := 1000; i < 1040; i++ {
		x[i] += 40
	}
	r, err := Analyze(Capture{Frames: x}, Options{Resamples: 100})
	if err != nil {
		t.Fatal(err)
	}
	m, _ := r.Metric("p1_fps")
	var least, from, to float64
	var slow, most int
	scan(t, m.Interval.Reason, "rests on fewer than %g independent frames, though %d frames are that slow: %d of them lie between %g and %g s", &least, &slow, &most, &from, &to)
	if lo, hi := exactSum(x[:1000])/1e3, exactSum(x[:1040])/1e3; slow < 40 || most < 30 || from < lo*0.999 || to > hi*1.001 {
		t.Errorf("%s; they lie between %.4g and %.4g s", m.Interval.Reason, lo, hi)
	}
}
