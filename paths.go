// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import "github.com/strobe-go/strobe/profile"

// paths numbers the paths of zones, over all lanes.
type paths struct {
	all   []profile.Path
	index map[profile.Path]int
	known []knownPath // by node ID, of the lane asked for last: the next one often has the same nodes
}

type knownPath struct {
	lane   int   // plus 1
	number int32 // of the path
}

// pathBytes is about what a path takes, with its place in the index.
const pathBytes = 64

// of returns the number of the path of a node; -1 for the root.
func (p *paths) of(l *Lane, n *node) int {
	if n.parent == nil {
		return -1
	}
	for len(p.known) <= int(n.id) {
		p.known = append(p.known, knownPath{})
	}
	k := &p.known[n.id]
	if k.lane == l.id+1 {
		return int(k.number)
	}
	path := profile.Path{Parent: p.of(l, n.parent), Zone: profile.Other}
	if n.zone != &otherZone {
		path.Zone = int(n.zone.id)
	}
	if k.lane == 0 || p.all[k.number] != path {
		k.number = int32(p.number(path))
	}
	k.lane = l.id + 1
	return int(k.number)
}

func (p *paths) number(path profile.Path) int {
	i, found := p.index[path]
	if !found {
		if p.index == nil {
			p.index = make(map[profile.Path]int)
		}
		i = len(p.all)
		p.all = append(p.all, path)
		p.index[path] = i
	}
	return i
}

// bytes returns about how much memory the paths take.
func (p *paths) bytes() uint64 { return uint64(cap(p.all))*pathBytes + uint64(cap(p.known))*16 }

// again reports whether the path has its last zone before too.
func (p *paths) again(path int) bool {
	for k := p.all[path].Parent; k >= 0; k = p.all[k].Parent {
		if p.all[k].Zone == p.all[path].Zone {
			return true
		}
	}
	return false
}
