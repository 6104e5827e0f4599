// SPDX-License-Identifier: BSD-3-Clause

package flags

import (
	"slices"
	"strings"
	"testing"
)

func TestALevelIsTakenAsItIsOrRefused(t *testing.T) {
	for text, want := range map[string]Level{"0.95": 0.95, "95%": 0.95, "30 %": 0.3, "0.5": 0.5, "1e-9": 1e-9} {
		var l Level
		if err := l.UnmarshalText([]byte(text)); err != nil || l != want {
			t.Errorf("%q: %v, %v", text, l, err)
		}
	}
	for _, text := range []string{"0", "0%", "1e-20", "1", "100%", "95", "-0.5", "NaN", "", "%"} {
		var l Level
		if err := l.UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), "such as 0.95 or 95%") || l != 0 {
			t.Errorf("%q: %v, %v", text, l, err)
		}
	}
}

func TestAGateNeedsALevelAboveAHalf(t *testing.T) {
	for l, ok := range map[Level]bool{0.3: false, 0.5: false, 0.500001: true, 0.99: true} {
		if err := l.ForGate(); (err == nil) != ok || err != nil && !strings.Contains(err.Error(), "needs a level above 50%") {
			t.Errorf("%v: %v", l, err)
		}
	}
}

func TestTargetsAreWrittenInManyForms(t *testing.T) {
	for text, want := range map[string]string{
		"http://127.0.0.1:6061/":        "http://127.0.0.1:6061/",
		"http://127.0.0.1:6061":         "http://127.0.0.1:6061/",
		"https://host/debug/strobe":     "https://host/debug/strobe/",
		"http://[::1]:7000/x/?a=b#c":    "http://[::1]:7000/x/",
		"localhost:8080":                "http://localhost:8080/ http://localhost:8080/strobe/",
		"localhost":                     "http://localhost:6061/ http://localhost:6061/strobe/",
		"[::1]:8080":                    "http://[::1]:8080/ http://[::1]:8080/strobe/",
		":8080":                         "http://127.0.0.1:8080/ http://127.0.0.1:8080/strobe/",
		"8080":                          "http://127.0.0.1:8080/ http://127.0.0.1:8080/strobe/",
		"server:8080/debug":             "http://server:8080/debug/",
		"HTTP://Server:8080/debug//":    "http://Server:8080/debug/",
		"http://user@server:80/strobe/": "http://user@server:80/strobe/",
	} {
		var target Target
		if err := target.UnmarshalText([]byte(text)); err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got := strings.Join(target.URLs(), " "); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestInvalidTargetsAreRefused(t *testing.T) {
	for _, text := range []string{"", ":", ":0", ":65536", ":x", "host:", "host:x", "ftp://host/", "http://", "http:///x", "a b", "host:70000", "://x", "\n"} {
		var target Target
		if err := target.UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), "HOST:PORT") {
			t.Errorf("%q: %v, %v", text, err, target.urls)
		}
	}
}

func TestTheDefaultTargetIsThePortAndThoseAfterIt(t *testing.T) {
	urls := Target{}.URLs()
	if len(urls) != 10 || urls[0] != "http://127.0.0.1:6061/" || !slices.Contains(urls, "http://127.0.0.1:6070/") {
		t.Error(urls)
	}
}
