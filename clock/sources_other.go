// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux && !darwin && !freebsd && !windows

package clock

func systemSources() []Source { return nil }
