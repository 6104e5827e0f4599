// SPDX-License-Identifier: BSD-3-Clause

package open

import (
	"encoding/binary"
	"errors"
	"iter"
)

// A field is one of a message of protobuf.
type field struct {
	number uint64
	value  uint64 // of a number, whatever its encoding
	bytes  []byte // of a text or a message; nil for a number
}

var errWire = errors.New("a field is not as protobuf has it")

// fields goes through the fields of a message, and ends with an error if the rest is none. Source of the encoding: protobuf.dev,
// programming-guides/encoding.
func fields(message []byte) iter.Seq2[field, error] {
	return func(yield func(field, error) bool) {
		for len(message) > 0 {
			f, rest := nextField(message)
			if rest == nil {
				yield(field{}, errWire)
				return
			}
			if !yield(f, nil) {
				return
			}
			message = rest
		}
	}
}

// nextField returns the first field, and what follows it; nil if it is none.
func nextField(message []byte) (f field, rest []byte) {
	tag, size := uvarint(message)
	if f.number = tag >> 3; size == 0 || f.number == 0 {
		return f, nil
	}
	message = message[size:]
	switch tag & 7 {
	case 0:
		if f.value, size = uvarint(message); size == 0 {
			return f, nil
		}
		return f, message[size:]
	case 1:
		if len(message) < 8 {
			return f, nil
		}
		f.value = binary.LittleEndian.Uint64(message)
		return f, message[8:]
	case 2:
		n, size := uvarint(message)
		if size == 0 || n > uint64(len(message)-size) {
			return f, nil
		}
		f.bytes = message[size : size+int(n) : size+int(n)]
		return f, message[size+int(n):]
	case 5:
		if len(message) < 4 {
			return f, nil
		}
		f.value = uint64(binary.LittleEndian.Uint32(message))
		return f, message[4:]
	}
	return f, nil
}
