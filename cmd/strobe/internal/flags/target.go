// SPDX-License-Identifier: BSD-3-Clause

package flags

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// Programs that serve package live listen at livePort of the loopback address unless told otherwise, those that find it taken at
// one of the ports after it.
const (
	loopback  = "127.0.0.1"
	livePort  = 6061
	livePorts = 10
)

// A Target is a running program that serves package live. The zero value is whichever listens at the default address or at one of
// the ports after it.
type Target struct {
	text string
	urls []string
}

// UnmarshalText reads a URL, HOST:PORT, :PORT or PORT. Without a scheme a path may follow; without a path the two usual ones are
// tried.
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

// String returns what to call the target in messages.
func (t Target) String() string {
	if t.text != "" {
		return t.text
	}
	return fmt.Sprintf("%s:%d and the next %d ports", loopback, livePort, livePorts-1)
}
