// SPDX-License-Identifier: BSD-3-Clause

package attach

import (
	"encoding/json"
	"net"
	"time"

	"github.com/strobe-go/strobe/internal/tether"
)

// A link is a connection to strobe run.
type link struct {
	conn     net.Conn
	received chan struct{} // closed when the last reading was received, or never will be
}

func dial(addr string) (*link, error) {
	conn, err := net.DialTimeout("tcp", addr, time.Second)
	if err != nil {
		return nil, err
	}
	return &link{conn, make(chan struct{})}, nil
}

// send sends a message.
func (l *link) send(message any) error {
	text, err := json.Marshal(message)
	if err != nil {
		return err
	}
	l.conn.SetWriteDeadline(time.Now().Add(patience))
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
