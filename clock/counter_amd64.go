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
func cpuid(leaf, sub uint32) (eax, ebx, ecx, edx uint32)

// steadyCounter reports whether the processor itself vouches for its counter: one rate in all power states,
// CPUID 8000_0007h, EDX bit 8 (AMD64 manual volume 3; Intel SDM volume 3, 18.17.1).
func steadyCounter() (ok bool, reason string) {
	if top, _, _, _ := cpuid(0x80000000, 0); top < 0x80000007 {
		return false, "the processor does not say whether its time stamp counter is invariant"
	}
	if _, _, _, edx := cpuid(0x80000007, 0); edx&(1<<8) == 0 {
		return false, "the time stamp counter is not invariant (CPUID 80000007h, EDX bit 8)"
	}
	return true, ""
}

// claimedHz returns what the processor says of its counter's rate, 0 if it says nothing (CPUID 15h; empty on AMD).
func claimedHz() float64 {
	if top, _, _, _ := cpuid(0, 0); top < 0x15 {
		return 0
	}
	den, num, crystal, _ := cpuid(0x15, 0)
	if den == 0 || num == 0 || crystal == 0 {
		return 0
	}
	return float64(crystal) * float64(num) / float64(den)
}

// hypervisorStable reports whether the hypervisor behind a paravirtual clock guarantees a stable counter: KVM leaf
// 4000_0001h EAX bit 24, Hyper-V leaf 4000_0003h EAX bit 15.
func hypervisorStable() bool {
	if _, _, ecx, _ := cpuid(1, 0); ecx&(1<<31) == 0 {
		return false
	}
	top, b, c, d := cpuid(0x40000000, 0)
	name := string([]byte{
		byte(b), byte(b >> 8), byte(b >> 16), byte(b >> 24),
		byte(c), byte(c >> 8), byte(c >> 16), byte(c >> 24),
		byte(d), byte(d >> 8), byte(d >> 16), byte(d >> 24)})
	switch name {
	case "KVMKVMKVM\x00\x00\x00":
		eax, _, _, _ := cpuid(0x40000001, 0)
		return eax&(1<<24) != 0
	case "Microsoft Hv":
		if top < 0x40000003 {
			return false
		}
		eax, _, _, _ := cpuid(0x40000003, 0)
		return eax&(1<<15) != 0
	}
	return false
}
