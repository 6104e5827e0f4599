// SPDX-License-Identifier: BSD-3-Clause

package frames

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"testing"
)

func FuzzRead(f *testing.F) {
	for _, name := range []string{"own/cube_2026-01-02_03-04-05.csv", "own/mangohud-versioned.csv", "own/factorio-verbose.log",
		"own/belt-verbose-metrics.csv", "own/semicolon.csv", "presentmon_test_case_1.csv.gz", "presentmon_test_case_1_v1.csv.gz",
		"presentmon_test_case_1_v2.csv.gz", "capframex-re2.csv.gz", "ocat-metro-exodus.csv.gz"} {
		text := testFile(f, name)
		f.Add(text[:min(len(text), 2500)], "", false)
	}
	for _, other := range formats {
		f.Add([]byte(other.text), "", false)
	}
	f.Add([]byte("\xFF\xFE1\x006\x00\n\x00"), "", false)
	f.Add([]byte("\xFE\xFF\x001\x006\x00\n"), "", false)
	f.Add([]byte("16,7\n16,8"), "", true)
	f.Add([]byte("a;\"b;c\";d\n1;2;3,5\n"), "b;c", true)
	f.Add([]byte("tick,run,wholeUpdate\n1,1,1e9\n1,2,1\n"), "wholeUpdate", false)
	f.Fuzz(func(t *testing.T, text []byte, column string, pool bool) {
		cs, err := Read(bytes.NewReader(text), ReadOptions{File: "f", Column: column, PoolByName: pool, MaxFrames: 1000})
		var syntax *SyntaxError
		if err != nil && (!errors.As(err, &syntax) || syntax.Reason == "" || len(err.Error()) > 2000) {
			t.Fatalf("error %v", err)
		}
		if err == nil && len(cs) == 0 {
			t.Fatal("neither captures nor an error")
		}
		for _, c := range cs {
			if len(c.Frames) == 0 || c.Starts != nil && len(c.Starts) != len(c.Frames) {
				t.Fatalf("%d frames, %d stamps", len(c.Frames), len(c.Starts))
			}
			for i, s := range c.Starts {
				if math.IsNaN(s) || math.IsInf(s, 0) || i > 0 && s < c.Starts[i-1] {
					t.Fatalf("stamp %v", s)
				}
			}
			r, err := Analyze(c, Options{Resamples: 5, Preset: Presets()[len(text)%5]})
			if err != nil {
				t.Fatalf("a capture that was read cannot be reported: %v", err)
			}
			if _, err := json.Marshal(r); err != nil {
				t.Fatal(err)
			}
		}
	})
}
