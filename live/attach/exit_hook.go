// SPDX-License-Identifier: BSD-3-Clause

//go:build strobe_run

package attach

import _ "unsafe" // for go:linkname

const byCommand = true // strobe run or strobe build made the program

// A hook has the fields of exithook.Hook.
type hook struct {
	f         func()
	onFailure bool
}

// The linker allows this reference only with -checklinkname=0, which strobe run and strobe build give it together with the tag.
//
//go:linkname addHook internal/runtime/exithook.Add
func addHook(hook)

// atExit calls f when main returns and in os.Exit. It reports whether it can.
func atExit(f func()) bool {
	addHook(hook{f, true})
	return true
}
