// SPDX-License-Identifier: BSD-3-Clause

package view

import (
	"fmt"
	"sort"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/feed"
	"github.com/strobe-go/strobe/cmd/strobe/internal/verb/top/program"
	"github.com/strobe-go/strobe/internal/units"
)

// mostWhy is the number of lines for the latest report.
const mostWhy = 3

// quiet is how long a connected program may be silent before the screen says so.
const quiet = 2 * time.Second

// View returns the lines of the screen, which fit its size.
func (m Model) View() []Line {
	if m.width < 1 || m.height < 1 {
		return nil
	}
	lines := append(m.head(), m.body()...)
	for len(lines) < m.height-1 {
		lines = append(lines, nil)
	}
	lines = append(lines[:m.height-1:m.height-1], m.foot())
	for i, l := range lines {
		lines[i] = l.cut(m.width)
	}
	return lines
}

// page returns how many rows of zones there is room for.
func (m Model) page() int {
	return max(1, m.height-len(m.head())-len(m.above())-2) // titles and foot
}

// head returns the lines that say what is shown, and the state of the connection.
func (m Model) head() []Line {
	h := m.shown().Hello
	state := Span{"live", Good}
	switch {
	case m.link.URL == "":
		state = Span{"away", Bad}
	case m.frozen != nil:
		state = Span{"paused", Warn}
	}
	title := Line{{"strobe top", Strong}, {" " + m.target, Plain}}
	if h.Program != "" {
		title = Line{{h.Program, Strong}, {fmt.Sprintf("  pid %d  %s", h.PID, m.mount), Plain}}
		if h.Loop != "" {
			title = append(title, Span{"  loop " + h.Loop, Plain})
		}
	}
	lines := []Line{ends(m.width, title, state)}
	if text := m.trouble(); text != "" {
		lines = append(lines, wrapped(text, m.width, Bad)...)
	}
	return lines
}

// trouble returns why there is no new data.
func (m Model) trouble() string {
	ago := ""
	if !m.heard.IsZero() {
		ago = fmt.Sprintf(" The figures are %v old.", m.time.Sub(m.heard).Round(time.Second))
	}
	switch {
	case m.link.Err != nil:
		text := fmt.Sprintf("No connection: %v; trying again.%s", m.link.Err, ago)
		if m.mount == "" {
			text += " Start a program that serves package live, such as strobe demo."
		}
		return text
	case m.link.URL == "":
		return "Connecting."
	case !m.heard.IsZero() && m.time.Sub(m.heard) > quiet:
		return "The program sends nothing." + ago
	case m.now.Hello.Program != "" && !m.now.Hello.Enabled:
		return "Measuring is off in this program: its zones do not change."
	}
	return ""
}

func wrapped(text string, width int, style Style) (lines []Line) {
	p := layout.Printer{Width: width}
	p.Wrap("", text)
	for line := range strings.Lines(p.String()) {
		lines = append(lines, Line{{strings.TrimSuffix(line, "\n"), style}})
	}
	return lines
}

// body returns everything between head and foot.
func (m Model) body() []Line {
	switch {
	case m.help:
		return helpLines()
	case m.shown().Hello.Program == "":
		return nil
	}
	rows := m.rows()
	lines := append(m.above(), m.zoneLines(rows, m.page())...)
	switch {
	case len(rows) > 0:
	case m.filter != "":
		lines = append(lines, Line{{"No zone name contains " + m.filter + ".", Faint}})
	case m.shown().Rated() > 0 && !m.idle:
		lines = append(lines, Line{{"No zone was entered in the last few seconds; press a to show all.", Faint}})
	}
	if l := wrapped(legend, m.width, Faint); len(rows) > 0 && len(m.head())+len(lines)+1+len(l) < m.height {
		lines = append(append(lines, nil), l...)
	}
	return lines
}

// above returns the lines above the table of zones.
func (m Model) above() []Line {
	p := m.shown()
	if p.Hello.Program == "" {
		return nil
	}
	var lines []Line
	for _, text := range Figures(p, m.width) {
		lines = append(lines, Line{{text, Strong}})
	}
	if m.height < 16 {
		return lines[:1]
	}
	var below []Line
	if p.Looped() {
		below = append(below, m.axis(p))
	}
	if why := Why(p); why != "" {
		all := wrapped(why, m.width, Warn)
		below = append(below, all[:min(len(all), mostWhy)]...)
	}
	below = append(below, Line{{Runtime(p, m.width), Plain}})
	if text := Plots(p, m.width); text != "" {
		below = append(below, Line{{text, Plain}})
	}
	if s, ok := p.State(); ok && len(s.Notes) > 0 {
		below = append(below, Line{{"Note: " + s.Notes[0], Warn}})
	}
	if !p.Looped() {
		return append(lines, below...)
	}
	budget, _ := p.Budget()
	lines = append(lines, graphLines(p.Frames, m.zoom, m.width, m.graphHeight(p, len(lines)+len(below)), budget)...)
	return append(lines, below...)
}

