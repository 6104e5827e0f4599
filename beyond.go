// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"unsafe"

	"github.com/strobe-go/strobe/internal/word"
)

// A beyond is what is known of a path of a sampled zone beyond its node. Its lane writes it.
type beyond struct {
	skipped word.Word // calls that were not timed, for which timed ones on the node stand
	charged word.Word // those of them that stand for calls in a span that is not sampled, in the self time of which they are
	adrift  word.Word // those of skipped that stand for calls in spans that are not on the node above
	owed    word.Word // calls that were not timed, for which the timed ones in this node's spans, which are not sampled, are on other nodes
	beside  word.Word // calls that were timed only because they are directly inside a dissected one: node.calls lacks these
	timed   word.Word // timed calls, while the zone was sampled, with those
	spent   word.Word // ticks of these, without the spans inside: calls inside that were not timed are in it
	own     word.Word // ticks that dissected calls took in themselves, times the calls for which each stands
	ownOf   word.Word // number of the latter
}

const beyondBytes = uint64(unsafe.Sizeof(beyond{}))

// beyondOf returns what is known of the node with that ID.
func (l *Lane) beyondOf(id uint16) *beyond {
	all := l.beyond.Load()
	if all == nil || int(id) >= len(*all) {
		var had []beyond
		if all != nil {
			had = *all
		}
		larger := make([]beyond, l.tree.room(len(had)))
		for i := range had {
			larger[i].copy(&had[i])
		}
		memory.Force(uint64(len(larger)-len(had)) * beyondBytes)
		l.beyond.Store(&larger)
		all = &larger
	}
	return &(*all)[id]
}

// copy makes b what from is.
func (b *beyond) copy(from *beyond) {
	b.skipped.Set(from.skipped.Get())
	b.charged.Set(from.charged.Get())
	b.adrift.Set(from.adrift.Get())
	b.owed.Set(from.owed.Get())
	b.beside.Set(from.beside.Get())
	b.timed.Set(from.timed.Get())
	b.spent.Set(from.spent.Get())
	b.own.Set(from.own.Get())
	b.ownOf.Set(from.ownOf.Get())
}

// time counts a timed call that took so many ticks without the spans inside.
func (b *beyond) time(own uint64) {
	b.timed.Set(b.timed.Get() + 1)
	b.spent.Set(b.spent.Get() + own)
}

// dissect counts a dissected call that took so many ticks in itself and stands for n calls.
func (b *beyond) dissect(own, n uint64) {
	b.own.Set(b.own.Get() + n*own)
	b.ownOf.Set(b.ownOf.Get() + n)
}

// A standIn says where the timed call was for which calls that are not timed are taken: on the node with an ID, in a span on another one.
// It is 0 if there is none.
type standIn uint64

const (
	isCharged standIn = 1 << 32 // that span is not sampled
	isAdrift  standIn = 1 << 33 // its node is not the one above
)

// standInOn returns the one for a call on node n, in a span on node around, which is sampled or not.
func standInOn(n, around *node, sampled bool) standIn {
	at := standIn(n.id) | standIn(around.id)<<16
	if around.parent != nil && !sampled {
		at |= isCharged
	}
	if around != n.parent {
		at |= isAdrift
	}
	return at
}

func (at standIn) node() uint16   { return uint16(at) }
func (at standIn) around() uint16 { return uint16(at >> 16) }

// skip counts n calls that were not timed.
func (l *Lane) skip(at standIn, n uint64) {
	if at == 0 || n == 0 {
		return
	}
	b := l.beyondOf(at.node())
	b.skipped.Set(b.skipped.Get() + n)
	switch at & (isCharged | isAdrift) {
	case isCharged:
		b.charged.Set(b.charged.Get() + n)
	case isCharged | isAdrift:
		o := l.beyondOf(at.around())
		b = l.beyondOf(at.node()) // that may have moved it
		o.owed.Set(o.owed.Get() + n)
		fallthrough
	case isAdrift:
		b.adrift.Set(b.adrift.Get() + n)
	}
}

// skip is Lane.skip of what was read of the nodes.
func (at standIn) skip(nodes []count, n uint64) {
	i, around := int(at.node())-1, int(at.around())-1
	if i < 0 || i >= len(nodes) {
		return
	}
	b := &nodes[i].beyond
	b.skipped += n
	switch at & (isCharged | isAdrift) {
	case isCharged:
		b.charged += n
	case isCharged | isAdrift:
		if around >= 0 && around < len(nodes) {
			nodes[around].beyond.owed += n
		}
		fallthrough
	case isAdrift:
		b.adrift += n
	}
}

// A beyondCount is a beyond as it was read, in ticks.
type beyondCount struct{ skipped, charged, adrift, owed, beside, timed, spent, own, ownOf uint64 }

func (b *beyond) read() beyondCount {
	return beyondCount{b.skipped.Read(), b.charged.Read(), b.adrift.Read(), b.owed.Read(), b.beside.Read(), b.timed.Read(), b.spent.Read(), b.own.Read(), b.ownOf.Read()}
}

// numbers returns all of them.
func (b *beyondCount) numbers() [9]*uint64 {
	return [9]*uint64{&b.skipped, &b.charged, &b.adrift, &b.owed, &b.beside, &b.timed, &b.spent, &b.own, &b.ownOf}
}

// sub leaves what has been added since before.
func (b *beyondCount) sub(before *beyondCount) {
	was := before.numbers()
	for i, x := range b.numbers() {
		*x = less(*x, *was[i])
	}
}

// less returns now-before, which is not negative unless a lane was read in the middle of a change.
func less(now, before uint64) uint64 { return now - min(now, before) }
