// SPDX-License-Identifier: BSD-3-Clause

package clock

// machine is the real hardware.
type machine struct{}

func (machine) start()           { startReference() }
func (machine) counter() uint64  { return fenceCounter() }
func (machine) reference() int64 { return reference() }

func (machine) trusted() (ok bool, reason string) {
	for _, ask := range [...]func() (bool, string){referenceTells, steadyCounter, kernelTrusts} {
		if ok, reason = ask(); !ok {
			return false, reason
		}
	}
	return true, ""
}
