// SPDX-License-Identifier: BSD-3-Clause

//go:build !purego

package clock

import "testing"

type registers struct{ eax, ebx, ecx, edx uint32 }

// simulated returns a processor with the given CPUID leaves; all others are zero.
func simulated(leaves map[uint32]registers) processor {
	return func(leaf, _ uint32) (eax, ebx, ecx, edx uint32) {
		r := leaves[leaf]
		return r.eax, r.ebx, r.ecx, r.edx
	}
}

func TestOnlyAnInvariantCounterIsSteady(t *testing.T) {
	for _, c := range []struct {
		top, edx uint32
		steady   bool
	}{{0x80000007, 1 << 8, true}, {0x80000008, 1<<8 | 1<<3, true}, {0x80000006, 1 << 8, false}, {0x80000008, ^uint32(1 << 8), false}} {
		ok, reason := simulated(map[uint32]registers{0x80000000: {eax: c.top}, 0x80000007: {edx: c.edx}}).invariant()
		if ok != c.steady || ok != (reason == "") {
			t.Errorf("%+v: %v, %q", c, ok, reason)
		}
	}
}

func TestOnlyAProcessorThatSaysItHasANumberIsAsked(t *testing.T) {
	for _, c := range []struct {
		top, edx uint32
		numbered bool
	}{{0x80000001, 1 << 27, true}, {0x80000008, 1<<27 | 1<<3, true}, {0x80000000, 1 << 27, false}, {0x80000008, ^uint32(1 << 27), false}} {
		if got := simulated(map[uint32]registers{0x80000000: {eax: c.top}, 0x80000001: {edx: c.edx}}).numbered(); got != c.numbered {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestRateOfTheCounterIsThatOfTheCrystalTimesARatio(t *testing.T) {
	for _, c := range []struct {
		top  uint32
		leaf registers
		hz   float64
	}{
		{0x16, registers{2, 216, 24e6, 0}, 2592e6}, {0x15, registers{2, 216, 24e6, 0}, 2592e6}, {0x14, registers{2, 216, 24e6, 0}, 0},
		{0x16, registers{0, 216, 24e6, 0}, 0}, {0x16, registers{2, 216, 0, 0}, 0}, {0x16, registers{}, 0},
	} {
		if hz := simulated(map[uint32]registers{0: {eax: c.top}, 0x15: c.leaf}).tscHz(); hz != c.hz {
			t.Errorf("%+v: %v Hz", c, hz)
		}
	}
}

func TestHypervisorsSayWhetherTheCounterIsStable(t *testing.T) {
	kvm, hyperv := registers{0x40000001, 0x4b4d564b, 0x564b4d56, 0x4d}, registers{0x40000003, 0x7263694d, 0x666f736f, 0x76482074}
	old := hyperv
	old.eax = 0x40000002
	for name, c := range map[string]struct {
		leaves map[uint32]registers
		stable bool
	}{
		"KVM":                   {map[uint32]registers{1: {ecx: 1 << 31}, 0x40000000: kvm, 0x40000001: {eax: 1 << 24}}, true},
		"KVM, unstable":         {map[uint32]registers{1: {ecx: 1 << 31}, 0x40000000: kvm, 0x40000001: {eax: ^uint32(1 << 24)}}, false},
		"Hyper-V":               {map[uint32]registers{1: {ecx: 1 << 31}, 0x40000000: hyperv, 0x40000003: {eax: 1 << 15}}, true},
		"Hyper-V, unstable":     {map[uint32]registers{1: {ecx: 1 << 31}, 0x40000000: hyperv, 0x40000003: {eax: ^uint32(1 << 15)}}, false},
		"Hyper-V, few leaves":   {map[uint32]registers{1: {ecx: 1 << 31}, 0x40000000: old, 0x40000003: {eax: 1 << 15}}, false},
		"no hypervisor":         {map[uint32]registers{1: {ecx: ^uint32(1 << 31)}, 0x40000000: kvm, 0x40000001: {eax: 1 << 24}}, false},
		"an unknown hypervisor": {map[uint32]registers{1: {ecx: 1 << 31}, 0x40000000: {ebx: 1}, 0x40000001: {eax: 1 << 24}, 0x40000003: {eax: 1 << 15}}, false},
	} {
		if stable := simulated(c.leaves).hypervisorStable(); stable != c.stable {
			t.Errorf("%s: %v", name, stable)
		}
	}
}
