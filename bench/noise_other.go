// SPDX-License-Identifier: BSD-3-Clause

//go:build !linux

package bench

func switchesOS() switches { return switches{} }
