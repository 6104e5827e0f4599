// SPDX-License-Identifier: BSD-3-Clause

package strobeprom

import (
	"slices"
	"strings"
	"time"

	dto "github.com/prometheus/client_model/go"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/strobe-go/strobe/capture"
)

const (
	mostExemplars = 8   // of a zone: the latest
	mostKinds     = 500 // roots and causes with a counter of their own
)

// A kind is a root and a cause.
type kind struct{ root, cause string }

// slowUnits counts the reports of package capture, and keeps the latest for exemplars.
type slowUnits struct {
	read   func(after uint64) []capture.Numbered
	last   uint64          // number of the last report that was read
	counts map[kind]uint64 // by root and cause
	latest map[string][]capture.Report
	silent uint64 // slow units without a report, and reports that were dropped before they were read
}

// update reads the reports that are new.
func (s *slowUnits) update() {
	if s.counts == nil {
		s.counts, s.latest = make(map[kind]uint64), make(map[string][]capture.Report)
	}
	for _, r := range s.read(s.last) {
		s.silent += r.Number - s.last - 1 + r.Left
		s.last = r.Number
		of := kind{strings.ToValidUTF8(r.Root, "\uFFFD"), r.Cause.String()}
		_, known := s.counts[of]
		if known = known || len(s.counts) < mostKinds; !known {
			of.root = "(other)"
		}
		s.counts[of]++
		if known && r.Unit == "span" {
			r.Evidence = nil
			all := append(s.latest[r.Root], r.Report)
			s.latest[r.Root] = all[max(0, len(all)-mostExemplars):]
		}
	}
}

// exemplars returns the exemplars of a zone, in order of time, and how recent they are.
func (s *slowUnits) exemplars(zone string, now time.Time) (all []*dto.Exemplar, latest time.Time) {
	reports := slices.DeleteFunc(slices.Clone(s.latest[zone]), func(r capture.Report) bool { return now.Sub(r.At.Add(r.Took)) > fresh })
	slices.SortStableFunc(reports, func(a, b capture.Report) int { return a.At.Add(a.Took).Compare(b.At.Add(b.Took)) })
	for _, r := range reports {
		took, ended := r.Took.Seconds(), r.At.Add(r.Took)
		labels := []string{"cause", r.Cause.String()}
		if id := traceOf(r); id != "" {
			labels = append(labels, "trace_id", id)
		}
		all = append(all, &dto.Exemplar{Label: pairs(labels...), Value: &took, Timestamp: timestamppb.New(ended)})
		latest = ended
	}
	return all, latest
}

// traceOf returns the trace ID in the note "trace" of a unit, which may be a traceparent of W3C Trace Context; "" if there is none.
func traceOf(r capture.Report) string {
	for _, n := range r.Notes {
		id := n.Value
		if f := strings.Split(id, "-"); len(f) >= 4 {
			id = f[1]
		}
		if n.Key == "trace" && len(id) == 32 && strings.Trim(id, "0123456789abcdefABCDEF") == "" {
			return id
		}
	}
	return ""
}
