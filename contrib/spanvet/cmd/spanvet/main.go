// SPDX-License-Identifier: BSD-3-Clause

// Command spanvet finds spans and laps of strobe that are never ended. See package spanvet.
//
//	spanvet ./...
//	go vet -vettool=$(which spanvet) ./...
package main

import (
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/strobe-go/strobe/contrib/spanvet"
)

func main() { singlechecker.Main(spanvet.Analyzer) }
