// SPDX-License-Identifier: BSD-3-Clause

package live

import "math"

const (
	firstFrames = 200      // that stand in the page
	firstBytes  = 32 << 10 // of these
	firstMost   = 1000     // zones, paths and lanes; a program with more is seen when the stream has come
)

// first returns what stands in the page: the data of the messages "hello" and "frames" with the latest frames of the
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
	v := &viewer{c: c, run: s.run, budget: s.options.Budget, name: l.loop}
	none := uint64(math.MaxUint64) // neither plots nor messages: the stream has them
	cursor := cursor{plots: none, texts: none, lost: m.lost}
	b := append([]byte(`{"hello":`), v.hello(m)...)
	b = append(b, `,"frames":`...)
	b = m.appendFrames(b, &cursor, last(l.from(0, firstFrames), firstBytes), nil, true)
	return append(b, '}')
}
