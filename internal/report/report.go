// SPDX-License-Identifier: BSD-3-Clause

package report

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/internal/toll"
	"github.com/strobe-go/strobe/profile"
	"github.com/strobe-go/strobe/stat"
)

// A Report is what happened since the previous report.
type Report struct {
	profile.Snapshot // the difference

	Rows  []Row
	Tree  bool // rows are paths: each is followed by those inside it
	Lanes int  // number of lanes that rows sum up; 0 if each row belongs to one lane

	Left     int           // rows left out, because there are too many
	LeftSelf time.Duration // self time in them

	LeftUnknown bool // some of them have an unknown self time

	Silent    []string // names of lanes that had spans in the previous report and have none now
	Probe     float64  // share of the time that measuring took, on the lane where it is largest
	ProbeLane string   // the name of that lane
	Warnings  []string // misuse and problems of this report, with what to do
}

// A Row is what happened in a zone, or on a path of zones.
type Row struct {
	Lane  profile.LaneInfo // zero if the row sums up lanes
	Zone  profile.ZoneInfo
	Path  []string // names of the zones of a path, the outermost first; nil for a zone
	Stats profile.ZoneStats
	Mean  stat.Interval // of the duration of a call, in ns; Level 0 without an interval, N 0 without a mean
	Share float64       // Stats.Total as a share of the time; 1 means a goroutine that does nothing else
	Probe float64       // the cost of measuring the row, as a share of the time
	Error float64       // of a sampled zone: relative half-width of the 95 % interval of Stats.Total; 0 if there is none
}

// tooMuch is the share of a lane's time spent measuring that causes a warning.
const tooMuch = 0.05

// A maker makes reports.
type maker struct {
	o       Options
	warning string // for the first report
	active  map[int]string
}

// make makes a report from a difference of snapshots and the slices that it consists of.
func (m *maker) make(s profile.Snapshot, parts Slices) *Report {
	s = readable(s)
	for i := range s.Frames {
		s.Frames[i].Frame = parts.frame(i, &s.Frames[i])
	}
	r := &Report{Snapshot: s, Tree: m.o.Tree}
	if m.o.Tree {
		r.paths(m.o)
	} else {
		r.zones(m.o, parts)
	}
	r.limit(m.o)
	r.probe()
	m.silent(r)
	if m.warning != "" {
		r.Warnings, m.warning = append(r.Warnings, m.warning), ""
	}
	if !r.Tree && len(parts) < leastSlices && len(r.Rows) > 0 && s.Elapsed >= m.o.Every/2 {
		r.Warnings = append(r.Warnings, "means have no interval: reading all lanes and zones takes too long for enough time slices; report less often")
	}
	r.Warnings = append(r.Warnings, misuse(s)...)
	return r
}

// readable returns a snapshot whose names and notes may be shown.
func readable(s profile.Snapshot) profile.Snapshot {
	s.Zones, s.Lanes, s.Frames, s.Notes = slices.Clone(s.Zones), slices.Clone(s.Lanes), slices.Clone(s.Frames), slices.Clone(s.Notes)
	for i := range s.Zones {
		s.Zones[i].Name = plain.Name(s.Zones[i].Name, plain.Longest)
	}
	for i := range s.Lanes {
		s.Lanes[i].Name = plain.Name(s.Lanes[i].Name, plain.Longest)
	}
	for i := range s.Frames {
		s.Frames[i].Name = plain.Name(s.Frames[i].Name, plain.Longest)
	}
	for i := range s.Notes {
		s.Notes[i] = plain.Text(s.Notes[i])
	}
	return s
}

// busy reports whether anything happened.
func busy(z *profile.ZoneStats) bool { return z.Calls > 0 || z.Open > 0 }

// zones makes a row for each lane and zone, or only for each zone if there would be too many rows.
func (r *Report) zones(o Options, parts Slices) {
	lanes := 0
	for _, l := range r.Snapshot.Lanes {
		before := len(r.Rows)
		for i := range l.Zones {
			if z := &l.Zones[i]; busy(z) && z.Zone >= 0 && z.Zone < len(r.Zones) {
				r.Rows = append(r.Rows, r.row(l.LaneInfo, *z, parts, l.ID))
			}
		}
		if len(r.Rows) > before {
			lanes++
		}
	}
	if o.Lanes || o.fits(len(r.Rows)) {
		return
	}
	r.Rows, r.Lanes = nil, lanes
	for _, z := range r.Totals() {
		if busy(&z) {
			r.Rows = append(r.Rows, r.row(profile.LaneInfo{}, z, parts, allLanes))
		}
	}
}

func (r *Report) row(l profile.LaneInfo, z profile.ZoneStats, parts Slices, lane int) Row {
	of := max(float64(r.Elapsed), 1)
	row := Row{Lane: l, Zone: r.Zones[z.Zone], Stats: z, Mean: parts.mean(key{lane, z.Zone}, &z, float64(r.Uncertainty)),
		Share: float64(z.Total) / of, Probe: r.cost(&z) / of}
	if z.Timed < z.Calls && row.Mean.Bounded() && row.Mean.Center > 0 {
		row.Error = (row.Mean.Hi - row.Mean.Center) / row.Mean.Center
	}
	return row
}

