// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/strobe-go/strobe/internal/page"
	"github.com/strobe-go/strobe/profile"
)

// mostRows is the number of rows of a table of a page.
const mostRows = 20

// A body is the body of a page, which says in words what a report says: it needs no script.
type body struct{ strings.Builder }

// put appends markup, with the values as text.
func (b *body) put(markup string, values ...any) {
	for i, v := range values {
		values[i] = page.Text(fmt.Sprint(v))
	}
	fmt.Fprintf(b, markup, values...)
}

func bodyOf(r Report) page.HTML {
	var b body
	b.head(r)
	b.put("<main>\n")
	b.account(r)
	if r.Evidence != nil {
		b.timeline()
	}
	b.notes(r)
	if r.Evidence != nil {
		b.samples(r.Evidence.Samples)
		b.zones(r.Evidence)
	}
	b.missing(r)
	b.put("</main>\n")
	return page.HTML(b.String())
}

func (b *body) head(r Report) {
	b.put("<header>\n<p class=\"sub\">%v", r.Root)
	for _, text := range []string{r.Program, r.At.UTC().Format("2006-01-02 15:04:05.000 UTC"), r.Go, r.System} {
		if text != "" {
			b.put(" · %v", text)
		}
	}
	b.put("</p>\n<h1>%v</h1>\n", r.String())
	if r.Next != "" {
		b.put("<p class=\"next\"><b>Next:</b> %v</p>\n", r.Next)
	}
	b.put("</header>\n")
}

// account shows the parts of the unit beside what is usual.
func (b *body) account(r Report) {
	if len(r.Account) == 0 {
		return
	}
	longest := time.Duration(1)
	for _, p := range r.Account {
		longest = max(longest, p.Took, p.Usual)
	}
	b.put("<section class=\"account\">\n<h2>Where the time went</h2>\n<div class=\"scroll\"><table class=\"stack\">\n" +
		"<thead><tr><th scope=\"col\">Cause</th><th scope=\"col\" class=\"text\">Bars</th><th scope=\"col\">This time</th><th scope=\"col\">Usual</th><th scope=\"col\" class=\"text\">Where</th></tr></thead>\n<tbody>\n")
	shown, rest, others := r.considerable()
	for _, p := range shown {
		look := ""
		if p.Cause == r.Cause {
			look = "main"
		}
		b.put("<tr><th scope=\"row\">%v</th><td class=\"bars\" data-title=\"\"><svg viewBox=\"0 0 100 18\" preserveAspectRatio=\"none\" aria-hidden=\"true\">", p.Cause)
		b.put("<rect class=\"%v\" width=\"%v\" height=\"10\"/><rect class=\"usual\" y=\"12\" width=\"%v\" height=\"5\"/></svg></td>", look, percent(p.Took, longest), percent(p.Usual, longest))
		b.put("<td data-title=\"This time\">%v</td><td data-title=\"Usual\">%v</td><td class=\"where\" data-title=\"Where\">%v</td></tr>\n", duration(p.Took), r.usual(p.Usual), p.place())
	}
	if others > 0 {
		b.put("<tr><th scope=\"row\">%v smaller parts</th><td></td><td data-title=\"This time\">%v</td><td></td><td></td></tr>\n", others, duration(rest))
	}
	b.put("<tr><th scope=\"row\">together</th><td></td><td data-title=\"This time\">%v</td><td data-title=\"Usual\">%v</td><td></td></tr>\n</tbody>\n</table></div>\n", duration(r.Took), r.usual(r.Usual))
	if r.Split != nil {
		b.put("<p>It was %v.</p>\n", r.Split)
	}
	b.put("<p class=\"sub\">The parts add up to this %v. The thin bars are the medians of each part in those before it, which need not add up.</p>\n</section>\n", r.Unit)
}

// considerable returns the parts of the account that matter, and how long the others took together, and how many they are, unless that
// is a single one. A part matters if it took a thousandth of the unit, or usually does.
func (r Report) considerable() (parts []Part, rest time.Duration, others int) {
	for _, p := range r.Account {
		if max(p.Took, p.Usual) >= r.Took/1000 {
			parts = append(parts, p)
			continue
		}
		others++
		rest += p.Took
	}
	if others == 1 {
		return r.Account, 0, 0
	}
	return parts, rest, others
}

// usual writes what is usual, if that is known. What is usual for parts is known if some part has it: the first report of a root may
// have no ordinary units to compare with, and no time is then not what is usual.
func (r Report) usual(d time.Duration) string {
	if d == 0 && !slices.ContainsFunc(r.Account, func(p Part) bool { return p.Usual > 0 }) {
		return ""
	}
	return duration(d)
}

// place says where a part of the time was spent.
func (p Part) place() string {
	var words []string
	if p.Zone != "" {
		words = append(words, "zone "+p.Zone)
	}
	for _, text := range []string{p.Where, p.By} {
		if text != "" {
			words = append(words, text)
		}
	}
	return strings.Join(words, ", ")
}

// percent writes a share as a number from 0 to 100.
func percent(part, whole time.Duration) string {
	return fmt.Sprintf("%.2f", max(0, 100*float64(part)/float64(whole)))
}

