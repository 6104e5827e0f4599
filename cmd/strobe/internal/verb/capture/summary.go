// SPDX-License-Identifier: BSD-3-Clause

package capture

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/strobe-go/strobe/capture"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
	"github.com/strobe-go/strobe/internal/plain"
)

// A group is captures of one root with one cause at one place.
type group struct {
	cause             capture.Cause
	root, zone, where string
	n                 int
	spent             time.Duration // on the cause, beyond what is usual, in all
	longest           kept          // the unit that took longest
}

// spent returns the time that the cause of a report took beyond what is usual; if it is unclear, that of all causes.
func spent(r capture.Report) time.Duration {
	if r.Cause == capture.Unclear || r.Spent == 0 {
		return max(0, r.Took-r.Usual)
	}
	return r.Spent
}

// groupsOf returns the groups of reports, those with the most time first.
func groupsOf(all []kept) []group {
	type key struct {
		cause             capture.Cause
		root, zone, where string
	}
	at := make(map[key]int)
	var groups []group
	for _, k := range all {
		of := key{k.Cause, k.Root, k.Zone, k.Where}
		i, found := at[of]
		if !found {
			i = len(groups)
			at[of] = i
			groups = append(groups, group{cause: k.Cause, root: k.Root, zone: k.Zone, where: k.Where})
		}
		g := &groups[i]
		g.n++
		g.spent += spent(k.Report)
		if k.Took > g.longest.Took {
			g.longest = k
		}
	}
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(b.spent, a.spent) })
	return groups
}

// mostCauses is how many rows the table has; the JSON has all.
const mostCauses = 20

// summarize prints which causes reports have.
func summarize(s *session.Session, all []kept) error {
	groups := groupsOf(all)
	if s.JSON {
		return session.WriteJSON(s.Out, summaryOf(all, groups))
	}
	p := s.Printer()
	total := time.Duration(0)
	for _, g := range groups {
		total += g.spent
	}
	p.Wrap("", fmt.Sprintf("%s, which took %s more than usual in all", layout.Plural(uint64(len(all)), "capture"), duration(total)))
	p.WriteByte('\n')
	t := layout.Table{Columns: []layout.Column{{Title: "cause", Left: true}, {Title: "root", Left: true}, {Title: "captures"}, {Title: "time"}, {Title: "share"}, {Title: "longest unit", Drop: 1}, {Title: "where", Left: true, Drop: 2}}}
	some := groups[:min(len(groups), mostCauses)]
	for _, g := range some {
		t.Rows = append(t.Rows, []string{g.cause.String(), plain.Text(g.root), strconv.Itoa(g.n), duration(g.spent), share(g.spent, total), duration(g.longest.Took),
			place(capture.Part{Zone: g.zone, Where: g.where})})
	}
	p.LeftOut(p.Table(t))
	p.WriteByte('\n')
	p.Wrap("", fmt.Sprintf("%d of %s, the most time first; --json has all, and each capture. ", len(some), layout.Plural(uint64(len(groups)), "row"))+
		"Time is what the cause took beyond what is usual for it. The longest unit of the first line is in this file:")
	p.WriteString(plain.Text(groups[0].longest.file) + "\n")
	for i, text := range coverage(all) {
		if i == 0 {
			p.WriteByte('\n')
		}
		p.Note(plain.Text(text))
	}
	return s.Print(p)
}

// coverage says of each root in each program how many slow units its latest capture knows of, and how many were explained.
func coverage(all []kept) (texts []string) {
	type key struct{ program, root string }
	latest := make(map[key]kept)
	var order []key
	for _, k := range all {
		of := key{k.Program, k.Root}
		old, found := latest[of]
		if !found {
			order = append(order, of)
		}
		if !found || k.At.After(old.At) {
			latest[of] = k
		}
	}
	for _, of := range order {
		if text := latest[of].Coverage(); text != "" {
			texts = append(texts, moment(latest[of].At)+": "+text)
		}
	}
	return texts
}
