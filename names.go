// SPDX-License-Identifier: BSD-3-Clause

package strobe

import "github.com/strobe-go/strobe/profile"

// Snapshot is what had been measured at one instant, as plain data. See package profile.
type Snapshot = profile.Snapshot

// Timeline is the latest spans one by one, as plain data. See package profile.
type Timeline = profile.Timeline