// timeline leaves room for what the script draws.
func (b *body) timeline() {
	b.put(`<noscript><p class="note">The timeline needs JavaScript, which is part of this page; all else does not.</p></noscript>
<section class="plots" hidden>
<figure class="wide">
<figcaption><h2>Timeline</h2>
<div class="bar" role="group" aria-label="Zoom"><button type="button" id="timeline-in" aria-label="Zoom in">+</button><button type="button" id="timeline-out" aria-label="Zoom out">−</button><button type="button" id="timeline-whole">Whole</button></div>
</figcaption>
<div class="plot lanes" id="timeline" tabindex="0" role="group" aria-label="Zones and states over time. Arrow keys go from box to box, plus and minus zoom, Enter zooms to a box, 0 shows all." aria-describedby="timeline-read"></div>
<ul class="key">`)
	for _, k := range [][2]string{{"running", "running"}, {"ready", "ready to run"}, {"waiting", "waiting"}, {"syscall", "in a system call"}, {"off", "preempted by other programs"}} {
		b.put(`<li class="lanes"><svg viewBox="0 0 14 10" aria-hidden="true"><rect class="box %v" width="14" height="10"/></svg>%v</li>`, k[0], k[1])
	}
	b.put("</ul>\n<output id=\"timeline-read\" aria-live=\"polite\"></output>\n</figure>\n</section>\n")
}

func (b *body) notes(r Report) {
	if len(r.Notes) == 0 {
		return
	}
	b.put("<section>\n<h2>Notes</h2>\n<dl class=\"info card\">")
	for _, n := range r.Notes {
		b.put("<div><dt>%v</dt><dd>%v</dd></div>", n.Key, n.Value)
	}
	b.put("</dl>\n</section>\n")
}

// samples shows in which functions the unit was seen running.
func (b *body) samples(samples []Sample) {
	seen := make(map[string]int)
	var names []string
	for _, s := range samples {
		if len(s.Stack) == 0 {
			continue
		}
		if seen[s.Stack[0]] == 0 {
			names = append(names, s.Stack[0])
		}
		seen[s.Stack[0]]++
	}
	if len(names) == 0 {
		return
	}
	slices.SortStableFunc(names, func(p, q string) int { return cmp.Compare(seen[q], seen[p]) })
	b.put("<section>\n<h2>What it ran</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">Function</th><th scope=\"col\">Samples of %v</th></tr></thead>\n<tbody>\n", len(samples))
	for _, name := range names[:min(len(names), mostRows)] {
		b.put("<tr><th scope=\"row\">%v</th><td>%v</td></tr>\n", name, seen[name])
	}
	b.put("</tbody>\n</table></div>\n")
	b.more(len(names), "functions")
	b.put("</section>\n")
}

// zones shows the zones of the unit with the time in each, without that of the zones inside.
func (b *body) zones(e *Evidence) {
	totals := slices.DeleteFunc(zonesOf(e.Unit.Tree), func(z zoneTime) bool { return z.zone < 0 || z.zone >= len(e.Zones) })
	if len(totals) < 2 { // the unit itself
		return
	}
	b.put("<section>\n<h2>Zones</h2>\n<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">Zone</th><th scope=\"col\">Calls</th><th scope=\"col\">Time</th><th scope=\"col\">Self</th></tr></thead>\n<tbody>\n")
	for _, z := range totals[:min(len(totals), mostRows)] {
		b.put("<tr><th scope=\"row\">%v</th><td>%v</td><td>%v</td><td>%v</td></tr>\n", e.Zones[z.zone].Name, z.calls, duration(z.total), duration(z.self))
	}
	b.put("</tbody>\n</table></div>\n")
	b.more(len(totals), "zones")
	b.put("</section>\n")
}

// more says how many rows a table left out.
func (b *body) more(n int, what string) {
	if n > mostRows {
		b.put("<p class=\"sub\">%v more "+what+" are left out.</p>\n", n-mostRows)
	}
}

// A zoneTime is the time of a unit in a zone.
type zoneTime struct {
	zone        int
	calls       uint64
	total, self time.Duration
}

// zonesOf adds up the nodes of each zone, the longest self time first. A zone inside itself counts once.
func zonesOf(tree profile.Tree) (all []zoneTime) {
	at := make(map[int]int)
	for i, n := range tree {
		k, found := at[n.Zone]
		if !found {
			k = len(all)
			at[n.Zone] = k
			all = append(all, zoneTime{zone: n.Zone})
		}
		z := &all[k]
		z.calls += n.Calls
		z.self += n.Self
		if !inside(tree, i, n.Zone) {
			z.total += n.Total
		}
	}
	slices.SortStableFunc(all, func(p, q zoneTime) int { return cmp.Compare(q.self, p.self) })
	return all
}

// inside reports whether a node lies in another of the same zone.
func inside(tree profile.Tree, i, zone int) bool {
	for p := tree[i].Parent; p >= 0 && p < i; i, p = p, tree[p].Parent {
		if tree[p].Zone == zone {
			return true
		}
	}
	return false
}

// missing says what the report does not rest on.
func (b *body) missing(r Report) {
	list := slices.Clone(r.Degrees)
	if e := r.Evidence; e != nil {
		list = append(list, e.Unit.Missing...)
		if e.Unit.Left > 0 {
			list = append(list, fmt.Sprintf("%d shorter spans are left out of the timeline", e.Unit.Left))
		}
		if e.Left > 0 {
			list = append(list, fmt.Sprintf("%d shorter entries of what else is recorded are left out", e.Left))
		}
	}
	if text := r.Coverage(); text != "" {
		list = append(list, text)
	}
	b.put("<section>\n<h2>What this rests on</h2>\n")
	if len(list) > 0 {
		b.put("<ul>\n")
		for _, text := range list {
			b.put("<li>%v</li>\n", text)
		}
		b.put("</ul>\n")
	} else {
		b.put("<p>All sources were available.</p>\n")
	}
	b.put("<p class=\"sub\">Explaining took %v, on a goroutine of its own.", duration(r.Cost))
	if r.Overhead != (Overhead{}) {
		b.put(" Until then, %v.", r.Overhead)
	}
	b.put("</p>\n</section>\n")
}
