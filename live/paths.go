// SPDX-License-Identifier: BSD-3-Clause

package live

import "github.com/strobe-go/strobe/profile"

// allLanes is the lane of paths over all lanes that are not shown separately.
const allLanes = -1

// maxPaths is the maximum number of distinct paths; the rest of a lane is one path, of the zone profile.Other.
const maxPaths = 1 << 15

// A pathTable numbers the paths of zones on lanes. Numbers do not change, and a parent's number is smaller.
type pathTable struct {
	all    []pathNode
	lanes  map[int]*lanePaths // that have their own paths
	latest *lanePaths         // result of the last lookup: spans come lane by lane
	inside map[pathNode]int32 // the numbers of those of units
	limit  int
}

type pathNode struct {
	lane         int
	parent, zone int32
}

// lanePaths holds the numbers of a lane's paths plus 1; 0 for paths without a number.
type lanePaths struct {
	lane    int
	numbers []int32 // by path of the timelines
	other   int32   // of all paths beyond the limit
}

func newPathTable(limit int) *pathTable {
	return &pathTable{lanes: make(map[int]*lanePaths), limit: limit}
}

// of returns the number of a path of the timelines on a lane. Paths do not change in later timelines.
func (t *pathTable) of(lane, number int, paths []profile.Path) int32 {
	l := t.latest
	if l == nil || l.lane != lane {
		if l = t.lanes[lane]; l == nil {
			l = &lanePaths{lane: lane}
			t.lanes[lane] = l
		}
		t.latest = l
	}
	return t.on(l, number, paths)
}

func (t *pathTable) on(l *lanePaths, number int, paths []profile.Path) int32 {
	if number >= 0 && number < len(l.numbers) && l.numbers[number] > 0 {
		return l.numbers[number] - 1
	}
	if number < 0 || number >= len(paths) || len(t.all) >= t.limit {
		if l.other == 0 {
			l.other = t.add(pathNode{l.lane, -1, profile.Other})
		}
		return l.other - 1
	}
	parent := int32(-1)
	if p := paths[number].Parent; p >= 0 && p < number {
		parent = t.on(l, p, paths)
	}
	if grown := number + 1 - len(l.numbers); grown > 0 {
		l.numbers = append(l.numbers, make([]int32, grown)...)
	}
	l.numbers[number] = t.add(pathNode{l.lane, parent, int32(paths[number].Zone)})
	return l.numbers[number] - 1
}

// in returns the number of the path of a zone in another path of units, or an outermost one.
func (t *pathTable) in(n pathNode) int32 {
	if number, found := t.inside[n]; found {
		return number
	}
	if len(t.all) >= t.limit {
		n = pathNode{n.lane, -1, profile.Other}
		if number, found := t.inside[n]; found {
			return number
		}
	}
	if t.inside == nil {
		t.inside = make(map[pathNode]int32)
	}
	t.inside[n] = t.add(n) - 1
	return t.inside[n]
}

// add adds a path and returns its number plus 1.
func (t *pathTable) add(n pathNode) int32 {
	t.all = append(t.all, n)
	return int32(len(t.all))
}
