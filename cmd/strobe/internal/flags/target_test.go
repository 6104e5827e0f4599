// SPDX-License-Identifier: BSD-3-Clause

package flags

import (
	"slices"
	"strings"
	"testing"
)

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

func TestWhatIsNoTargetIsRefused(t *testing.T) {
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
