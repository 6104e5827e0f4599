// SPDX-License-Identifier: BSD-3-Clause

package gotrace

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
)

const deepestStack = 128

// A file holds the tables of all generations.
type file struct {
	tables []*tables
	frames map[StackID][]Frame // those that were asked for
}

// tables are the strings and stacks of a generation.
type tables struct {
	strings, stacks index
	base            StackID // what its stacks' numbers are counted from in a Trace
	last            StackID // the highest one in use
	names           map[uint64]string
}

// An index finds the entries of a table by their numbers.
type index struct {
	entries  []entry
	unsorted bool
}

type entry struct {
	id   uint64
	data []byte
}

func (x *index) add(id uint64, data []byte) {
	x.unsorted = x.unsorted || len(x.entries) > 0 && id < x.entries[len(x.entries)-1].id
	x.entries = append(x.entries, entry{id, data})
}

func (x *index) find(id uint64) ([]byte, bool) {
	if x.unsorted {
		slices.SortFunc(x.entries, func(a, b entry) int { return cmp.Compare(a.id, b.id) })
		x.unsorted = false
	}
	i, ok := slices.BinarySearchFunc(x.entries, id, func(e entry, id uint64) int { return cmp.Compare(e.id, id) })
	if !ok {
		return nil, false
	}
	return x.entries[i].data, true
}

// add adds the tables of the next generation, before its events are read.
func (f *file) add(t *tables) {
	if n := len(f.tables); n > 0 {
		t.base = f.tables[n-1].last
		t.last = t.base
	}
	f.tables = append(f.tables, t)
}

func (t *tables) addStrings(b batch) error {
	for at := 1; at < len(b.data); {
		kind, from := b.data[at], at
		var v [2]uint64 // number and length
		if at = uvarints(b.data, at+1, v[:]); kind != evString || at < 0 || v[1] > uint64(len(b.data)-at) {
			return fmt.Errorf("byte %d: a string of the table is broken", b.at+from)
		}
		end := at + int(v[1])
		t.strings.add(v[0], b.data[at:end])
		at = end
	}
	return nil
}

func (t *tables) addStacks(b batch) error {
	for at := 1; at < len(b.data); {
		kind, from := b.data[at], at
		var v [2]uint64 // number and frames
		if at = uvarints(b.data, at+1, v[:]); kind != evStack || at < 0 || v[1] > deepestStack {
			return fmt.Errorf("byte %d: a stack of the table is broken", b.at+from)
		}
		begin := at
		for n := 4 * v[1]; n > 0; at++ {
			if at == len(b.data) {
				return fmt.Errorf("byte %d: a stack of the table is cut off", b.at+from)
			}
			if b.data[at] < 0x80 {
				n--
			}
		}
		t.stacks.add(v[0], b.data[begin:at])
	}
	return nil
}

// stackID returns the number that a Trace gives to a stack of the generation.
func (t *tables) stackID(id uint64) (StackID, error) {
	if id == 0 {
		return 0, nil
	}
	if id > math.MaxUint32-uint64(t.base) {
		return 0, fmt.Errorf("the stack's number is impossible: %d", id)
	}
	s := t.base + StackID(id)
	t.last = max(t.last, s)
	return s, nil
}

// name returns a string of the table.
func (t *tables) name(id uint64) (string, bool) {
	if id == 0 {
		return "", true
	}
	if s, ok := t.names[id]; ok {
		return s, true
	}
	data, ok := t.strings.find(id)
	if ok {
		t.names[id] = string(data)
	}
	return t.names[id], ok
}

// stack decodes a stack, without the frames from a broken one on.
func (t *tables) stack(id StackID) []Frame {
	data, _ := t.stacks.find(uint64(id - t.base))
	var frames []Frame
	for at := 0; at < len(data); {
		var v [4]uint64 // counter, function, file and line
		if at = uvarints(data, at, v[:]); at < 0 {
			break
		}
		function, _ := t.name(v[1])
		file, _ := t.name(v[2])
		frames = append(frames, Frame{Function: function, File: file, Line: int(v[3])})
	}
	return frames
}

// Stack returns the functions of a stack, innermost first, or nil for 0 and for a stack that the trace lacks. The slice must not be
// changed.
func (t *Trace) Stack(id StackID) []Frame {
	f := t.file
	if id == 0 || f == nil {
		return nil
	}
	frames, ok := f.frames[id]
	if !ok {
		i := sort.Search(len(f.tables), func(i int) bool { return f.tables[i].last >= id })
		if i == len(f.tables) {
			return nil
		}
		if f.frames == nil {
			f.frames = make(map[StackID][]Frame)
		}
		frames = f.tables[i].stack(id)
		f.frames[id] = frames
	}
	return frames
}
