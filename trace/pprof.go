// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"compress/gzip"
	"io"

	"github.com/strobe-go/strobe/internal/plain"
	"github.com/strobe-go/strobe/profile"
)

// A builder builds a pprof profile of calls and self times: its messages as they come, and last the texts they refer to.
type builder struct {
	profile   message
	zones     []profile.ZoneInfo
	locations map[int]uint64    // ids of zones
	lanes     map[string]uint64 // indices of their names as they are written
	indices   map[string]uint64 // of texts
	texts     []string

	part, entry message // reused
}

func newBuilder(zones []profile.ZoneInfo) *builder {
	b := &builder{zones: zones, locations: make(map[int]uint64), lanes: make(map[string]uint64), indices: make(map[string]uint64)}
	b.index("")
	b.sampleType("calls", "count")
	b.sampleType("self", "nanoseconds")
	b.profile.uint(profileDefaultSample, b.index("self"))
	return b
}

func (b *builder) sampleType(name, unit string) {
	b.part = b.part[:0]
	b.part.uint(typeName, b.index(name))
	b.part.uint(typeUnit, b.index(unit))
	b.profile.message(profileSampleType, b.part)
}

// index returns the index of a text in the table.
func (b *builder) index(text string) uint64 {
	i, ok := b.indices[text]
	if !ok {
		i = uint64(len(b.texts))
		b.indices[text], b.texts = i, append(b.texts, text)
	}
	return i
}

// sample adds a stack, innermost zone first. It does not keep stack.
func (b *builder) sample(lane string, stack []int, calls, self int64) {
	for _, zone := range stack {
		b.locate(zone)
	}
	b.part = b.part[:0]
	for _, zone := range stack {
		b.part.uint(sampleLocation, b.locations[zone])
	}
	b.part.uint(sampleValue, uint64(calls))
	b.part.uint(sampleValue, uint64(self))
	name, ok := b.lanes[lane]
	if !ok {
		name = b.index(plain.Name(lane, plain.Longest))
		b.lanes[lane] = name
	}
	b.label("lane", name)
	if zoneAt(b.zones, stack[0]).Wait {
		b.label("kind", b.index("wait"))
	}
	b.profile.message(profileSample, b.part)
}

// label adds a label to the sample in part.
func (b *builder) label(key string, text uint64) {
	b.entry = b.entry[:0]
	b.entry.uint(labelKey, b.index(key))
	b.entry.uint(labelText, text)
	b.part.message(sampleLabel, b.entry)
}

// locate adds the location and the function of a zone, which have the same id.
func (b *builder) locate(zone int) {
	if b.locations[zone] != 0 {
		return
	}
	id := uint64(len(b.locations)) + 1
	b.locations[zone] = id
	z := zoneAt(b.zones, zone)
	file, line := where(z)
	name := b.index(plain.Name(z.Name, plain.Longest))

	b.part = b.part[:0]
	b.part.uint(functionID, id)
	b.part.uint(functionName, name)
	b.part.uint(functionSystemName, name)
	b.part.uint(functionFile, b.index(plain.Text(file)))
	b.part.uint(functionLine, uint64(line))
	b.profile.message(profileFunction, b.part)

	b.entry = b.entry[:0]
	b.entry.uint(lineFunction, id)
	b.entry.uint(lineNumber, uint64(line))
	b.part = b.part[:0]
	b.part.uint(locationID, id)
	b.part.message(locationLine, b.entry)
	b.profile.message(profileLocation, b.part)
}

func (b *builder) comment(text string) { b.profile.uint(profileComment, b.index(plain.Text(text))) }

func (b *builder) comments(texts []string) {
	for _, text := range texts {
		b.comment(text)
	}
}

// write writes the profile compressed.
func (b *builder) write(w io.Writer, nanoseconds int64) error {
	b.profile.uint(profileDuration, uint64(nanoseconds))
	for _, text := range b.texts {
		b.profile.text(profileText, text)
	}
	zip := gzip.NewWriter(w)
	if _, err := zip.Write(b.profile); err != nil {
		return err
	}
	return zip.Close()
}

// Field numbers of pprof's messages, from proto/profile.proto. Their texts are indices into the table of the profile, whose
// first text is empty.
const (
	profileSampleType    = 1 // Profile
	profileSample        = 2
	profileLocation      = 4
	profileFunction      = 5
	profileText          = 6
	profileDuration      = 10
	profileComment       = 13
	profileDefaultSample = 14

	typeName = 1 // ValueType
	typeUnit = 2

	sampleLocation = 1 // Sample, innermost first
	sampleValue    = 2
	sampleLabel    = 3

	labelKey  = 1 // Label
	labelText = 2

	locationID   = 1 // Location
	locationLine = 4

	lineFunction = 1 // Line
	lineNumber   = 2

	functionID         = 1 // Function
	functionName       = 2
	functionSystemName = 3
	functionFile       = 4
	functionLine       = 5
)
