// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"strings"
	"testing"
)

func TestAnswersOfKperfAreReadInTheirOwnNumbers(t *testing.T) {
	const user, root = false, true
	const sudo, claimed, busy, file = "with sudo", "has claimed the counters", "is using the counters", "/usr/share/kpep"
	for _, c := range []struct {
		answer answer
		root   bool
		state  State
		says   string // reason and remedy
	}{
		{answer{"kpep_config_create", 1, 0}, user, Unsupported, "kpep_config_create failed: invalid argument (1)"}, // not EPERM
		{answer{"kpep_config_kpc", 13, 0}, user, Unsupported, "kpep_config_kpc failed: not all counters were claimed (13)"},
		{answer{"kpep_db_create", 7, macEPERM}, user, Unsupported, "no database of this processor's events (7)"},
		{answer{"kpep_config_kpc", 14, 0}, user, Unsupported, "cannot count this event (14)"},
		{answer{"kpep_config_add_event", 12, 0}, user, Unsupported, "open a group with fewer events"},
		{answer{"kpep_db_create", kpepErrno, macEACCES}, user, Unsupported, file}, // of a file: root would not help to count
		{answer{"kpep_db_create", kpepErrno, 2}, user, Unsupported, "failed with errno 2"},
		{answer{"kpep_config_kpc", macEBUSY, macEBUSY}, user, Unsupported, "kpep_config_kpc failed (16)"},
		{answer{"kpep_config_kpc", -1, macEBUSY}, user, Unsupported, "failed (-1)"},
		{answer{"kpc_force_all_ctrs_get", -1, macEPERM}, user, Denied, sudo},
		{answer{"kpc_set_config", -1, macEPERM}, root, Denied, "does not allow one of these events"},
		{answer{"kpc_force_all_ctrs_set", macEACCES, 0}, root, Denied, claimed}, // not a matter of permission
		{answer{"kpc_force_all_ctrs_set", macEACCES, 0}, user, Denied, claimed},
		{answer{"kpc_force_all_ctrs_set", -1, macEBUSY}, root, Denied, busy},
		{answer{"kpc_set_config", macEBUSY, 0}, root, Denied, busy},
		{answer{"kpc_force_all_ctrs_get", -1, macENOTSUP}, root, Unsupported, "not in a virtual one"},
		{answer{"kpc_force_all_ctrs_get", -1, macENOENT}, root, Unsupported, "not in a virtual one"},
		{answer{"kpc_set_config", -1, macEINVAL}, root, Unsupported, "does not accept the configuration"},
		{answer{"kpc_set_counting", 15, macEPERM}, root, Unsupported, "failed with errno 15"},
	} {
		r := c.answer.refusal(c.root)
		if says := r.reason + "; " + r.remedy; r.state != c.state || !strings.Contains(says, c.says) || strings.Contains(says, sudo) != (c.says == sudo) {
			t.Errorf("%+v of root %v: %+v", c.answer, c.root, r)
		}
	}
}

func TestEveryErrorOfKpepHasAMeaningAndMostARemedy(t *testing.T) {
	seen := map[string]bool{}
	for code := int32(1); code < kpepErrno; code++ {
		r := answer{"kpep_db_create", code, 0}.refusal(false)
		if r.reason == "" || seen[r.reason] || strings.Contains(r.reason, "errno") || r.state != Unsupported {
			t.Errorf("code %d: %+v", code, r)
		}
		if none := code == kpepNoEvent || code == kpepNoCounter; (r.remedy == "") != none { // nothing helps if the processor lacks an event
			t.Errorf("code %d: %+v", code, r)
		}
		seen[r.reason] = true
	}
}
