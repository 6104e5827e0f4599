// SPDX-License-Identifier: BSD-3-Clause

package program

import (
	"context"
	"os/exec"
	"strings"
)

// The tag and the flag of the linker that tell package live/attach when the program ends, and the tag that leaves its page out.
const (
	endTag    = "strobe_run"
	endFlag   = "-checklinkname=0"
	noPageTag = "strobe_nopage"
)

// noDebug leaves out what only debuggers need, as go run does: linking takes less time.
const noDebug = "-w"

// withTags returns flags for the go command that add tags to those it is given, and endFlag. Where a flag is given several times, the go
// command uses only the last one. A flag of the command line also replaces that in GOFLAGS. linker is the flags for the linker if neither
// has any.
func withTags(flags []string, goflags string, add []string, linker string) []string {
	tags := ""
	rest := make([]string, 0, len(flags)+2)
	for _, f := range strings.Fields(goflags) {
		if v, ok := valueOf(f, "tags"); ok {
			tags = v
		} else if v, ok := valueOf(f, "ldflags"); ok {
			linker = v
		}
	}
	for _, f := range flags {
		if v, ok := valueOf(f, "tags"); ok {
			tags = v
		} else if v, ok := valueOf(f, "ldflags"); ok {
			linker = v
		} else {
			rest = append(rest, f)
		}
	}
	tags = strings.Join(append(strings.FieldsFunc(tags, func(r rune) bool { return r == ',' || r == ' ' }), add...), ",")
	return append(rest, "-tags="+tags, "-ldflags="+strings.TrimSpace(linker+" "+endFlag))
}

// valueOf returns the value of a flag, if it has that name.
func valueOf(flag, name string) (value string, ok bool) {
	flag = strings.TrimPrefix(strings.TrimPrefix(flag, "-"), "-")
	given, value, ok := strings.Cut(flag, "=")
	return value, ok && given == name
}

// goflagsOf returns what GOFLAGS is for the go command in a folder; "" if it does not say.
func goflagsOf(ctx context.Context, dir string) string {
	cmd := exec.CommandContext(ctx, "go", "env", "GOFLAGS")
	cmd.Dir = dir
	text, _ := cmd.Output()
	return strings.TrimSpace(string(text))
}
