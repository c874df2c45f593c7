package proxytest

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// link is one connection with what was asked on it and is not answered yet.
type link struct {
	p    *Proxy
	lost atomic.Bool // it swallows

	mu    sync.Mutex
	asked map[int32]question // by correlation id
}

type question struct{ key, version int16 }

const (
	maxFrame      = 256 << 20 // bytes; more is no Kafka message
	requestHeader = 8         // bytes of key, version and correlation id
)

// pump passes messages on in one direction until that fails or a rule ends it.
func (l *link) pump(to, from net.Conn, answers bool) error {
	var size [4]byte
	for {
		if _, err := io.ReadFull(from, size[:]); err != nil {
			return err
		}
		n := binary.BigEndian.Uint32(size[:])
		if n < 4 || n > maxFrame {
			return fmt.Errorf("a message of %d bytes", n)
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(from, body); err != nil {
			return err
		}
		m, err := l.message(body, answers)
		if err != nil {
			return err
		}
		if err := l.pass(to, m); err != nil {
			return err
		}
	}
}

// message says what the bytes are. In answers to Metadata the brokers get the proxy's addresses.
func (l *link) message(body []byte, answer bool) (*Message, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if answer {
		id := int32(binary.BigEndian.Uint32(body))
		q, ok := l.asked[id]
		if !ok {
			return nil, fmt.Errorf("an answer to %d, which was not asked", id)
		}
		delete(l.asked, id)
		m := &Message{Key: q.key, Version: q.version, Answer: true, Body: body}
		if kmsg.Key(q.key) == kmsg.Metadata {
			return m, l.p.readdress(m)
		}
		return m, nil
	}
	if len(body) < requestHeader {
		return nil, fmt.Errorf("a request of %d bytes", len(body))
	}
	q := question{int16(binary.BigEndian.Uint16(body)), int16(binary.BigEndian.Uint16(body[2:]))}
	l.asked[int32(binary.BigEndian.Uint32(body[4:]))] = q
	return &Message{Key: q.key, Version: q.version, Body: body}, nil
}

// pass does what the rule says.
func (l *link) pass(to net.Conn, m *Message) error {
	verdict := Pass
	if r := l.p.rule.Load(); r != nil && *r != nil {
		verdict = (*r)(m)
	}
	frame := append(binary.BigEndian.AppendUint32(nil, uint32(len(m.Body))), m.Body...)
	switch {
	case l.lost.Load():
		return nil
	case verdict == Swallow:
		l.lost.Store(true)
		return nil
	case verdict == Cut:
		return io.ErrClosedPipe
	case verdict == CutHalf:
		_, _ = to.Write(frame[:len(frame)/2])
		return io.ErrClosedPipe
	}
	_, err := to.Write(frame)
	return err
}

// readdress puts the proxy's listeners in the place of the brokers they stand for.
func (p *Proxy) readdress(m *Message) error {
	res := kmsg.NewPtrMetadataResponse()
	res.SetVersion(m.Version)
	head := 4 // the correlation id, and in flexible versions the count of tagged fields, which is 0 (KIP-482)
	if res.IsFlexible() {
		head++
	}
	if err := res.ReadFrom(m.Body[head:]); err != nil {
		return fmt.Errorf("an answer to Metadata: %w", err)
	}
	for i := range res.Brokers {
		b := &res.Brokers[i]
		ours, ok := p.ours[net.JoinHostPort(b.Host, strconv.Itoa(int(b.Port)))]
		if !ok {
			return fmt.Errorf("broker %d at %s:%d has no listener here", b.NodeID, b.Host, b.Port)
		}
		host, port, err := net.SplitHostPort(ours)
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(port)
		if err != nil {
			return err
		}
		b.Host, b.Port = host, int32(n)
	}
	m.Body = res.AppendTo(m.Body[:head:head])
	return nil
}
