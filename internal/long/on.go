// SPDX-License-Identifier: BSD-3-Clause

//go:build long

package long

// Enabled reports whether the tag is set.
const Enabled = true
