// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux

package planted

func ofSystem() []Fault { return nil }
