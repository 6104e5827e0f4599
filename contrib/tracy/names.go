// SPDX-License-Identifier: BSD-3-Clause

package strobetracy

import (
	"strconv"
	"strings"

	"github.com/strobe-go/strobe/profile"
)

// Tracy requests texts by their address in the program. Here an address is a kind and a number.
const (
	zoneNames = 1 << 32 // the name of a zone
	zoneFiles = 2 << 32 // the file that makes the zone
	locations = 3 << 32 // both, and the line
	otherText = 4 << 32 // the name of a plot or a loop
)

// location returns the address of a zone's source location.
func location(zone int) uint64 { return locations | uint64(zone) }

// names are the texts that Tracy may request.
type names struct {
	zones []profile.ZoneInfo
	lanes map[uint32]string
	texts []string
	index map[string]uint64
}

func newNames() names {
	return names{lanes: map[uint32]string{number(-1): "program"}, index: make(map[string]uint64)}
}

// number returns Tracy's number for a lane; the number for no lane, -1, is 0.
func number(lane int) uint32 { return uint32(lane + 1) }

// learn keeps the names of a reading.
func (n *names) learn(t *profile.Timeline) {
	n.zones = t.Zones
	for _, l := range t.Lanes {
		n.lanes[number(l.ID)] = l.Name
	}
}

// address returns the address of a text.
func (n *names) address(text string) uint64 {
	at, known := n.index[text]
	if !known {
		at = otherText | uint64(len(n.texts))
		n.texts = append(n.texts, text)
		n.index[text] = at
	}
	return at
}

// text returns the text at an address, or a placeholder if there is none.
func (n *names) text(at uint64) string {
	i := int(at & (1<<32 - 1))
	switch kind := at &^ (1<<32 - 1); {
	case kind == zoneNames && i < len(n.zones):
		return n.zones[i].Name
	case kind == zoneFiles && i < len(n.zones):
		file, _ := n.place(i)
		return file
	case kind == otherText && i < len(n.texts):
		return n.texts[i]
	}
	return "(unknown)"
}

// place returns the file and the line at which a zone is made.
func (n *names) place(zone int) (file string, line uint32) {
	where := n.zones[zone].Where
	i := strings.LastIndexByte(where, ':')
	if i < 0 {
		return where, 0
	}
	number, err := strconv.ParseUint(where[i+1:], 10, 32)
	if err != nil {
		return where, 0
	}
	return where[:i], uint32(number)
}

// answer answers a query. It returns false if the connection must end.
func (n *names) answer(e *encoder, q query) bool {
	switch q.kind {
	case queryString:
		e.text(e.d.stringData, q.ptr, n.text(q.ptr))
	case queryThreadName:
		name, known := n.lanes[uint32(q.ptr)]
		if !known {
			name = "(unknown)"
		}
		e.text(e.d.threadName, q.ptr, name)
	case querySourceLocation:
		zone, line := q.ptr&(1<<32-1), uint32(0)
		if zone < uint64(len(n.zones)) {
			_, line = n.place(int(zone))
		}
		e.location(zoneNames|zone, zoneFiles|zone, line)
	case queryPlotName:
		e.text(e.d.plotName, q.ptr, n.text(q.ptr))
	case queryFrameName:
		e.text(e.d.frameName, q.ptr, n.text(q.ptr))
	case querySourceCode:
		e.noSource(uint32(q.ptr))
	case querySymbolCode:
		e.code(e.d.noSymbolCode)
	case queryParameter, queryDataTransfer, queryDataTransferPart:
		e.code(e.d.acknowledge)
	case queryDisconnect:
		e.code(e.d.terminate)
	default: // queryTerminate, or a query for something that was never sent
		return false
	}
	return true
}
