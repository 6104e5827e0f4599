// SPDX-License-Identifier: BSD-3-Clause

package perf

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestAnswersOfKperfAreReadInTheirOwnNumbers(t *testing.T) {
	const root, busy = "only root", "another program"
	for _, c := range []struct {
		answer answer
		state  State
		reason string
	}{
		{answer{"kpep_config_create", 1, 0}, Unsupported, "kpep_config_create failed: invalid argument (1)"}, // not EPERM
		{answer{"kpep_config_kpc", 13, 0}, Unsupported, "kpep_config_kpc failed: not all counters were claimed (13)"},
		{answer{"kpep_db_create", 7, macEPERM}, Unsupported, "no database of this processor (7)"},
		{answer{"kpep_config_kpc", 14, 0}, Unsupported, "the event is not available (14)"},
		{answer{"kpep_db_create", kpepErrno, macEACCES}, Denied, root},
		{answer{"kpep_db_create", kpepErrno, 2}, Unsupported, "failed with errno 2"},
		{answer{"kpep_config_kpc", macEBUSY, macEBUSY}, Unsupported, "kpep_config_kpc failed (16)"},
		{answer{"kpep_config_kpc", -1, macEBUSY}, Unsupported, "failed (-1)"},
		{answer{"kpc_force_all_ctrs_get", -1, macEPERM}, Denied, root},
		{answer{"kpc_force_all_ctrs_set", macEACCES, 0}, Denied, root},
		{answer{"kpc_force_all_ctrs_set", -1, macEBUSY}, Denied, busy},
		{answer{"kpc_set_config", macEBUSY, 0}, Denied, busy},
		{answer{"kpc_set_config", -1, 22}, Unsupported, "kpc_set_config failed with errno 22"},
		{answer{"kpc_set_counting", 15, macEPERM}, Unsupported, "failed with errno 15"},
	} {
		if r := c.answer.refusal(); r.state != c.state || !strings.Contains(r.reason, c.reason) || (r.state == Denied) != (r.remedy != "") {
			t.Errorf("%+v: %+v", c.answer, r)
		}
	}
}

// A step that fails has obtained nothing, so undoing it might affect another program.
func TestOnlyWhatWasDoneIsTakenBack(t *testing.T) {
	for fails := range 5 {
		var log []string
		var steps []step
		for i := range 4 {
			undo := func() { log = append(log, fmt.Sprint("undo ", i)) }
			if i == 1 {
				undo = nil
			}
			steps = append(steps, step{fmt.Sprint("kpc_", i), func() (int32, int32) {
				log = append(log, fmt.Sprint("do ", i))
				if i == fails {
					return -1, 5
				}
				return 0, 5 // an errno left by an earlier call
			}, undo})
		}
		undo, failed := inOrder(steps)
		if fails < 4 {
			if undo != nil || failed != (answer{fmt.Sprint("kpc_", fails), -1, 5}) {
				t.Errorf("step %d: %+v", fails, failed)
			}
		} else if failed.code != 0 || undo == nil {
			t.Errorf("%+v", failed)
		} else {
			undo()
		}
		want := [][]string{{"do 0"}, {"do 0", "do 1", "undo 0"}, {"do 0", "do 1", "do 2", "undo 0"},
			{"do 0", "do 1", "do 2", "do 3", "undo 2", "undo 0"}, {"do 0", "do 1", "do 2", "do 3", "undo 3", "undo 2", "undo 0"}}[fails]
		if !slices.Equal(log, want) {
			t.Errorf("step %d fails: %q, want %q", fails, log, want)
		}
	}
}
