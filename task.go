// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/strobe-go/strobe/clock"
	"github.com/strobe-go/strobe/internal/recorder"
	"github.com/strobe-go/strobe/internal/stamp"
	"github.com/strobe-go/strobe/profile"
)

// A Task stands for a unit, such as a request, on the other goroutines that work for it:
//
//	task := strobe.CurrentTask()
//	go func() {
//		defer task.Enter(resize).Exit()
//		...
//	}()
//
// A Task may be copied and compared, and used by any number of goroutines at once, also after its unit has ended. The zero Task is
// that of no unit.
type Task struct {
	number uint64
	zone   *Zone
	start  uint64 // ticks
}

// tasks is the number of tasks so far.
var tasks atomic.Uint64

// A membership is an open span through which its lane works for a unit: one of a root zone, or one begun with a task.
type membership struct {
	node  *node
	start uint64
	task  Task
	own   bool   // the span is the unit, and not linked to it
	told  uint64 // Pool.Since of the recording that has the number of the unit
}

// CurrentTask returns the task of the unit for which the calling goroutine works: the innermost open one that it began itself or, if
// it lies further inside, that of an open span begun with a task. The task is zero if there is neither, if sampling leaves the unit
// untimed, and where goroutines share a lane. Spans on lanes made by NewLane belong to no goroutine.
func CurrentTask() Task {
	if !stamp.HasGoroutine {
		return Task{}
	}
	l := find(stamp.Record())
	if l == nil || l.shared || l.number.Get() != stamp.Goroutine() {
		return Task{}
	}
	n := nodeAt(l.at.Get())
	if n == &foldedHere {
		n = l.folding.under
	}
	l.dismiss()
	for ; n.parent != nil; n = n.parent {
		own := n.zone.role == forUnits && !n.again
		m := l.member(n, own)
		if m == nil && own {
			m = l.join(membership{node: n, start: n.start.Get(), task: Task{tasks.Add(1), n.zone, n.start.Get()}, own: true})
		}
		if m != nil {
			l.publish(m)
			return m.task
		}
	}
	return Task{}
}

// Unit returns the name of the unit's root zone, and how long ago the unit began, which may have ended since; ok is false for the zero
// Task.
func (t Task) Unit() (name string, since time.Duration, ok bool) {
	if t.zone == nil {
		return "", 0, false
	}
	if now := ticks(); now > t.start { // processors may differ by some ticks
		since = clock.ToDuration(now - t.start)
	}
	return t.zone.name, since, true
}

// Enter begins a span of z on the calling goroutine, as Zone.Enter does, that is part of the unit of the task, with all spans inside
// it. The goroutine that calls Enter must end it. Viewers show it in the tree of the unit, up to the end of the unit. The Enter of the
// zero Task is that of the zone. While something is recorded, Enter takes a lock of the recording.
func (t Task) Enter(z *Zone) Span {
	l, n, start := enter(z)
	if t.number != 0 && l != nil && !l.shared {
		l.link(t, n, start&^slowly)
	}
	return Span{l, n, start}
}

// link makes the span that has just begun a part of the task's unit, unless the lane works for that unit already.
func (l *Lane) link(t Task, n *node, start uint64) {
	l.dismiss()
	for i := range l.members {
		if l.members[i].task == t {
			return
		}
	}
	l.join(membership{node: n, start: start, task: t})
	if p := recording.Load(); p != nil {
		depth := int(n.depth)
		if f := l.folding; f != nil && len(f.spans) > 0 {
			depth = f.depth()
		}
		p.Mark(recorder.Mark{Lane: int32(l.id), Goroutine: l.number.Get(), Ticks: start, Depth: uint8(depth - 1), Kind: profile.LinkEvent, Task: t.number})
	}
}

// dismiss forgets the memberships whose spans have ended. The others enclose each other, the innermost last.
func (l *Lane) dismiss() {
	for k := len(l.members); k > 0; k-- {
		if m := &l.members[k-1]; m.node.start.Get() == m.start {
			break
		}
		l.members = l.members[:k-1]
	}
}

// member returns the membership through the open span of n, as a unit or as a linked span; nil if there is none.
func (l *Lane) member(n *node, own bool) *membership {
	for i := range l.members {
		if l.members[i].node == n && l.members[i].own == own {
			return &l.members[i]
		}
	}
	return nil
}

// join adds a membership. All others are through spans that enclose its span, or through that span.
func (l *Lane) join(m membership) *membership {
	l.members = append(l.members, m)
	l.release()
	return &l.members[len(l.members)-1]
}

// publish records the number of a unit of the lane, once in each recording.
func (l *Lane) publish(m *membership) {
	if p := recording.Load(); p != nil && m.own && m.told != p.Since {
		m.told = p.Since
		l.release()
		p.Mark(recorder.Mark{Lane: int32(l.id), Goroutine: l.number.Get(), Ticks: ticks(), Kind: profile.TaskEvent, Task: m.task.number})
	}
}

// A taskKey is the key of the task in a context.
type taskKey struct{}

// ContextWithTask returns a context that carries a task to where the work for it is done. For the zero Task it returns ctx.
func ContextWithTask(ctx context.Context, t Task) context.Context {
	if t == (Task{}) {
		return ctx
	}
	return context.WithValue(ctx, taskKey{}, t)
}

// TaskFromContext returns the task that a context carries; the zero Task if it carries none.
func TaskFromContext(ctx context.Context) Task {
	t, _ := ctx.Value(taskKey{}).(Task)
	return t
}

// Note records a value under a key on the calling goroutine's lane of the timeline, if recording is on, as a note on the unit for
// which the goroutine works, or on the frame: a route, a user, a size. The unit is the one of CurrentTask. A key of more than 64
// bytes and a value of more than 256 are cut between runes. Note copies both, and takes a lock of the recording. Viewers show the latest
// value of each key, and a bounded number of keys of each unit. Safe for concurrent use.
func Note(key, value string) {
	if disabled.Load() || recording.Load() == nil {
		return
	}
	key = cut(key, maxKey)
	text := key + cut(value, maxNote)
	mark(recorder.Mark{Kind: profile.NoteEvent, Name: text[:len(key)], Text: text[len(key):]})
}
