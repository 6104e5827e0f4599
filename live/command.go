// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/internal/plain"
)

// longestCommand is the maximum length of a command in bytes.
const longestCommand = 4 << 10

// longestError is the number of characters of what is said about an error.
const longestError = 300

// A command is what a viewer asks the program to do: one of these.
type command struct {
	Zone    *int   `json:"zone"` // with Every
	Every   *int   `json:"every"`
	Enabled *bool  `json:"enabled"`
	Record  *int64 `json:"record_bytes"`
	Reset   *bool  `json:"reset"`
	Lane    *int   `json:"lane"`
}

// parseCommand returns the command in a text. The error is one line that says what is wrong.
func parseCommand(text []byte) (c command, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&c); err != nil {
		return command{}, fmt.Errorf("not a command: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return command{}, errors.New("not a command: there is text after it")
	}
	n := 0
	for _, given := range []bool{c.Zone != nil || c.Every != nil, c.Enabled != nil, c.Record != nil, c.Reset != nil, c.Lane != nil} {
		if given {
			n++
		}
	}
	switch {
	case n != 1:
		return command{}, errors.New("not a command: give exactly one of zone with every, enabled, record_bytes, reset, lane")
	case (c.Zone == nil) != (c.Every == nil):
		return command{}, errors.New("give zone and every together")
	case c.Every != nil && (*c.Every < -1 || *c.Every > 1<<30):
		return command{}, errors.New("every must be 1 (time each call), n up to 1<<30 (time one call in n) or -1 (time none)")
	case c.Record != nil && (*c.Record < 0 || *c.Record > 1<<40):
		return command{}, errors.New("record_bytes must be a number of bytes, or 0 to end recording")
	case c.Reset != nil && !*c.Reset:
		return command{}, errors.New("reset must be true or absent")
	case c.Lane != nil && (*c.Lane < 0 || *c.Lane > 1<<30):
		return command{}, errors.New("lane must be the ID of a lane, as in snapshot.json")
	}
	return c, nil
}

// command executes a viewer's command.
func (s *Server) command(w http.ResponseWriter, r *http.Request) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, longestCommand))
	if err != nil {
		status := http.StatusBadRequest
		if tooLong := new(http.MaxBytesError); errors.As(err, &tooLong) {
			status = http.StatusRequestEntityTooLarge
		}
		http.Error(w, fmt.Sprintf("the command could not be read; at most %d bytes are allowed", longestCommand), status)
		return
	}
	c, err := parseCommand(text)
	if err == nil {
		err = s.do(c)
	}
	if err != nil {
		http.Error(w, line(err.Error()), http.StatusBadRequest)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func (s *Server) do(c command) error {
	switch {
	case c.Zone != nil:
		zones := strobe.Zones()
		if *c.Zone < 0 || *c.Zone >= len(zones) {
			return fmt.Errorf("no zone %d: there are %d, numbered from 0", *c.Zone, len(zones))
		}
		zones[*c.Zone].SetSampling(*c.Every)
	case c.Enabled != nil:
		strobe.SetEnabled(*c.Enabled)
	case c.Record != nil:
		s.collector.record(*c.Record)
	case c.Reset != nil:
		s.collector.forget()
	case c.Lane != nil:
		s.collector.tellApart(*c.Lane)
	}
	s.collector.soon()
	return nil
}

// line returns what is said about an error, which may quote the request: one line without characters that a terminal obeys.
func line(text string) string { return plain.Name(text, longestError) }