// cost returns the cost of measuring a zone, in ns.
func (r *Report) cost(z *profile.ZoneStats) float64 {
	timed := min(z.Timed, z.Calls)
	return float64(timed)*toll.Span(r.Cost, r.CostCold, z.Calls, r.Elapsed).Likely + float64(z.Calls-timed)/10*r.Cost
}

// paths makes a row for each path of zones, on all lanes together or on each.
func (r *Report) paths(o Options) {
	if o.Lanes {
		for _, l := range r.Snapshot.Lanes {
			r.tree(l.LaneInfo, profile.Merge(l.Nodes))
		}
		return
	}
	for _, l := range r.Snapshot.Lanes {
		if len(l.Nodes) > 0 {
			r.Lanes++
		}
	}
	r.tree(profile.LaneInfo{}, r.Snapshot.Tree())
}

// tree makes a row for each node, directly followed by the rows of the nodes below it.
func (r *Report) tree(l profile.LaneInfo, t profile.Tree) {
	of := max(float64(r.Elapsed), 1)
	first := len(r.Rows)
	for _, n := range t {
		zone := profile.ZoneInfo{Name: "(paths beyond the limits)"}
		if n.Zone >= 0 && n.Zone < len(r.Zones) {
			zone = r.Zones[n.Zone]
		}
		var path []string
		if n.Parent >= 0 {
			path = slices.Clip(r.Rows[first+n.Parent].Path)
		}
		z := profile.ZoneStats{Zone: n.Zone, Calls: n.Calls + n.Untimed, Timed: n.Calls, Total: n.Total, Self: n.Self}
		if n.Open {
			z.Open = 1
		}
		r.Rows = append(r.Rows, Row{Lane: l, Zone: zone, Path: append(path, zone.Name), Stats: z, Share: float64(n.Total) / of,
			Probe: r.cost(&z) / of})
	}
}

// weight is the self time, or the total where the self time is unknown.
func weight(z *profile.ZoneStats) time.Duration {
	if z.SelfUnknown {
		return z.Total
	}
	return z.Self
}

// limit keeps the allowed number of rows, those with the most self time, or in a tree those with the most time, and counts
// the others.
func (r *Report) limit(o Options) {
	if o.fits(len(r.Rows)) {
		return
	}
	order := make([]int, len(r.Rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { // a path comes before the paths inside it, which take no longer
		x, y := &r.Rows[a].Stats, &r.Rows[b].Stats
		if r.Tree {
			return cmp.Compare(y.Total, x.Total)
		}
		return cmp.Compare(weight(y), weight(x))
	})
	keep := make([]bool, len(r.Rows))
	for _, i := range order[:o.Rows] {
		keep[i] = true
	}
	rows := r.Rows[:0:0]
	for i, row := range r.Rows {
		if keep[i] {
			rows = append(rows, row)
			continue
		}
		r.Left++
		r.LeftSelf += row.Stats.Self
		r.LeftUnknown = r.LeftUnknown || row.Stats.SelfUnknown
	}
	r.Rows = rows
}

// probe finds the lane on which measuring took the largest share of the time.
func (r *Report) probe() {
	for _, l := range r.Snapshot.Lanes {
		ns := 0.0
		for i := range l.Zones {
			ns += r.cost(&l.Zones[i])
		}
		if share := ns / max(float64(r.Elapsed), 1); share > r.Probe && !l.Shared {
			r.Probe, r.ProbeLane = share, l.Name
		}
	}
	if r.Probe > tooMuch {
		r.Warnings = append(r.Warnings, "measuring takes a large part of the time of "+r.ProbeLane+": sample its busiest zone (Zone.SetSampling)")
	}
}

// silent finds the lanes that no longer have spans.
func (m *maker) silent(r *Report) {
	active := make(map[int]string)
	for _, l := range r.Snapshot.Lanes {
		if slices.ContainsFunc(l.Zones, func(z profile.ZoneStats) bool { return busy(&z) }) {
			active[l.ID] = l.Name
		}
	}
	for id, name := range m.active {
		if _, still := active[id]; !still {
			r.Silent = append(r.Silent, name)
		}
	}
	slices.Sort(r.Silent)
	m.active = active
}

// misuse describes misuse and what to do about it.
func misuse(s profile.Snapshot) (out []string) {
	for _, m := range []struct {
		n         uint64
		one, many string
		remedy    string
	}{
		{s.EndedTwice, "a span was ended twice", "spans were ended twice", "the second Exit was ignored; look for an Exit that is called and also deferred"},
		{s.EndedElsewhere, "Exit was called on another goroutine than Enter", "times Exit was called on another goroutine than Enter",
			"it was ignored and the span stays open; end it on the goroutine that began it, or pass a Lane made by NewLane"},
		{s.EndedEarly, "a span ended only because the enclosing one did", "spans ended only because the enclosing one did",
			"Exit is missing on some path, or was skipped by a panic: defer it; contrib/spanvet finds such paths"},
		{s.Abandoned, "a span was open when its goroutine ended", "spans were open when their goroutine ended",
			"it does not count; Exit is missing on some path: defer it; contrib/spanvet finds such paths"},
	} {
		switch m.n {
		case 0:
		case 1:
			out = append(out, m.one+": "+m.remedy)
		default:
			out = append(out, strconv.FormatUint(m.n, 10)+" "+m.many+": "+m.remedy)
		}
	}
	return out
}
