// SPDX-License-Identifier: BSD-3-Clause

//go:build !strobe_off

package strobe

import "sync/atomic"

var misuse struct {
	twice     atomic.Uint64
	elsewhere atomic.Uint64
	early     atomic.Uint64
}
