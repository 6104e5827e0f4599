// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"net"
	"strings"
	"testing"

	"github.com/strobe-go/strobe/live"
)

func TestAPortThatIsInUseIsReplacedByAnother(t *testing.T) {
	if used, err := net.Listen("tcp", live.DefaultAddr); err == nil { // otherwise another program uses it
		defer used.Close()
	}
	server := live.New(live.Options{})
	defer server.Close()
	if err := listen(server, ""); err != nil || !strings.HasPrefix(server.URL(), "http://127.0.0.1:") {
		t.Errorf("%q, %v", server.URL(), err)
	}
	other := live.New(live.Options{})
	defer other.Close()
	if err := listen(other, strings.TrimSuffix(strings.TrimPrefix(server.URL(), "http://"), "/")); err == nil {
		t.Error("an address that was asked for is replaced")
	}
}
