// SPDX-License-Identifier: BSD-3-Clause

package live

import (
	"net"
	"net/http"
	"testing"
)

// A closing connection knows whether it was closed.
type closing struct {
	net.Conn
	closed bool
}

func (c *closing) Close() error { c.closed = true; return nil }

func TestTheConnectionThatWasQuietLongestMakesRoom(t *testing.T) {
	c := connections{most: 3}
	all := make([]*closing, 9)
	for i := range all {
		all[i] = new(closing)
	}
	closed := func(want ...int) {
		t.Helper()
		for i, k := range all {
			is := false
			for _, w := range want {
				is = is || i == w
			}
			if k.closed != is {
				t.Errorf("connection %d: closed %v, want %v", i, k.closed, is)
			}
		}
		if len(c.open) > c.most {
			t.Errorf("%d connections", len(c.open))
		}
	}
	for i := range 3 {
		c.changed(all[i], http.StateNew)
	}
	c.changed(all[0], http.StateActive)
	closed()
	c.changed(all[3], http.StateNew)
	closed(1)
	c.changed(all[1], http.StateClosed)
	c.changed(all[1], http.StateActive) // whoever serves it may not have noticed
	c.changed(all[0], http.StateIdle)   // later than 2 and 3
	c.changed(all[4], http.StateNew)
	closed(1, 2)
	for _, i := range []int{0, 3, 4} {
		c.changed(all[i], http.StateActive)
	}
	c.changed(all[5], http.StateNew) // no other can be closed
	closed(1, 2, 5)
	c.changed(all[5], http.StateClosed)
	c.changed(all[3], http.StateClosed)
	c.changed(all[4], http.StateHijacked)
	c.changed(all[6], http.StateNew)
	c.changed(all[7], http.StateNew)
	closed(1, 2, 5)
	c.changed(all[8], http.StateNew)
	closed(1, 2, 5, 6)
}

func TestConnectionsAreAQuarterOfTheDescriptors(t *testing.T) {
	for descriptors, want := range map[int]int{0: 4, 5: 4, 64: 16, 256: 64, 1024: 128, 1 << 20: 128} {
		if got := affordable(descriptors); got != want {
			t.Errorf("%d of %d descriptors, want %d", got, descriptors, want)
		}
	}
	if n := descriptors(); n < 16 {
		t.Errorf("this process may have %d files open", n)
	}
}
