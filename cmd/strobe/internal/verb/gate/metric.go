// SPDX-License-Identifier: BSD-3-Clause

package gate

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/strobe-go/strobe/cmd/strobe/internal/benchtext"
	"github.com/strobe-go/strobe/cmd/strobe/internal/flags"
	"github.com/strobe-go/strobe/internal/units"
)

// A metric is what the sides are compared by: one of those below, or the unit of a value that a benchmark reports.
type metric string

const (
	byTime   metric = "time"   // of a call; with --exact, its instructions
	byAllocs metric = "allocs" // a call
	byBytes  metric = "bytes"  // allocated in a call
	bySize   metric = "size"   // machine code of a package without its tests, bytes
)

// metricOf returns the metric of a unit, as benchtext has it.
func metricOf(unit string) metric {
	switch unit {
	case "sec/op":
		return byTime
	case "allocs/op":
		return byAllocs
	case "B/op":
		return byBytes
	}
	return metric(unit)
}

// UnmarshalText reads one of the names, or a unit as go test prints it.
func (k *metric) UnmarshalText(text []byte) error {
	name := strings.TrimSpace(string(text))
	if name == "" || strings.ContainsAny(name, " \t\r\n") {
		return fmt.Errorf("%q is no metric; give time, allocs, bytes, size, or a unit that a benchmark reports, such as hits/op", text)
	}
	_, unit := benchtext.Tidy(0, name)
	*k = metricOf(unit)
	return nil
}

// unit is how tables and sentences call it.
func (k metric) unit() string {
	switch k {
	case byAllocs:
		return "allocs/op"
	case byBytes:
		return "B/op"
	case bySize:
		return "B of code"
	}
	return string(k)
}

// custom reports whether it is the unit of a value that a benchmark reports.
func (k metric) custom() bool {
	return !slices.Contains([]metric{byTime, byAllocs, byBytes, bySize}, k)
}

// rate reports whether it is something a second, of which more is better.
func (k metric) rate() bool {
	return strings.HasSuffix(string(k), "/s") || strings.HasSuffix(string(k), "/sec")
}

// slack is by how much a metric may differ from a value in any case. What the runtime allocates for itself while a benchmark runs, and
// what differs between maps of the same contents, is less.
func (k metric) slack(value float64) float64 {
	const share = 0.0005
	switch k {
	case byAllocs:
		return 0.01 + share*value
	case byBytes:
		return 1 + share*value
	}
	return 0
}

// text writes a value, without its unit unless that is one of time.
func (k metric) text(v float64) string {
	if over, _, _ := strings.Cut(string(k), "/"); over == "sec" || strings.HasSuffix(over, "-sec") {
		return units.Duration(v * 1e9)
	}
	switch {
	case v < 0:
		return "-" + k.text(-v)
	case v >= 1e6:
		return units.Count(uint64(min(v, 1e18)))
	}
	return count(v)
}

// A bound is by how much a metric may get worse.
type bound struct {
	metric
	share float64
	falls bool // more is better: it may fall by the share
}

// UnmarshalText reads METRIC=LIMIT, as --limit has it.
func (l *bound) UnmarshalText(text []byte) error {
	i := strings.LastIndexByte(string(text), '=')
	if i < 0 {
		return fmt.Errorf("%q has no limit; give METRIC=LIMIT, such as allocs=0 or bytes=10%%", text)
	}
	if err := l.metric.UnmarshalText(text[:i]); err != nil {
		return err
	}
	if l.metric == byTime {
		return fmt.Errorf("%q: the limit of the time is that of --gate", text)
	}
	return l.set(string(text[i+1:]))
}

// set reads the limit of a metric: "5%" by which it may grow, or "-5%" by which it may fall.
func (l *bound) set(text string) error {
	number, falls := strings.CutPrefix(strings.TrimSpace(text), "-")
	var v flags.Share
	if err := v.UnmarshalText([]byte(strings.TrimPrefix(number, "+"))); err != nil {
		return err
	}
	l.share, l.falls = float64(v), falls
	switch {
	case falls && !l.custom():
		return fmt.Errorf("%s=%s: less of it is better; give by how much it may grow, such as %s=5%%", l.metric, text, l.metric)
	case !falls && l.rate():
		return fmt.Errorf("%s=%s: more of it is better; give by how much it may fall, such as %s=-5%%", l.metric, text, l.metric)
	case falls && l.share >= 1:
		return fmt.Errorf("%s=%s: nothing falls by that much; give less than 100%%", l.metric, text)
	}
	return nil
}

// usual returns the limit of a metric that is named without one.
func usual(k metric) (bound, error) {
	switch {
	case k == byAllocs:
		return bound{metric: k}, nil
	case k.rate():
		return bound{k, fallback, true}, nil
	case !k.custom() || strings.HasSuffix(string(k), "/op"):
		return bound{k, fallback, false}, nil
	}
	return bound{}, fmt.Errorf("--metrics=%s: whether more or less of it is better is unknown; give by how much it may grow or fall, --limit %s=5%% or --limit %s=-5%%", k, k, k)
}

// String returns the limit as --limit takes it.
func (l bound) String() string {
	sign := ""
	if l.falls {
		sign = "-"
	}
	return string(l.metric) + "=" + sign + strconv.FormatFloat(100*l.share, 'g', 6, 64) + "%"
}

// allowed is how sentences call the limit.
func (l bound) allowed() string { return signed(strconv.FormatFloat(100*(l.change()-1), 'g', 4, 64)) }

// change returns the largest ratio of the new value to that of the base that is allowed, or the smallest.
func (l bound) change() float64 {
	if l.falls {
		return 1 - l.share
	}
	return 1 + l.share
}

// costs returns two values as costs above 0, of which less is better, so that a ratio of at most 1+limit() is within the bound. A
// value of 0 costs next to nothing, so that anything is much more.
func (l bound) costs(before, after float64) (base, other float64) {
	const nothing = 1e-9
	before, after = max(before, 0), max(after, 0)
	if l.falls {
		return max(after, nothing), max(before, nothing)
	}
	return max(before+l.slack(before), nothing), max(after, nothing)
}

// limit returns by how much the costs may grow.
func (l bound) limit() float64 {
	if l.falls {
		return 1/(1-l.share) - 1
	}
	return l.share
}

// judges reports whether a metric decides, by the flags alone.
func (f *Flags) judges(k metric) bool {
	if len(f.Metrics) > 0 && slices.Contains(f.Metrics, k) {
		return true
	}
	return len(f.Metrics) == 0 && k == byTime || f.gives(k)
}

// gives reports whether the flags have a limit of a metric.
func (f *Flags) gives(k metric) bool {
	return slices.ContainsFunc(f.Limit, func(l bound) bool { return l.metric == k })
}

// limits returns those of the metrics other than time that decide.
func (f *Flags) limits() (all []bound, err error) {
	for _, k := range f.Metrics {
		if k == byTime || f.gives(k) {
			continue
		}
		l, err := usual(k)
		if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
	for i, l := range f.Limit { // the last one of a metric counts
		if !slices.ContainsFunc(f.Limit[i+1:], func(x bound) bool { return x.metric == l.metric }) {
			all = append(all, l)
		}
	}
	slices.SortFunc(all, func(a, b bound) int { return strings.Compare(string(a.metric), string(b.metric)) })
	return slices.CompactFunc(all, func(a, b bound) bool { return a.metric == b.metric }), nil
}
