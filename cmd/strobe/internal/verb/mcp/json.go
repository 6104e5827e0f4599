// SPDX-License-Identifier: BSD-3-Clause

package mcp

import "github.com/strobe-go/strobe/cmd/strobe/internal/session"

// An mcpObject is the JSON of strobe mcp: the tools that it offers.
type mcpObject struct {
	Schema int          `json:"schema"` // version of this format
	Tools  []toolObject `json:"tools"`  // in the order of strobe --help
}

type toolObject struct {
	Name        string `json:"name"`        // of the tool, and of the verb that it runs
	Description string `json:"description"` // as clients get it
	ReadOnly    bool   `json:"read_only"`   // whether it changes nothing, and runs nothing but strobe
}

func object() mcpObject {
	o := mcpObject{Schema: session.Schema}
	for _, t := range tools() {
		o.Tools = append(o.Tools, toolObject{t.name, t.about, t.reads})
	}
	return o
}
