// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe_test

import (
	"fmt"
	"strings"
	"time"

	"github.com/strobe-go/strobe"
)

// This writes the report as a call tree. Most programs write it to standard error.
func ExampleStartReporter_tree() {
	frame, draw := strobe.NewZone("example frame"), strobe.NewZone("example draw")
	lane := strobe.NewLane("main")
	var out strings.Builder
	report := strobe.StartReporter(&out, time.Minute, strobe.ReportOptions{Tree: true})
	f := lane.Enter(frame)
	lane.Enter(draw).Exit()
	f.Exit()
	if err := report.Stop(); err != nil { // writes what is left
		fmt.Println(err)
	}
	for line := range strings.Lines(out.String()) {
		if _, zone, ok := strings.Cut(line, "example"); ok {
			fmt.Println(strings.Fields(zone)[0])
		}
	}
	// Output:
	// frame
	// draw
}