// graphHeight returns the number of lines of the graph, if there are others above the table: on a large screen the graph takes
// what the table leaves, up to half of the screen. It depends on all zones that were ever entered, not on those that are shown,
// so that it does not change often.
func (m Model) graphHeight(p *program.Program, others int) int {
	if m.height < 22 {
		return budgets
	}
	const least = 2 * budgets
	zones := 0
	for _, z := range p.Zones() {
		if z.Calls > 0 || m.idle {
			zones++
		}
	}
	used := len(m.head()) + others + least + 1 + zones + 1 + len(wrapped(legend, m.width, Faint)) + 1 // with titles, a blank and the foot
	return least + max(0, min(m.height-used, m.height/2-least))/budgets*budgets
}

// axis returns the line that explains the graph.
func (m Model) axis(p *program.Program) Line {
	frames := p.Frames
	if n := len(frames); n > 0 {
		from := frames[n-1].Number - int64(m.zoom*2*max(1, m.width-labelWidth))
		frames = frames[sort.Search(n, func(i int) bool { return frames[i].Number > from }):]
	}
	each := "each dot is a frame"
	if m.zoom > 1 {
		each = fmt.Sprintf("each dot is the slowest of %d frames", m.zoom)
	}
	parts := append(slowest(p, frames), each)
	if p.Lost > 0 {
		parts = append(parts, fmt.Sprintf("%d spans lost", p.Lost))
	}
	return Line{{fit(m.width, "; ", parts...), Faint}}
}

// slowest describes the longest of some frames, and the zone that made it long. It is empty if there are none.
func slowest(p *program.Program, frames []feed.Frame) (parts []string) {
	f, ok := program.Slowest(frames)
	if !ok {
		return nil
	}
	ago := time.Duration(frames[len(frames)-1].Start - f.Start).Seconds()
	return append([]string{fmt.Sprintf("slowest %s, frame %d, %.1f s ago", units.Duration(float64(f.Took)), f.Number, ago)}, cause(p, f)...)
}

// Slowest describes the longest of the latest frames; "" if there are none.
func Slowest(p *program.Program, width int) string {
	return fit(width, "; ", append(slowest(p, p.Recent()), "")...)
}

// Runtime describes the activity of Go's runtime.
func Runtime(p *program.Program, width int) string {
	r, over, ok := p.Runtime()
	if !ok {
		return "Go: no figures yet"
	}
	latency := "-"
	if r.Latency != nil {
		latency = units.Duration(*r.Latency)
	}
	return fit(width, ", ", fmt.Sprintf("Go, %.0f s: %.0f GC", over.Seconds(), r.Collections), units.Duration(r.Pause)+" paused", "sched p99 "+latency,
		layout.Bytes(int64(r.Heap))+" heap", fmt.Sprintf("%.0f goroutines", r.Goroutines))
}

// Plots lists the latest values of the program's plots; "" if there are none or no room for one.
func Plots(p *program.Program, width int) string {
	var all []string
	for _, v := range p.Plots() {
		all = append(all, v.Name+" "+units.Plain(v.Value, ""))
	}
	if len(all) == 0 || width > 0 && layout.Width(all[0]) > width {
		return ""
	}
	return fit(width, "  ", all...)
}

// foot returns the line that lists the keys, or shows what is typed.
func (m Model) foot() Line {
	switch m.typing {
	case '/':
		return Line{{"search: " + m.search + "_", Strong}}
	case 'f':
		return Line{{"filter: " + m.filter + "_", Strong}}
	}
	right := ""
	switch {
	case m.filter != "":
		right = "filter: " + m.filter
	case len(m.rows()) > m.page():
		right = fmt.Sprintf("%d to %d of %d", m.first+1, min(m.first+m.page(), len(m.rows())), len(m.rows()))
	}
	loop := ""
	if m.Loop() != "" {
		loop = "l loop"
	}
	room := m.width - 2 - layout.Width(right)
	keys := Line{{fit(room, "  ", "? help", "q quit", "p pause", "s sort", "/ search", "f filter", "a all", loop), Faint}}
	if right == "" {
		return keys
	}
	return ends(m.width, keys, Span{right, Warn})
}
