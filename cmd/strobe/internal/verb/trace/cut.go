// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

// packetBytes is the maximum length of a packet of a trace.
const packetBytes = 64 << 20

// chromeEnd closes Chrome's JSON after a line that ends with a comma, and says that something is missing.
const chromeEnd = `{"ph":"M","name":"process_labels","pid":1,"args":{"labels":"cut off"}}` + "\n]}\n"

// A whole forwards a file up to the last place where it can be cut, and holds back the rest.
type whole struct {
	w      io.Writer
	cut    func(held []byte) (whole int, err error)
	held   []byte
	passed int64
	err    error // why the input is not a file of this format
}

// Write implements io.Writer.
func (h *whole) Write(p []byte) (int, error) {
	if h.cut == nil {
		return len(p), h.pass(p)
	}
	h.held = append(h.held, p...)
	var n int
	if n, h.err = h.cut(h.held); h.err != nil {
		return 0, h.err
	}
	if err := h.pass(h.held[:n]); err != nil {
		return 0, err
	}
	h.held = append(h.held[:0], h.held[n:]...)
	return len(p), nil
}

func (h *whole) pass(p []byte) error {
	_, err := h.w.Write(p)
	h.passed += int64(len(p))
	return err
}

// finish forwards the rest.
func (h *whole) finish() error { return h.pass(h.held) }

// end forwards text in place of the rest.
func (h *whole) end(text string) error { return h.pass([]byte(text)) }

var errLong = errors.New("it sends a record that is too long")

// lines returns the length of the complete lines, except the one that ends the list.
func lines(held []byte) (whole int, err error) {
	if n := bytes.LastIndex(held, []byte(",\n")); n >= 0 {
		return n + 2, nil
	}
	if n := bytes.Index(held, []byte("[\n")); n >= 0 && n < 100 { // the first line
		return n + 2, nil
	}
	if len(held) > packetBytes {
		return 0, errLong
	}
	return 0, nil
}

// packets returns the length of the complete packets: each is field 1 of a message, preceded by its length.
func packets(held []byte) (whole int, err error) {
	for rest := held; len(rest) > 1; rest = held[whole:] {
		size, n := binary.Uvarint(rest[1:])
		switch {
		case rest[0] != 1<<3|2 || n < 0:
			return whole, errors.New("it sends no Perfetto trace")
		case size > packetBytes:
			return whole, errLong
		case n == 0 || uint64(len(rest)) < 1+uint64(n)+size:
			return whole, nil
		}
		whole += 1 + n + int(size)
	}
	return whole, nil
}
