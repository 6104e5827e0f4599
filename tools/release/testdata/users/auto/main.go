// SPDX-License-Identifier: BSD-3-Clause

package main

import _ "github.com/strobe-go/strobe/live/auto"

func main() {}
