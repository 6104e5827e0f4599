// SPDX-License-Identifier: BSD-3-Clause

package live

import "math"

const (
	firstFrames = 200      // in the page
	firstBytes  = 24 << 10 // of these frames
	firstMost   = 1000     // zones, paths and lanes; with more, the page shows nothing until the stream arrives
)

// first returns the data embedded in the page: those of the messages "hello" and "frames" with the latest frames of the
// default loop, or null.
func (s *Server) first() []byte {
	c := s.collector
	c.mu.Lock()
	defer c.mu.Unlock()
	m := c.model
	l := m.find("")
	if len(l.latest) == 0 || len(m.zones) > firstMost || len(m.paths.all) > firstMost || len(m.names) > firstMost {
		return []byte("null")
	}
	v := &viewer{c: c, run: s.run, budget: s.options.Budget, loop: l, name: l.loop}
	none := uint64(math.MaxUint64) // no plots or messages: they come with the stream
	cursor := cursor{plots: none, texts: none, lost: m.lost}
	b := append([]byte(`{"hello":`), v.hello(m)...)
	b = append(b, `,"frames":`...)
	frames := last(l.from(0, firstFrames), firstBytes)
	cursor.past = m.history.about(frames, c.machine)
	b = m.appendFrames(b, &cursor, frames, nil, true)
	return append(b, '}')
}
