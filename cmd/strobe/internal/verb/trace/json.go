// SPDX-License-Identifier: BSD-3-Clause

package trace

import (
	"cmp"

	"github.com/strobe-go/strobe/cmd/strobe/internal/session"
)

// A traceObject is the JSON of strobe trace.
type traceObject struct {
	Schema      int    `json:"schema"`                // 1
	URL         string `json:"url"`                   // where the program serves package live
	File        string `json:"file"`                  // the file written
	Format      string `json:"format"`                // chrome, perfetto, timeline or pprof
	Span        int64  `json:"span_ns"`               // length of the recording; 0 means everything that the program had kept
	Bytes       int64  `json:"size_bytes"`            // of the file
	Cut         bool   `json:"cut"`                   // the connection broke, and the end is missing
	Interrupted bool   `json:"interrupted,omitempty"` // the recording was ended early
}

func (d *download) object(interrupted bool) traceObject {
	return traceObject{session.Schema, d.mount, d.file, d.format.name, int64(cmp.Or(d.last, d.span)), d.bytes.Load(), d.cut, interrupted}
}
