// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"encoding/json"
	"testing"
)

func TestVerdictsAndKindsAreWordsInJSON(t *testing.T) {
	type both struct {
		V Verdict
		K ChangeKind
	}
	for in, want := range map[both]string{{}: `{"V":"too few samples","K":"none"}`, {NoDifference, StepChange}: `{"V":"no difference shown","K":"step"}`,
		{Higher, TrendChange}: `{"V":"higher","K":"trend"}`, {Lower, PeriodChange}: `{"V":"lower","K":"period"}`} {
		text, err := json.Marshal(in)
		var back both
		if err != nil || string(text) != want || json.Unmarshal(text, &back) != nil || back != in {
			t.Errorf("%s, want %s; back as %v (%v)", text, want, back, err)
		}
	}
	if err := new(Verdict).UnmarshalText([]byte("faster")); err == nil {
		t.Error("a word of another type is accepted")
	}
	if Verdict(9).String() == "" || ChangeKind(-1).String() == "" {
		t.Error("a value that is no word has no text")
	}
}
