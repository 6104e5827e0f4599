// SPDX-License-Identifier: BSD-3-Clause

package strobe

import (
	"github.com/strobe-go/strobe/internal/budget"
	"github.com/strobe-go/strobe/profile"
)

// This file is part of both builds, with the tag strobe_off and without.

// Snapshot is the state of all measurements at one instant, as plain data. See package profile.
type Snapshot = profile.Snapshot

// Timeline holds the latest spans individually, as plain data. See package profile.
type Timeline = profile.Timeline

// DefaultBudget is the memory that the package may use, in bytes, unless SetBudget changes it.
const DefaultBudget = budget.Default

// DefaultDistributions is the number of lanes up to which each keeps its own distributions, unless SetDistributions changes it.
const DefaultDistributions = 64
