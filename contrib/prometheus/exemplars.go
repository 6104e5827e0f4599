// SPDX-License-Identifier: BSD-3-Clause

package strobeprom

import (
	"slices"
	"strconv"
	"strings"
	"time"

	dto "github.com/prometheus/client_model/go"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/strobe-go/strobe/live"
)

// fresh is the maximum age of a frame that becomes an exemplar: a few scrapes. The server recognizes exemplars that it has
// seen.
const fresh = 5 * time.Minute

// exemplars returns the exemplars of each loop in order of time, as servers require.
func (c *Collector) exemplars(now time.Time) map[string][]*dto.Exemplar {
	if c.slow == nil {
		return nil
	}
	frames := slices.DeleteFunc(slices.Clone(c.slow()), func(f live.SlowFrame) bool { return now.Sub(f.Ended) > fresh })
	slices.SortStableFunc(frames, func(a, b live.SlowFrame) int { return a.Ended.Compare(b.Ended) })
	all := make(map[string][]*dto.Exemplar)
	for _, f := range frames {
		loop, took := strings.ToValidUTF8(f.Loop, "\uFFFD"), f.Took.Seconds()
		all[loop] = append(all[loop], &dto.Exemplar{
			Label:     pairs("frame", strconv.FormatUint(f.Number, 10), "run", f.Run),
			Value:     &took,
			Timestamp: timestamppb.New(f.Ended),
		})
	}
	return all
}

// pairs returns labels, given as names and values.
func pairs(all ...string) []*dto.LabelPair {
	var out []*dto.LabelPair
	for i := 0; i+1 < len(all); i += 2 {
		out = append(out, &dto.LabelPair{Name: &all[i], Value: &all[i+1]})
	}
	return out
}
