// SPDX-License-Identifier: BSD-3-Clause

//go:build !unix

package top

import (
	"os"

	"github.com/gdamore/tcell/v2"
)

// continued returns a nil channel: programs are not suspended on this system.
func continued() (signals chan os.Signal, end func()) { return nil, func() {} }

func suspend(tcell.Screen, chan os.Signal) error { return nil }
