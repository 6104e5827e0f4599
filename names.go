// SPDX-License-Identifier: BSD-3-Clause

package strobe

import "github.com/strobe-go/strobe/profile"

// Snapshot is the state of all measurements at one instant, as plain data. See package profile.
type Snapshot = profile.Snapshot

// Timeline holds the latest spans individually, as plain data. See package profile.
type Timeline = profile.Timeline
