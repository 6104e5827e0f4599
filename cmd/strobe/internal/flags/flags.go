// SPDX-License-Identifier: BSD-3-Clause

// Package flags provides the types of flags that several verbs share. The error for a bad value says what to give instead.
package flags

import (
	"fmt"
	"net/url"
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

// A Level is the probability that an interval covers the true value, or that a gate decides correctly.
type Level float64

// UnmarshalText reads "0.95" or "95%".
func (l *Level) UnmarshalText(text []byte) error {
	v, err := parsePercent(string(text))
	if err != nil || !(v >= 1e-9 && v <= 1-1e-9) { // rejects NaN too
		return fmt.Errorf("%q is not a confidence level; give a probability above 0 and below 1, such as 0.95 or 95%%", text)
	}
	*l = Level(v)
	return nil
}

// ForGate returns an error if the level is not above 0.5, which tossing a coin achieves.
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
	if err != nil || !(v >= 0 && (v < 1 || isPercent && v < 100)) { // rejects NaN too
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

// By default, programs that serve package live listen at livePort of the loopback address or, if that is taken, at one of the
// following ports.
const (
	loopback  = "127.0.0.1"
	livePort  = 6061
	livePorts = 10
)

// A Target is a running program that serves package live. The zero value means any program at the default address or one of the
// following ports.
type Target struct {
	text string
	urls []string
}

// UnmarshalText reads a URL, HOST:PORT, :PORT or PORT. A path may follow even without a scheme; without a path the two usual ones
// are tried.
func (t *Target) UnmarshalText(text []byte) error {
	given := string(text)
	bad := fmt.Errorf("%q is not the address of a program; give a URL, HOST:PORT or :PORT", given)
	full := given
	hasScheme := strings.Contains(given, "://")
	if !hasScheme {
		if _, err := strconv.ParseUint(given, 10, 16); err == nil {
			full = ":" + given
		}
		if strings.HasPrefix(full, ":") {
			full = loopback + full
		}
		full = "http://" + full
	}
	u, err := url.Parse(full)
	if err != nil || u.Hostname() == "" || u.Opaque != "" || strings.HasSuffix(u.Host, ":") || u.Scheme != "http" && u.Scheme != "https" {
		return bad
	}
	if port := u.Port(); port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return bad
		}
	} else if !hasScheme {
		u.Host += ":" + strconv.Itoa(livePort)
	}
	u.RawQuery, u.Fragment = "", ""
	bare := strings.Trim(u.Path, "/") == ""
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/")+"/", ""
	t.text, t.urls = given, []string{u.String()}
	if bare && !hasScheme {
		t.urls = append(t.urls, u.JoinPath("strobe/").String())
	}
	return nil
}

// URLs returns the mount points to try, in order. Each ends in a slash.
func (t Target) URLs() []string {
	if t.urls != nil {
		return t.urls
	}
	var all []string
	for port := range livePorts {
		all = append(all, fmt.Sprintf("http://%s:%d/", loopback, livePort+port))
	}
	return all
}

// String returns the name of the target in messages.
func (t Target) String() string {
	if t.text != "" {
		return t.text
	}
	return fmt.Sprintf("%s:%d and the next %d ports", loopback, livePort, livePorts-1)
}
