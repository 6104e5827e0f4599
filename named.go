// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"hash/maphash"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"

	"github.com/strobe-go/strobe/internal/budget"
)

// Longer texts are cut, so that no text that a program makes at run time exceeds the memory that it is counted with.
const (
	maxName    = 256  // bytes of the name of a zone, lane, loop or plot
	maxMessage = 4096 // bytes of a message
	maxKey     = 64   // bytes of the key of a note
	maxNote    = 256  // bytes of its value
)

// cut returns the first runes of text that fit into most bytes. It is a copy if something was cut.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return strings.Clone(text[:most])
}

// keep returns a name to be kept: cut, and a copy, since name may be part of a longer string.
func keep(name string) string { return strings.Clone(cut(name, maxName)) }

// bytes returns what the zone holds at least: itself, its texts, its place in the list, which grows by doubling at most, and in
// snapshots.
func (z *Zone) bytes() uint64 {
	return uint64(unsafe.Sizeof(*z)) + uint64(len(z.name)+len(z.where)) + 2*uint64(unsafe.Sizeof(z))
}

// named holds entries that the program names at run time, in the order of their first use, in bounded memory.
type named[T any] struct {
	bytes   uint64   // of one entry
	byName  sync.Map // of *item[T]
	mu      sync.Mutex
	all     []*item[T]
	refused map[uint64]bool // hashes of some of the names for which there was no room
}

type item[T any] struct {
	name  string
	thing T
}

const (
	maxNames     = 1000
	refusedBytes = 64 // of an entry in named.refused
)

var refusedSeed = sync.OnceValue(maphash.MakeSeed)

// get returns the entry with that name, which it makes at first use; nil if the limit is reached.
func (s *named[T]) get(name string) *item[T] {
	name = cut(name, maxName)
	if v, ok := s.byName.Load(name); ok {
		return v.(*item[T])
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if v, ok := s.byName.Load(name); ok {
		return v.(*item[T])
	}
	if len(s.all) >= maxNames || !memory.Take(s.bytes+uint64(len(name)), budget.Detail) {
		s.refuse(name)
		return nil
	}
	e := &item[T]{name: keep(name)}
	s.byName.Store(e.name, e)
	s.all = append(s.all, e)
	return e
}

// refuse counts a name once, as long as there are not too many.
func (s *named[T]) refuse(name string) {
	if s.refused == nil {
		s.refused = make(map[uint64]bool)
	}
	if h := maphash.String(refusedSeed(), name); len(s.refused) < maxNames && !s.refused[h] {
		s.refused[h] = true
		memory.Force(refusedBytes)
	}
}

// list returns the entries, and the number of refused names.
func (s *named[T]) list() (all []*item[T], refused int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all, len(s.refused)
}
