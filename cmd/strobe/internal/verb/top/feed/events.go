// SPDX-License-Identifier: BSD-3-Clause

package feed

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// messageBytes is the maximum length of a message.
const messageBytes = 16 << 20

var errTooLong = errors.New("a message is longer than 16 MiB")

// An event is a server-sent event.
type event struct {
	name, id string
	data     []byte // valid until the next
}

// events reads server-sent events. It never holds more than messageBytes of the stream.
type events struct {
	r    *bufio.Reader
	data []byte
	line []byte
}

func newEvents(r io.Reader) *events { return &events{r: bufio.NewReaderSize(r, 64<<10)} }

// next returns the next event. Comments and fields of other names are skipped.
func (e *events) next() (event, error) {
	var ev event
	e.data = e.data[:0]
	some, size := false, 0
	for {
		line, err := e.readLine()
		if size += len(line); err == nil && size > messageBytes {
			err = errTooLong
		}
		if err != nil {
			return event{}, err
		}
		if len(line) == 0 {
			if some {
				ev.data = bytes.TrimSuffix(e.data, []byte("\n"))
				return ev, nil
			}
			size = 0
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "event":
			ev.name, some = clean(string(value)), true
		case "id":
			ev.id = clean(string(value))
		case "data":
			e.data = append(append(e.data, value...), '\n')
			some = true
		}
	}
}

// readLine returns a line without its end, valid until the next.
func (e *events) readLine() ([]byte, error) {
	e.line = e.line[:0]
	for {
		part, err := e.r.ReadSlice('\n')
		if len(e.line)+len(part) > messageBytes {
			return nil, errTooLong
		}
		e.line = append(e.line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil:
			return nil, err
		default:
			return bytes.TrimSuffix(bytes.TrimSuffix(e.line, []byte("\n")), []byte("\r")), nil
		}
	}
}
