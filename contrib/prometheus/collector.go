// SPDX-License-Identifier: BSD-3-Clause

package strobeprom

import (
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/capture"
	"github.com/strobe-go/strobe/live"
	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/profile/cumulative"
)

// Options specify what a Collector exports. The zero value is useful.
type Options struct {
	// Version, if not empty, becomes the label version of all metrics, which distinguishes a canary from the stable release.
	Version string

	// Zones is the number of zones with their own series: those with the most time. The rest are added up under the name
	// "(other)". 0 means 200; a negative value means all.
	Zones int

	// Buckets is the maximum number of non-empty buckets of a histogram; one that would exceed it changes to the next coarser
	// schema. 0 or less means 160.
	Buckets int

	// Classic lists zones that also have classic buckets, with the upper bounds in seconds. These zones always have series of
	// their own. NaN and infinite bounds are ignored.
	Classic map[string][]float64

	// SlowFrames, if not nil, returns the frames to attach as exemplars to the frame times, as the SlowFrames method of
	// live.Server does. The labels run and frame of an exemplar identify the frame on the live page.
	SlowFrames func() []live.SlowFrame
}

// A Collector is a prometheus.Collector of everything that strobe has measured since this process started. It may be
// registered with any number of registries, and is safe for concurrent use.
type Collector struct {
	descs descriptions
	slow  func() []live.SlowFrame
	read  func() profile.Snapshot // what has happened since the last call

	mu     sync.Mutex
	zones  *cumulative.State
	built  map[string]*zoneMetrics // as of the latest scrape, by zone
	misuse [4]uint64               // by kind, as in misuses
	units  slowUnits
}

// misuses are the values of the label kind.
var misuses = [...]string{"ended_twice", "ended_elsewhere", "ended_early", "abandoned"}

// NewCollector returns a Collector.
func NewCollector(o Options) *Collector {
	return newCollector(o, (&strobe.Reader{Lanes: -1}).Read)
}

func newCollector(o Options, read func() profile.Snapshot) *Collector {
	limits := cumulative.Limits{Zones: o.Zones, Buckets: o.Buckets, Bounds: make(map[string][]float64)}
	if limits.Zones == 0 {
		limits.Zones = 200
	}
	for zone, bounds := range o.Classic {
		limits.Bounds[zone] = ascending(bounds)
	}
	return &Collector{descs: newDescriptions(o.Version), slow: o.SlowFrames, read: read, zones: cumulative.New(limits), built: make(map[string]*zoneMetrics), units: slowUnits{read: capture.Reports}}
}

func ascending(bounds []float64) []float64 {
	finite := make([]float64, 0, len(bounds))
	for _, b := range bounds {
		if math.Abs(b) <= math.MaxFloat64 {
			finite = append(finite, b)
		}
	}
	slices.Sort(finite)
	return slices.Compact(finite)
}

// Describe sends the descriptions of all metrics.
func (c *Collector) Describe(out chan<- *prometheus.Desc) {
	for _, d := range c.descs.all() {
		out <- d
	}
}

// Collect reads what has happened since the last scrape and sends the new state of all metrics.
func (c *Collector) Collect(out chan<- prometheus.Metric) {
	s, zones, loops, misuse, slowest, silent := c.scrape()
	for _, z := range zones {
		for i := range z.metrics {
			if i != selfMetric || !z.selfUnknown {
				out <- &z.metrics[i]
			}
		}
	}
	d := &c.descs
	send := func(d *prometheus.Desc, t prometheus.ValueType, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, t, v, labels...)
	}
	for k, n := range slowest {
		send(d.slow, prometheus.CounterValue, float64(n), k.root, k.cause)
	}
	send(d.silent, prometheus.CounterValue, float64(silent))
	slow := c.exemplars(time.Now())
	for i := range loops {
		l := &loops[i]
		send(d.frames, prometheus.CounterValue, float64(l.Calls), l.Name)
		h := new(native)
		h.fill(l, timestamppb.New(l.Since))
		h.Exemplars = slow[l.Name]
		out <- &prebuilt{desc: d.frameTimes, labels: prometheus.MakeLabelPairs(d.frameTimes, []string{l.Name}), histogram: &h.Histogram}
	}
	for i, kind := range misuses {
		send(d.misuse, prometheus.CounterValue, float64(misuse[i]), kind)
	}
	send(d.refused, prometheus.CounterValue, float64(s.Refused))
	send(d.memory, prometheus.GaugeValue, float64(s.Memory))
	enabled := 0.0
	if strobe.Enabled && s.Enabled() {
		enabled = 1
	}
	send(d.enabled, prometheus.GaugeValue, enabled)
	if s.Cost > 0 { // unknown in a program without spans
		send(d.cost, prometheus.GaugeValue, s.Cost/1e9)
	}
}

// scrape takes a reading. Its results do not change afterwards.
func (c *Collector) scrape() (s profile.Snapshot, zones []*zoneMetrics, loops []cumulative.Series, misuse [4]uint64, slow map[kind]uint64, silent uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s = c.read()
	c.units.update()
	c.zones.Add(s, time.Now())
	for i, n := range [...]uint64{s.EndedTwice, s.EndedElsewhere, s.EndedEarly, s.Abandoned} {
		c.misuse[i] += n
	}
	series := c.zones.Series()
	zones = make([]*zoneMetrics, len(series))
	for i := range series {
		zones[i] = c.zone(&series[i])
	}
	return s, zones, c.zones.Loops(), c.misuse, maps.Clone(c.units.counts), c.units.silent
}

// zone returns the metrics of a zone. If nothing has changed since the latest scrape, it returns the same ones.
func (c *Collector) zone(s *cumulative.Series) *zoneMetrics {
	z := c.built[s.Name]
	exemplars, latest := c.units.exemplars(s.Name, time.Now())
	if z == nil || z.revision != s.Revision || !z.latest.Equal(latest) {
		z = c.descs.newZone(s, z)
		z.native.Exemplars, z.latest = exemplars, latest
		c.built[s.Name] = z
	}
	return z
}
