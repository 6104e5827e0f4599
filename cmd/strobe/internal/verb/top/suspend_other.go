// SPDX-License-Identifier: BSD-3-Clause

//go:build !unix

package top

import (
	"os"

	"github.com/gdamore/tcell/v2"
)

// continued returns a channel of nothing: programs are not stopped here.
func continued() (signals chan os.Signal, end func()) { return nil, func() {} }

func suspend(tcell.Screen, chan os.Signal) error { return nil }
