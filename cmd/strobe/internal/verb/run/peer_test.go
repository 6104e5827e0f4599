// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"encoding/json"
	"net"
	"testing"
	"time"

	"github.com/strobe-go/strobe/internal/tether"
)

// Others on this machine may find the port, but they do not have the token.
func TestOnlyTheProgramThatWasStartedReports(t *testing.T) {
	p, err := listen("", "", new(slowLog))
	if err != nil {
		t.Fatal(err)
	}
	if host, _, err := net.SplitHostPort(p.offer.Address); err != nil || host != "127.0.0.1" {
		t.Errorf("it listens on %s, %v", p.offer.Address, err)
	}
	dial := func(token string) (net.Conn, *json.Encoder) {
		c, err := net.Dial("tcp", p.offer.Address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		to := json.NewEncoder(c)
		to.Encode(tether.Hello{Token: token, PID: 1})
		return c, to
	}
	refused := func(c net.Conn) {
		t.Helper()
		c.SetReadDeadline(time.Now().Add(time.Minute))
		if n, err := c.Read(make([]byte, 1)); n != 0 || err == nil {
			t.Errorf("it reads %d bytes, %v", n, err)
		} else if e, ok := err.(net.Error); ok && e.Timeout() {
			t.Error("its connection stays open")
		}
	}
	for _, token := range []string{"", "a guess", p.offer.Token + "x", p.offer.Token[1:]} {
		c, to := dial(token)
		to.Encode(tether.Reading{Last: true})
		refused(c)
	}
	_, program := dial(p.offer.Token)
	if h := <-p.hello; h.PID != 1 {
		t.Errorf("the program is %+v", h)
	}
	second, to := dial(p.offer.Token) // a child that inherited the environment
	to.Encode(tether.Reading{Last: true})
	refused(second)
	if _, _, ok := p.now(); ok {
		t.Error("a reading of another process was taken")
	}
	program.Encode(tether.Reading{Processor: time.Second, Last: true})
	p.mu.Lock()
	fresh := p.fresh
	taken := !p.at.IsZero()
	p.mu.Unlock()
	if !taken {
		<-fresh
	}
	if r, _, ok := p.now(); !ok || r.Processor != time.Second {
		t.Errorf("the program's reading is %+v, %v", r, ok)
	}
}

// now returns the latest reading, while the program goes on.
func (p *peer) now() (tether.Reading, time.Time, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.latest, p.at, !p.at.IsZero()
}
