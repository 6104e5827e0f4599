// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

package clock

const counterName = "tsc"

// Implemented in counter_amd64.s.

//go:noescape
func readCounter() uint64

//go:noescape
func fenceCounter() uint64

//go:noescape
func auxiliary() uint32

//go:noescape
func cpuid(leaf, sub uint32) (eax, ebx, ecx, edx uint32)

func steadyCounter() (ok bool, reason string) { return processor(cpuid).invariant() }
func claimedHz() float64                      { return processor(cpuid).tscHz() }
func hypervisorStable() bool                  { return processor(cpuid).hypervisorStable() }

// numbered is set at the start: CPUID may take long in a virtual machine.
var numbered bool

func startCounter() { numbered = processor(cpuid).numbered() }

// onWhich returns the number of the processor that runs the caller, from 1; 0 if it does not say. Where the system numbers all of
// them 0, they look like one.
func onWhich() int {
	if !numbered {
		return 0
	}
	return int(auxiliary()) + 1
}

// A processor answers the instruction CPUID.
type processor func(leaf, sub uint32) (eax, ebx, ecx, edx uint32)

// invariant reports whether the processor guarantees one rate of the counter in all power states: CPUID 8000_0007h, EDX
// bit 8 (AMD64 manual volume 3; Intel SDM volume 3, 18.17.1).
func (p processor) invariant() (ok bool, reason string) {
	if top, _, _, _ := p(0x80000000, 0); top < 0x80000007 {
		return false, "the processor does not say whether its time stamp counter is invariant"
	}
	if _, _, _, edx := p(0x80000007, 0); edx&(1<<8) == 0 {
		return false, "the time stamp counter is not invariant (CPUID 80000007h, EDX bit 8)"
	}
	return true, ""
}

// numbered reports whether the processor has the instruction RDTSCP: CPUID 8000_0001h, EDX bit 27.
func (p processor) numbered() bool {
	if top, _, _, _ := p(0x80000000, 0); top < 0x80000001 {
		return false
	}
	_, _, _, edx := p(0x80000001, 0)
	return edx&(1<<27) != 0
}

// tscHz returns the rate of the counter according to the processor, 0 if it does not say (CPUID 15h; empty on AMD).
func (p processor) tscHz() float64 {
	if top, _, _, _ := p(0, 0); top < 0x15 {
		return 0
	}
	den, num, crystal, _ := p(0x15, 0)
	if den == 0 { // the others are factors
		return 0
	}
	return float64(crystal) * float64(num) / float64(den)
}

// hypervisorStable reports whether the hypervisor of a paravirtual clock guarantees a stable counter: KVM leaf 4000_0001h
// EAX bit 24, Hyper-V leaf 4000_0003h EAX bit 15.
func (p processor) hypervisorStable() bool {
	if _, _, ecx, _ := p(1, 0); ecx&(1<<31) == 0 {
		return false
	}
	top, b, c, d := p(0x40000000, 0)
	var name [12]byte
	for i := range name {
		name[i] = byte([...]uint32{b, c, d}[i/4] >> (8 * (i % 4)))
	}
	switch string(name[:]) {
	case "KVMKVMKVM\x00\x00\x00":
		eax, _, _, _ := p(0x40000001, 0)
		return eax&(1<<24) != 0
	case "Microsoft Hv":
		if top < 0x40000003 {
			return false
		}
		eax, _, _, _ := p(0x40000003, 0)
		return eax&(1<<15) != 0
	}
	return false
}
