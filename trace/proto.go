// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"encoding/binary"
	"math"
	"slices"
)

// Field numbers and values of Perfetto's messages, from protos/perfetto/trace and its folders track_event and interned_data.
// Those of TrackDescriptor above 10 are from 2024 and later; older readers ignore them.
const (
	tracePacket = 1 // Trace.packet

	packetTimestamp = 8 // TracePacket
	packetSequence  = 10
	trackEvent      = 11
	packetInterned  = 12
	packetFlags     = 13
	trackDescriptor = 60

	flagCleared = 1 // TracePacket.SequenceFlags
	flagNeeds   = 2

	trackUUID          = 1 // TrackDescriptor
	trackName          = 2
	trackParent        = 5
	trackCounter       = 8
	trackChildOrdering = 11
	trackRank          = 12
	trackMerge         = 15

	orderExplicit = 3 // TrackDescriptor.ChildTracksOrdering
	mergeNone     = 2 // TrackDescriptor.SiblingMergeBehavior: lanes with the same name stay separate

	eventCategory   = 3 // TrackEvent
	eventAnnotation = 4
	eventType       = 9
	eventNameID     = 10
	eventTrack      = 11
	eventName       = 23
	eventPlaceID    = 34
	eventCounter    = 44
	eventFlow       = 47
	eventFlowEnd    = 48

	typeBegin   = 1 // TrackEvent.Type
	typeEnd     = 2
	typeInstant = 3
	typeCounter = 4

	annotationUint = 3 // DebugAnnotation
	annotationText = 6
	annotationName = 10

	internedCategories = 1 // InternedData
	internedNames      = 2
	internedPlaces     = 4

	entryID   = 1 // EventCategory, EventName, SourceLocation
	entryName = 2
	placeLine = 4
)

// categories are interned with the first packet; the id is the index + 1.
var categories = []string{"zone", "wait", "unit", "frame", "message", "note", producer}

func categoryID(name string) uint64 { return uint64(slices.Index(categories, name)) + 1 }

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

func (m *message) fixed(field, v uint64) {
	m.tag(field, wireFixed64)
	*m = binary.LittleEndian.AppendUint64(*m, v)
}

func (m *message) double(field uint64, v float64) { m.fixed(field, math.Float64bits(v)) }

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
