// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
)

// A forward is a function of a DLL that another one has: "advapi32.SystemFunction036".
type forward struct{ name, to string }

// library returns a DLL for amd64 whose functions are those of others. It has no code, only a table of exports: Wine 8 lacks
// bcryptprimitives.dll, from which the runtime of Go takes one function.
func library(name string, functions ...forward) []byte {
	const align, section = 0x1000, 0x1000 // where the only section is, in memory
	const headers = 0x200                 // and in the file
	slices.SortFunc(functions, func(a, b forward) int { return strings.Compare(a.name, b.name) })

	// The section has the directory, the tables of addresses, names and ordinals, and the texts.
	const directory = 40
	n := len(functions)
	addresses := section + directory
	names := addresses + 4*n
	ordinals := names + 4*n
	texts := ordinals + 2*n
	var text bytes.Buffer
	put := func(s string) uint32 {
		at := texts + text.Len()
		text.WriteString(s + "\x00")
		return uint32(at)
	}
	own := put(name)
	var to, from []uint32
	var order []uint16
	for i, f := range functions {
		from, to, order = append(from, put(f.name)), append(to, put(f.to)), append(order, uint16(i))
	}
	var data bytes.Buffer
	write := func(b *bytes.Buffer, values ...any) {
		for _, v := range values {
			_ = binary.Write(b, binary.LittleEndian, v) // into memory, of fixed sizes
		}
	}
	write(&data, [3]uint32{}, own, uint32(1), uint32(n), uint32(n), uint32(addresses), uint32(names), uint32(ordinals), to, from, order, text.Bytes())
	size := data.Len() // addresses within it are forwards
	raw := (size + headers - 1) / headers * headers
	data.Write(make([]byte, raw-size))

	var b bytes.Buffer
	b.WriteString("MZ")
	b.Write(make([]byte, 0x3c-b.Len()))
	write(&b, uint32(0x40))
	b.WriteString("PE\x00\x00")
	write(&b, uint16(0x8664), uint16(1), [3]uint32{}, uint16(0xf0), uint16(0x2022)) // amd64, one section, a DLL
	write(&b, uint16(0x20b), [2]byte{}, uint32(0), uint32(raw), [3]uint32{},        // PE32+, data, no code and no entry
		uint64(0x180000000), uint32(align), uint32(headers), uint16(6), uint16(0), [2]uint16{}, uint16(6), uint16(0), uint32(0),
		uint32(section+align), uint32(headers), uint32(0), uint16(3), uint16(0x100), [4]uint64{1 << 20, 4096, 1 << 20, 4096}, uint32(0), uint32(16))
	write(&b, uint32(section), uint32(size), [15]uint64{}) // the exports; none of the other tables
	write(&b, [8]byte{'.', 'e', 'd', 'a', 't', 'a'}, uint32(size), uint32(section), uint32(raw), uint32(headers), [3]uint32{}, uint32(0x40000040))
	b.Write(make([]byte, headers-b.Len()))
	b.Write(data.Bytes())
	return b.Bytes()
}
