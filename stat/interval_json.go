// SPDX-License-Identifier: BSD-3-Clause

package stat

import (
	"encoding/json"
	"math"
)

// intervalJSON is the JSON of an Interval: what is not known is absent.
type intervalJSON struct {
	Center   *float64 `json:"center,omitempty"`
	Lo       *float64 `json:"lo,omitempty"`
	Hi       *float64 `json:"hi,omitempty"`
	Level    float64  `json:"level,omitempty"`
	Method   string   `json:"method"`
	N        uint64   `json:"n"`
	NEff     float64  `json:"n_eff,omitempty"`
	Reason   string   `json:"reason,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// MarshalJSON writes an object without keys for what is not known. Where one is absent, the key reason is there.
func (iv Interval) MarshalJSON() ([]byte, error) {
	j := intervalJSON{Level: iv.Level, Method: iv.Method, N: iv.N, NEff: iv.NEff, Reason: iv.Reason, Warnings: iv.Warnings}
	if iv.Known() {
		j.Center = &iv.Center
	}
	if iv.Level > 0 && !math.IsInf(iv.Lo, -1) {
		j.Lo = &iv.Lo
	}
	if iv.Level > 0 && !math.IsInf(iv.Hi, 1) {
		j.Hi = &iv.Hi
	}
	if j.Reason == "" && !iv.Bounded() {
		j.Reason = "not known"
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads what MarshalJSON writes. Bounds that are absent, or null, become infinite.
func (iv *Interval) UnmarshalJSON(data []byte) error {
	var j intervalJSON
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*iv = Unknown(j.Reason)
	iv.Level, iv.Method, iv.N, iv.NEff, iv.Warnings = j.Level, j.Method, j.N, j.NEff, j.Warnings
	for _, x := range []struct {
		to   *float64
		from *float64
	}{{&iv.Center, j.Center}, {&iv.Lo, j.Lo}, {&iv.Hi, j.Hi}} {
		if x.from != nil {
			*x.to = *x.from
		}
	}
	return nil
}
