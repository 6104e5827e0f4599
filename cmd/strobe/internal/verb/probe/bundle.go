// SPDX-License-Identifier: BSD-3-Clause

package probe

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/strobe-go/strobe/cmd/strobe/internal/host"
	"github.com/strobe-go/strobe/cmd/strobe/internal/layout"
	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// A bundle is the content of the file that --bundle writes.
type bundle struct {
	Schema  int         `json:"schema"`
	About   string      `json:"about"`
	Date    string      `json:"date"`    // by UTC
	Text    []string    `json:"text"`    // the survey as it is printed, in lines
	System  []host.Fact `json:"system"`  // what explains it
	Program []host.Fact `json:"program"` // how strobe was built
	Probe   probeObject `json:"probe"`   // as strobe probe --json prints it
	LeftOut int         `json:"left_out,omitempty"`
}

const (
	aboutBundle = "What strobe probe --bundle found on this machine. docs/bundle.md says what it is for."
	columns     = 100  // of the text
	mostEvents  = 1000 // counters in a bundle
)

func (v *survey) bundle(interrupted bool, now time.Time) *bundle {
	b := &bundle{Schema: session.Schema, About: aboutBundle, Date: now.UTC().Format(time.DateOnly), System: host.Facts("/"), Program: host.Program(), Probe: v.object(interrupted)}
	if n := len(b.Probe.Counters) - mostEvents; n > 0 {
		b.LeftOut, b.Probe.Counters = n, b.Probe.Counters[:mostEvents]
	}
	short := *v
	short.counters = v.counters[:min(len(v.counters), mostEvents)]
	p := &layout.Printer{Width: columns}
	short.print(p)
	b.Text = strings.Split(strings.TrimSpace(p.String()), "\n")
	return b
}

// keep writes the bundle, without what is private, to a file, and says so.
func (b *bundle) keep(s *session.Session, name string, own private) error {
	var text bytes.Buffer
	if err := session.WriteJSON(&text, b); err != nil {
		return fmt.Errorf("the bundle cannot be written: %w", err)
	}
	public := own.hide(text.Bytes())
	err := session.WritePrivate(name, func(w io.Writer) error { _, err := w.Write(public); return err })
	if err != nil || s.JSON {
		return err
	}
	p := s.Printer()
	p.Printf("\n")
	p.Wrap("", fmt.Sprintf("%s: %s. Look through it before you send it.", name, layout.Bytes(int64(len(public)))))
	return s.Print(p)
}
