// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego && (amd64 || arm64)

package pace

//go:noescape
func pause()

//go:noescape
func warm()
