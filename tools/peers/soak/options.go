// SPDX-License-Identifier: BSD-3-Clause

package soak

import "time"

// Options are those of Run. Every field must be set, except Budget and Bare.
type Options struct {
	For    time.Duration // how long the program runs
	Settle time.Duration // after which its memory, descriptors and goroutines must not grow
	Every  time.Duration // between looks at the program

	Churned int           // goroutines that come and go: how many exist
	Life    time.Duration // of such a goroutine, on average
	Slow    int           // one request in so many is slow
	Parked  int           // goroutines that wait inside spans

	Folder      string // for captures
	FolderBytes int64  // its limit

	Budget int64 // for strobe.SetBudget; 0 is the default

	Bare bool // does the same without strobe
}

// Short is a soak for tests.
func Short(folder string) Options {
	return Options{For: 1500 * time.Millisecond, Settle: 500 * time.Millisecond, Every: 50 * time.Millisecond,
		Churned: 300, Life: 300 * time.Millisecond, Slow: 100, Parked: 150, Folder: folder, FolderBytes: 4 << 20}
}

// Full is a soak of some time.
func Full(d time.Duration, folder string) Options {
	return Options{For: d, Settle: d / 6, Every: min(5*time.Second, d/60),
		Churned: 10_000, Life: 5 * time.Second, Slow: 5000, Parked: 5000, Folder: folder, FolderBytes: 8 << 20}
}
