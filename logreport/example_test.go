// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package logreport_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/strobe-go/strobe"
	"github.com/strobe-go/strobe/logreport"
)

// In a program: defer logreport.Start(slog.Default(), time.Second).Stop()
func ExampleStart() {
	zone, lane := strobe.NewZone("store"), strobe.NewLane("main")
	var log bytes.Buffer
	reporter := logreport.Start(slog.New(slog.NewJSONHandler(&log, nil)), time.Minute)
	for range 20 {
		lane.Enter(zone).Exit()
	}
	if err := reporter.Stop(); err != nil { // logs what is left
		fmt.Println(err)
	}
	for records := json.NewDecoder(&log); records.More(); {
		var r struct {
			Msg, Lane, Zone string
			Calls           int
		}
		if err := records.Decode(&r); err != nil {
			fmt.Println(err)
			return
		}
		if r.Msg == "zone" {
			fmt.Println(r.Lane, r.Zone, r.Calls)
		}
	}
	// Output: main store 20
}
