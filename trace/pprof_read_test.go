// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"testing"
)

// A pprofFile is what the tests read of a pprof profile. That google/pprof reads the same is tested where it may be imported.
type pprofFile struct {
	types    []string // name/unit
	byName   string   // the type shown first
	samples  []pprofSample
	comments []string
	duration int64
}

type pprofSample struct {
	stack       []pprofPlace // innermost first
	calls, self int64
	labels      map[string]string
}

type pprofPlace struct {
	name, file string
	line       int64
}

// readPprof reads what write writes. Anything that a reader could object to is an error: unknown fields, ids and texts that do
// not exist, samples that do not have two values.
func readPprof(t testing.TB, write func(io.Writer) error) (p pprofFile) {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	zip, err := gzip.NewReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if why := recover(); why != nil {
			t.Fatalf("not a pprof profile: %v", why)
		}
	}()
	top := fieldsOf(data, profileSampleType, profileSample, profileLocation, profileFunction, profileText, profileDuration, profileComment, profileDefaultSample)
	texts := top[profileText]
	if len(texts) == 0 || len(texts[0].bytes) > 0 {
		panic("the first text is not empty")
	}
	text := func(f field) string { return string(texts[f.number].bytes) }

	places := map[uint64]pprofPlace{}
	for _, f := range top[profileFunction] {
		m := fieldsOf(f.bytes, functionID, functionName, functionSystemName, functionFile, functionLine)
		places[one(m, functionID).number] = pprofPlace{text(one(m, functionName)), text(one(m, functionFile)), int64(one(m, functionLine).number)}
		if text(one(m, functionSystemName)) != text(one(m, functionName)) {
			panic("two names")
		}
	}
	stands := map[uint64]pprofPlace{}
	for _, f := range top[profileLocation] {
		m := fieldsOf(f.bytes, locationID, locationLine)
		line := fieldsOf(one(m, locationLine).bytes, lineFunction, lineNumber)
		place, ok := places[one(line, lineFunction).number]
		id := one(m, locationID).number
		if _, again := stands[id]; !ok || again || id == 0 || int64(one(line, lineNumber).number) != place.line {
			panic(fmt.Sprintf("location %d", id))
		}
		stands[id] = place
	}
	for _, f := range top[profileSampleType] {
		m := fieldsOf(f.bytes, typeName, typeUnit)
		p.types = append(p.types, text(one(m, typeName))+"/"+text(one(m, typeUnit)))
	}
	for _, f := range top[profileSample] {
		m := fieldsOf(f.bytes, sampleLocation, sampleValue, sampleLabel)
		if len(m[sampleValue]) != 2 {
			panic(fmt.Sprintf("a sample of %d values", len(m[sampleValue])))
		}
		s := pprofSample{calls: int64(m[sampleValue][0].number), self: int64(m[sampleValue][1].number), labels: map[string]string{}}
		for _, l := range m[sampleLocation] {
			place, ok := stands[l.number]
			if !ok {
				panic(fmt.Sprintf("no location %d", l.number))
			}
			s.stack = append(s.stack, place)
		}
		for _, l := range m[sampleLabel] {
			label := fieldsOf(l.bytes, labelKey, labelText)
			s.labels[text(one(label, labelKey))] = text(one(label, labelText))
		}
		p.samples = append(p.samples, s)
	}
	for _, f := range top[profileComment] {
		p.comments = append(p.comments, text(f))
	}
	p.byName, p.duration = text(one(top, profileDefaultSample)), int64(one(top, profileDuration).number)
	return p
}

type field struct {
	number uint64
	bytes  []byte
}

func one(m map[uint64][]field, number uint64) field {
	if len(m[number]) != 1 {
		panic(fmt.Sprintf("field %d occurs %d times", number, len(m[number])))
	}
	return m[number][0]
}

// fieldsOf returns the fields of a message, by their numbers, which must be among known.
func fieldsOf(b []byte, known ...uint64) map[uint64][]field {
	m := map[uint64][]field{}
	next := func() uint64 {
		v, n := binary.Uvarint(b)
		if n <= 0 {
			panic("not a varint")
		}
		b = b[n:]
		return v
	}
	for _, n := range known {
		m[n] = nil
	}
	for len(b) > 0 {
		tag := next()
		f := field{number: next()}
		if tag&7 == wireBytes {
			f.bytes, b = b[:f.number], b[f.number:]
		} else if tag&7 != wireVarint {
			panic(fmt.Sprintf("wire type %d", tag&7))
		}
		if _, ok := m[tag>>3]; !ok {
			panic(fmt.Sprintf("field %d", tag>>3))
		}
		m[tag>>3] = append(m[tag>>3], f)
	}
	return m
}

// sum adds up a value of the samples under "lane|outer;inner".
func (p pprofFile) sum(value func(pprofSample) int64) map[string]int64 {
	out := map[string]int64{}
	for _, s := range p.samples {
		path := ""
		for i := len(s.stack) - 1; i >= 0; i-- {
			path += ";" + s.stack[i].name
		}
		out[s.labels["lane"]+"|"+path[1:]] += value(s)
	}
	return out
}

func (p pprofFile) calls() map[string]int64 {
	return p.sum(func(s pprofSample) int64 { return s.calls })
}
func (p pprofFile) selfs() map[string]int64 {
	return p.sum(func(s pprofSample) int64 { return s.self })
}
