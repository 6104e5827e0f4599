// SPDX-License-Identifier: BSD-3-Clause

package live

import "github.com/strobe-go/strobe/profile"

// allLanes is the lane of paths over all lanes.
const allLanes = -1

// maxPaths is how many paths are told apart; the rest of a lane is one path, of the zone profile.Other.
const maxPaths = 1 << 15

// A pathTable numbers the paths of zones on lanes. A number holds for the life of the table, and a parent's is smaller.
type pathTable struct {
	all   []pathNode
	index map[pathKey]int32
	lanes map[int]bool // that have paths of their own
	limit int
}

type pathNode struct {
	lane         int
	parent, zone int32
}

// A pathKey is a lane and a path of the timelines.
type pathKey struct {
	lane int
	path int32
}

func newPathTable(limit int) *pathTable {
	return &pathTable{index: make(map[pathKey]int32), lanes: make(map[int]bool), limit: limit}
}

// of returns the number of a path of the timelines on a lane. Paths do not change in later timelines.
func (t *pathTable) of(lane int, number int32, paths []profile.Path) int32 {
	key := pathKey{lane, number}
	if i, found := t.index[key]; found {
		return i
	}
	t.lanes[lane] = true
	parent, zone := int32(-1), int32(profile.Other)
	switch {
	case number < 0 || int(number) >= len(paths):
		key.path = -1
	case len(t.all) >= t.limit:
		return t.of(lane, -1, nil)
	default:
		zone = paths[number].Zone
		if p := paths[number].Parent; p >= 0 && p < number {
			parent = t.of(lane, p, paths)
		}
	}
	if i, found := t.index[key]; found {
		return i
	}
	i := int32(len(t.all))
	t.all = append(t.all, pathNode{lane, parent, zone})
	t.index[key] = i
	return i
}
