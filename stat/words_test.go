// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"encoding/json"
	"testing"
)

func TestFindingsAndKindsAreWordsInJSON(t *testing.T) {
	type both struct {
		F Finding
		K ChangeKind
	}
	for in, want := range map[both]string{{}: `{"F":"too few samples","K":"none"}`, {NoDifference, StepChange}: `{"F":"no difference shown","K":"step"}`,
		{Higher, TrendChange}: `{"F":"higher","K":"trend"}`, {Lower, PeriodChange}: `{"F":"lower","K":"period"}`} {
		text, err := json.Marshal(in)
		var back both
		if err != nil || string(text) != want || json.Unmarshal(text, &back) != nil || back != in {
			t.Errorf("%s, want %s; back as %v (%v)", text, want, back, err)
		}
	}
	if err := new(Finding).UnmarshalText([]byte("faster")); err == nil {
		t.Error("a word of another type is accepted")
	}
	if Finding(9).String() == "" || ChangeKind(-1).String() == "" {
		t.Error("a value that is no word has no text")
	}
}
