// SPDX-License-Identifier: BSD-3-Clause

package attach

import (
	"encoding/json"
	"io"
	"net"
	"sync/atomic"
	"time"

	"github.com/strobe-go/strobe/internal/tether"
)

// opened is whether somebody has opened the page.
var opened atomic.Bool

// A link is a connection to strobe run.
type link struct {
	conn     net.Conn
	page     io.Closer     // nil if there is none
	received chan struct{} // closed when the last reading was received, or never will be
}

func dial(addr string) (*link, error) {
	conn, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return nil, err
	}
	return &link{conn: conn, received: make(chan struct{})}, nil
}

// send sends a message. It has no deadline, which would be a timer that hides from the runtime that the program is asleep.
func (l *link) send(message any) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	_, err = l.conn.Write(append(text, '\n'))
	return err
}

// put sends a reading. After the last one it waits until it was received: the end of the process could destroy what is on its way.
func (l *link) put(r tether.Reading) error {
	if err := l.send(r); err != nil || !r.Last {
		return err
	}
	<-l.received
	return nil
}

func (l *link) close() {
	l.conn.Close()
	if l.page != nil {
		l.page.Close()
	}
}

// listen passes on that a reading is wanted, until the connection ends.
func (l *link) listen(wanted chan<- struct{}) {
	defer close(l.received)
	for {
		var b [1]byte
		if _, err := l.conn.Read(b[:]); err != nil || b[0] == tether.Received {
			return
		}
		select {
		case wanted <- struct{}{}:
		default:
		}
	}
}
