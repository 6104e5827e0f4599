// SPDX-License-Identifier: BSD-3-Clause

package pressure

// Memory is what the kernel tells of the memory of the control groups of this process.
type Memory struct {
	Killed int64   // processes of the innermost group that it has killed for want of memory
	Limits []Limit // of the groups that have one, the innermost first
}

// A Limit is how much memory a control group may have.
type Limit struct {
	Group   string // its folder
	Bytes   int64
	Reached int64 // how often it left the kernel without memory
}

// Since reports whether processes of the group were killed for want of memory after an earlier reading, and which limit was reached
// meanwhile; zero if none was, so that the machine itself had no memory left.
func (m Memory) Since(earlier Memory) (killed bool, limit Limit) {
	if m.Killed <= earlier.Killed {
		return false, Limit{}
	}
	for _, now := range m.Limits {
		for _, then := range earlier.Limits {
			if now.Group == then.Group && now.Reached > then.Reached {
				return true, now
			}
		}
	}
	return true, Limit{}
}
