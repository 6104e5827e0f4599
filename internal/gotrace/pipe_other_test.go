// SPDX-License-Identifier: BSD-3-Clause

//go:build !unix

package gotrace

func blockingPipe() (waits, ends func()) { return nil, nil }
