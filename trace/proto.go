// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"encoding/binary"
	"math"
)

// A message is a protobuf message that is built field by field. Source of the encoding: protobuf.dev,
// programming-guides/encoding.
type message []byte

const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
)

func (m *message) tag(field, wire uint64) { *m = binary.AppendUvarint(*m, field<<3|wire) }

func (m *message) uint(field, v uint64) {
	m.tag(field, wireVarint)
	*m = binary.AppendUvarint(*m, v)
}

func (m *message) double(field uint64, v float64) {
	m.tag(field, wireFixed64)
	*m = binary.LittleEndian.AppendUint64(*m, math.Float64bits(v))
}

func (m *message) text(field uint64, s string) {
	s = valid(s)
	m.tag(field, wireBytes)
	*m = binary.AppendUvarint(*m, uint64(len(s)))
	*m = append(*m, s...)
}

func (m *message) message(field uint64, inner message) {
	m.tag(field, wireBytes)
	*m = binary.AppendUvarint(*m, uint64(len(inner)))
	*m = append(*m, inner...)
}
