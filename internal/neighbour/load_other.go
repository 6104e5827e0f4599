// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux

package neighbour

import "github.com/strobe-go/strobe/stat"

// A load is what the machine's processors have done so far, which only Linux tells in a way that fits.
type load struct{}

func readLoad() load { return load{} }

func (load) since(load) stat.Interval {
	return stat.Unknown("this system does not tell how busy its processors are")
}

func virtual() bool { return false }
