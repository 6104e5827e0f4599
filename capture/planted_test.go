// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package capture

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/strobe-go/strobe/internal/planted"
)

// The short form of TestAccuracy, of waits.
func TestPlantedFaultsAreExplained(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some ten seconds; runs without -short")
	}
	o, faults := outcome{}, 0
	for i, f := range planted.Faults() {
		if waits := []string{"lock", "channel", "sleep", "network", "syscall"}; !slices.Contains(waits, f.Causes[0]) {
			continue
		}
		faults++
		t.Run(f.Name, func(t *testing.T) {
			one := plantAll(t, programs[i%2], f, 2, rand.New(rand.NewPCG(7, uint64(i))))
			o.right, o.wrong, o.unclear, o.none, o.disturbed = o.right+one.right, o.wrong+one.wrong, o.unclear+one.unclear, o.none+one.none, o.disturbed+one.disturbed
		})
	}
	t.Logf("%+v", o)
	if degrees := openSources(1<<20, 1<<16, blind{}); sources.recorder == nil {
		t.Log(degrees)
		if o.right > 0 && o.wrong > 0 {
			t.Errorf("without a flight recorder waits were explained: %+v", o)
		}
	} else if o.wrong > o.right || o.right == 0 && o.disturbed < faults { // a busy machine may delay a unit by more than what is planted
		t.Errorf("%+v", o)
	}
	closeSources()
}
