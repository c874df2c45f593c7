package proxytest

import (
	"encoding/binary"
	"net"
	"time"
)

// line carries messages to one end of a connection. With a delay each arrives so much later, in order; they do not wait
// for one another, as on a long way.
type line struct {
	to    net.Conn
	delay time.Duration
	sent  chan parcel   // nil without a delay
	done  chan struct{} // closed when nothing more arrives
}

type parcel struct {
	due   time.Time
	bytes net.Buffers
}

// onTheWay is how many messages a line holds at most.
const onTheWay = 1024

func newLine(to net.Conn, delay time.Duration) *line {
	l := &line{to: to, delay: delay}
	if delay > 0 {
		l.sent, l.done = make(chan parcel, onTheWay), make(chan struct{})
		go l.carry()
	}
	return l
}

// send sends body, or its first n bytes, behind the length of all of it. The caller does not use it again.
func (l *line) send(body []byte, n int) error {
	bytes := net.Buffers{binary.BigEndian.AppendUint32(nil, uint32(len(body))), body[:n]}
	if l.delay == 0 {
		_, err := bytes.WriteTo(l.to)
		return err
	}
	select {
	case l.sent <- parcel{time.Now().Add(l.delay), bytes}:
		return nil
	case <-l.done:
		return net.ErrClosed
	}
}

func (l *line) carry() {
	defer close(l.done)
	for p := range l.sent {
		time.Sleep(time.Until(p.due))
		if _, err := p.bytes.WriteTo(l.to); err != nil {
			return
		}
	}
}

// end waits until everything has arrived.
func (l *line) end() {
	if l.delay > 0 {
		close(l.sent)
		<-l.done
	}
}
