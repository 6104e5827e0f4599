// SPDX-License-Identifier: BSD-3-Clause

// Package guard keeps web sites in a browser away from a server that is meant for the person at the machine.
package guard

import (
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Closed is the part of the content security policy that all answers share.
const Closed = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Secure sets the headers of every answer.
func Secure(h http.Header) {
	h.Set("Content-Security-Policy", "default-src 'none'; "+Closed)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// Refusal returns why a request is refused and the status of the answer; "" if it is not. A web site in a browser must be
// able neither to read from this program, even through its own host name that resolves to this machine, nor to send it
// commands. hosts are names for which requests are allowed, in addition to localhost and addresses.
func Refusal(r *http.Request, hosts []string) (status int, why string) {
	if !known(r.Host, hosts) {
		return http.StatusMisdirectedRequest, "this host name is not allowed: use localhost or a literal IP address, or name it in live.Handler or Options.Hosts"
	}
	for _, name := range []string{"Origin", "Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-Dest", "Content-Type"} {
		if len(r.Header.Values(name)) > 1 {
			return http.StatusBadRequest, "the header " + name + " is repeated"
		}
	}
	if o := r.Header.Get("Origin"); o != "" {
		if u, err := url.Parse(o); err != nil || !strings.EqualFold(u.Host, r.Host) && !listed(u.Hostname(), hosts) {
			return http.StatusForbidden, "requests from other origins are refused"
		}
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
	default:
		if r.Method != http.MethodGet || r.Header.Get("Sec-Fetch-Mode") != "navigate" || r.Header.Get("Sec-Fetch-Dest") != "document" || r.URL.Path != "/" {
			return http.StatusForbidden, "requests from other sites are refused"
		}
	}
	if r.Method == http.MethodPost {
		if t, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "application/json" {
			return http.StatusUnsupportedMediaType, "a command needs the header Content-Type: application/json"
		}
	}
	return 0, ""
}

// known reports whether a request for that host may be meant for this program: anybody can make a name resolve to this
// machine, but not an address.
func known(hostport string, hosts []string) bool {
	host := hostport
	if h, _, err := net.SplitHostPort(hostport); err == nil {
		host = h
	}
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	if host == "localhost" || listed(host, hosts) {
		return true
	}
	_, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"))
	return err == nil
}

// listed reports whether the program has named a host.
func listed(host string, hosts []string) bool {
	return host != "" && slices.ContainsFunc(hosts, func(h string) bool { return strings.EqualFold(h, host) })
}
