package proxytest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/twmb/franz-go/pkg/kmsg"
)

type link struct {
	p      *Proxy
	broker int
	lost   atomic.Bool // it swallows

	mu      sync.Mutex
	pending map[int32]request // by correlation id
}

type request struct{ key, version int16 }

const (
	maxFrame      = 256 << 20 // bytes
	requestHeader = 8         // bytes of key, version and correlation id
)

// pump forwards messages until one of the connections ends.
func (l *link) pump(to *line, from net.Conn, responses bool) error {
	defer to.end()
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
		m, err := l.message(body, responses)
		if err != nil {
			return err
		}
		if err := l.forward(to, m); err != nil {
			return err
		}
	}
}

// message parses a message, and replaces the brokers' addresses in a response that has some.
func (l *link) message(body []byte, response bool) (*Message, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if response {
		id := int32(binary.BigEndian.Uint32(body))
		r, ok := l.pending[id]
		if !ok {
			return nil, fmt.Errorf("a response to %d, which is not pending", id)
		}
		delete(l.pending, id)
		m := &Message{r.key, r.version, true, l.broker, body}
		switch kmsg.Key(r.key) {
		case kmsg.Metadata:
			return m, l.p.replaceBrokers(m)
		case kmsg.FindCoordinator:
			return m, l.p.replaceCoordinators(m)
		}
		return m, nil
	}
	if len(body) < requestHeader {
		return nil, fmt.Errorf("a request of %d bytes", len(body))
	}
	r := request{int16(binary.BigEndian.Uint16(body)), int16(binary.BigEndian.Uint16(body[2:]))}
	l.pending[int32(binary.BigEndian.Uint32(body[4:]))] = r
	return &Message{r.key, r.version, false, l.broker, body}, nil
}

func (l *link) forward(to *line, m *Message) error {
	verdict := Pass
	if r := l.p.rule.Load(); r != nil && *r != nil {
		verdict = (*r)(m)
	}
	switch {
	case l.lost.Load():
		return nil
	case verdict == Swallow:
		l.lost.Store(true)
		return nil
	case verdict == Cut:
		return io.ErrClosedPipe
	case verdict == CutHalf:
		_ = to.send(m.Body, len(m.Body)/2)
		return io.ErrClosedPipe
	}
	return to.send(m.Body, len(m.Body))
}

func (p *Proxy) replaceBrokers(m *Message) error {
	res := kmsg.NewPtrMetadataResponse()
	return replace(m, res, func() (err error) {
		for i := range res.Brokers {
			b := &res.Brokers[i]
			err = errors.Join(err, p.replaceAddress(&b.Host, &b.Port))
		}
		return err
	})
}

func (p *Proxy) replaceCoordinators(m *Message) error {
	res := kmsg.NewPtrFindCoordinatorResponse()
	return replace(m, res, func() (err error) {
		if m.Version < 4 && res.ErrorCode == 0 {
			err = p.replaceAddress(&res.Host, &res.Port)
		}
		for i := range res.Coordinators {
			if c := &res.Coordinators[i]; c.ErrorCode == 0 {
				err = errors.Join(err, p.replaceAddress(&c.Host, &c.Port))
			}
		}
		return err
	})
}

// replace changes a response.
func replace(m *Message, res kmsg.Response, change func() error) error {
	res.SetVersion(m.Version)
	head := 4 // the correlation id, and in flexible versions the count of tagged fields, which is 0 (KIP-482)
	if res.IsFlexible() {
		head++
	}
	if err := res.ReadFrom(m.Body[head:]); err != nil {
		return fmt.Errorf("a response with addresses: %w", err)
	}
	if err := change(); err != nil {
		return err
	}
	m.Body = res.AppendTo(m.Body[:head:head])
	return nil
}

// replaceAddress replaces a broker's address by that of its listener.
func (p *Proxy) replaceAddress(host *string, port *int32) error {
	ours, ok := p.ours[net.JoinHostPort(*host, strconv.Itoa(int(*port)))]
	if !ok {
		return fmt.Errorf("broker at %s:%d has no listener", *host, *port)
	}
	h, n, err := net.SplitHostPort(ours)
	if err != nil {
		return err
	}
	number, err := strconv.ParseInt(n, 10, 32)
	*host, *port = h, int32(number)
	return err
}
