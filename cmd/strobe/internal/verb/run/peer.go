// SPDX-License-Identifier: BSD-3-Clause

package run

import (
	"crypto/rand"
	"encoding/json"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"github.com/strobe-go/strobe/internal/tether"
)

// A peer receives what the program measures.
type peer struct {
	on    net.Listener
	offer tether.Offer
	hello chan tether.Hello // one, when the program has connected
	done  chan struct{}     // closed when its connection has ended

	slow *slowLog

	mu     sync.Mutex
	conn   net.Conn
	latest tether.Reading
	at     time.Time     // when the latest one came; zero if there is none
	fresh  chan struct{} // closed by the next reading
}

// listen begins to wait for the program. http is where it is to serve the live page, and captures the folder for slow units, which slow is
// told of; both may be empty.
func listen(http, captures string, slow *slowLog) (*peer, error) {
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &peer{on: on, slow: slow, hello: make(chan tether.Hello, 1), done: make(chan struct{}), fresh: make(chan struct{})}
	p.offer = tether.Offer{Parent: os.Getpid(), Address: on.Addr().String(), Token: rand.Text(), HTTP: http, Capture: captures}
	go p.accept()
	return p, nil
}

// variable returns the variable for the environment of the program.
func (p *peer) variable() string {
	text, _ := json.Marshal(p.offer) // cannot fail: it has only texts and a number
	return tether.Variable + "=" + string(text)
}

// accept serves the first connection that has the token.
func (p *peer) accept() {
	for {
		conn, err := p.on.Accept()
		if err != nil {
			return
		}
		go p.greet(conn)
	}
}

const (
	helloTime  = 5 * time.Second
	helloBytes = 64 << 10
)

func (p *peer) greet(conn net.Conn) {
	defer conn.Close()
	conn.SetReadDeadline(time.Now().Add(helloTime))
	first := json.NewDecoder(io.LimitReader(conn, helloBytes))
	var hello tether.Hello
	if first.Decode(&hello) != nil || hello.Token != p.offer.Token {
		return
	}
	p.mu.Lock()
	taken := p.conn != nil
	if !taken {
		p.conn = conn
	}
	p.mu.Unlock()
	if taken {
		return
	}
	conn.SetReadDeadline(time.Time{})
	defer close(p.done)
	p.hello <- hello
	messages := json.NewDecoder(io.MultiReader(first.Buffered(), conn))
	for {
		var r tether.Reading
		if messages.Decode(&r) != nil {
			return
		}
		p.take(r)
		p.slow.add(r)
		if r.Last {
			conn.Write([]byte{tether.Received})
		}
	}
}

func (p *peer) take(r tether.Reading) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.latest, p.at = r, time.Now()
	close(p.fresh)
	p.fresh = make(chan struct{})
}

// ask asks for a reading, and waits for it no longer than d.
func (p *peer) ask(d time.Duration) {
	p.mu.Lock()
	conn, fresh := p.conn, p.fresh
	p.mu.Unlock()
	if conn == nil {
		return
	}
	conn.SetWriteDeadline(time.Now().Add(d))
	conn.Write([]byte{tether.Now})
	select {
	case <-fresh:
	case <-p.done:
	case <-time.After(d):
	}
}

// end returns the latest reading when the program has ended, and when it came. ok is false if there is none.
func (p *peer) end() (r tether.Reading, at time.Time, ok bool) {
	p.on.Close()
	p.mu.Lock()
	conn := p.conn
	p.mu.Unlock()
	if conn != nil {
		select {
		case <-p.done:
		case <-time.After(drain):
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.latest, p.at, !p.at.IsZero()
}

// drain is how long to read what a program that has ended sent before.
const drain = 2 * time.Second
