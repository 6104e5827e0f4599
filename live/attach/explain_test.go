// SPDX-License-Identifier: BSD-3-Clause

package attach

import (
	"errors"
	"log/slog"
	"slices"
	"testing"

	"github.com/strobe-go/strobe/capture"
)

func TestTheLogOfCaptureIsKeptForTheNextReading(t *testing.T) {
	e := new(explainer)
	log := slog.New((*handler)(e))
	log.Info("capture works with fewer sources", slog.Any("missing", []string{"a", "b"}))
	log.Warn("request took 69 ms", slog.String("root", "request"), slog.String("cause", "lock"))
	log.Warn("capture cannot write a file", slog.String("error", errors.New("no space").Error()))
	for range 2 * mostFresh {
		e.add(capture.Report{Root: "request"})
	}
	got := e.take()
	if want := []string{"capture works with fewer sources: a; b", "request took 69 ms"}; !slices.Equal(got.said, want) {
		t.Errorf("said %q", got.said)
	}
	if want := []string{"capture cannot write a file: no space"}; !slices.Equal(got.faults, want) {
		t.Errorf("faults %q", got.faults)
	}
	if len(got.slow) != mostFresh {
		t.Errorf("%d slow units wait for a reading", len(got.slow))
	}
	if again := e.take(); len(again.slow)+len(again.said)+len(again.faults) > 0 {
		t.Errorf("%+v is passed on twice", again)
	}
	var none *explainer
	if got := none.take(); len(got.slow) > 0 {
		t.Error("nothing explains, and something was explained")
	}
	if none.watching() != 0 {
		t.Error("nothing explains, and it takes time")
	}
	none.stop()
}
