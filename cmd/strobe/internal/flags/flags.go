// SPDX-License-Identifier: BSD-3-Clause

// Package flags provides the types of flags that several verbs share. The error for a bad value says what to give instead.
package flags

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// A Duration is a length of time, 0 for no limit.
type Duration time.Duration

// UnmarshalText reads a duration such as "1m30s".
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := time.ParseDuration(string(text))
	if err != nil || v < 0 {
		return fmt.Errorf("%q is not a duration; give one such as 10s or 1m30s, or 0 for no limit", text)
	}
	*d = Duration(v)
	return nil
}

// A Level is the probability that an interval covers the true value, or that a gate does not decide wrongly.
type Level float64

// UnmarshalText reads "0.95" or "95%".
func (l *Level) UnmarshalText(text []byte) error {
	v, err := parsePercent(string(text))
	if err != nil || !(v >= 1e-9 && v <= 1-1e-9) { // NaN is neither
		return fmt.Errorf("%q is not a confidence level; give a probability above 0 and below 1, such as 0.95 or 95%%", text)
	}
	*l = Level(v)
	return nil
}

// ForGate returns an error if the level is not above a half, since a tossed coin is right half of the time.
func (l Level) ForGate() error {
	if l > 0.5 {
		return nil
	}
	return fmt.Errorf("--level=%g%%: a gate needs a level above 50%%, such as 95%%", 100*float64(l))
}

// A Share is a relative difference, such as 0.05.
type Share float64

// UnmarshalText reads "0.05" or "5%". A share of 1 and more needs the percent sign.
func (s *Share) UnmarshalText(text []byte) error {
	v, err := parsePercent(string(text))
	isPercent := strings.HasSuffix(string(text), "%")
	if err != nil || !(v >= 0 && (v < 1 || isPercent && v < 100)) { // NaN is neither
		return fmt.Errorf("%q is not a percentage; give one such as 5%% or 0.05", text)
	}
	*s = Share(v)
	return nil
}

func parsePercent(text string) (float64, error) {
	number, isPercent := strings.CutSuffix(text, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if isPercent {
		v /= 100
	}
	return v, err
}
