// SPDX-License-Identifier: BSD-3-Clause

package strobeprom

import (
	"strings"

	"github.com/prometheus/client_golang/prometheus"
)

type descriptions struct {
	calls, total, self, durations *prometheus.Desc // of zones
	frames, frameTimes            *prometheus.Desc // of loops
	misuse                        *prometheus.Desc // by kind
	refused, memory, cost         *prometheus.Desc // of the process
	enabled                       *prometheus.Desc
}

func newDescriptions(version string) descriptions {
	var labels prometheus.Labels
	if version != "" {
		labels = prometheus.Labels{"version": strings.ToValidUTF8(version, "\uFFFD")}
	}
	desc := func(name, help string, variable ...string) *prometheus.Desc {
		return prometheus.NewDesc("strobe_"+name, help, variable, labels)
	}
	return descriptions{
		calls:      desc("zone_calls_total", "Calls of the zone that have ended.", "zone"),
		total:      desc("zone_seconds_total", "Time in the zone, including the spans inside.", "zone"),
		self:       desc("zone_self_seconds_total", "Time in the zone, without the spans inside.", "zone"),
		durations:  desc("zone_duration_seconds", "Durations of single calls of the zone.", "zone"),
		frames:     desc("frames_total", "Iterations of the loop.", "loop"),
		frameTimes: desc("frame_duration_seconds", "Times between iterations of the loop.", "loop"),
		misuse:     desc("misuse_total", "Spans that were never ended, ended more than once, or ended on another goroutine.", "kind"),
		refused:    desc("refused_total", "Distributions, lanes, nodes and recordings that the budget of strobe did not allow."),
		memory:     desc("memory_bytes", "Memory that strobe holds."),
		enabled:    desc("enabled", "Whether zones measure: 1, or 0 if measuring is turned off."),
		cost:       desc("span_cost_seconds", "Time that a span costs its goroutine."),
	}
}

func (d *descriptions) all() []*prometheus.Desc {
	return []*prometheus.Desc{d.calls, d.total, d.self, d.durations, d.frames, d.frameTimes, d.misuse, d.refused, d.memory, d.cost, d.enabled}
}
