package simulation

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"sync"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// network joins the front to the brokers by pipes: with sockets the clock of synctest would stop.
type network struct {
	mu        sync.Mutex
	listeners map[string]*listener
}

type listener struct {
	addr   *net.TCPAddr
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

// listen is kfake's ListenFn: each broker gets an address of its own.
func (n *network) listen(string, string) (net.Listener, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	l := &listener{addr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 19092 + len(n.listeners)},
		conns: make(chan net.Conn), closed: make(chan struct{})}
	if n.listeners == nil {
		n.listeners = map[string]*listener{}
	}
	n.listeners[l.addr.String()] = l
	return l, nil
}

func (l *listener) Addr() net.Addr { return l.addr }
func (l *listener) Close() error   { l.once.Do(func() { close(l.closed) }); return nil }

func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// dial connects to a broker itself, past the front.
func (n *network) dial(_ context.Context, _, address string) (net.Conn, error) {
	n.mu.Lock()
	l := n.listeners[address]
	n.mu.Unlock()
	if l == nil {
		return nil, fmt.Errorf("no broker at %s", address)
	}
	ours, theirs := net.Pipe()
	select {
	case l.conns <- end{theirs, l.addr}:
		return end{ours, l.addr}, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// end is one end of a pipe, with the address of the broker.
type end struct {
	net.Conn
	addr net.Addr
}

func (e end) RemoteAddr() net.Addr { return e.addr }
func (e end) LocalAddr() net.Addr  { return e.addr }

// readFrame reads one request or response, its length included.
func readFrame(r io.Reader) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err
	}
	frame := make([]byte, 4+binary.BigEndian.Uint32(size[:]))
	copy(frame, size[:])
	_, err := io.ReadFull(r, frame[4:])
	return frame, err
}

// request is a frame on its way to a broker.
type request struct {
	frame   []byte
	address string
	key     kmsg.Key
	version int16
	id      int32 // of correlation
	body    kmsg.Request
	from    *process
	late    bool // the process no longer waits for its response

	left     uint16 // which batches of a produce request are left out
	leftCode int16  // the code for them
}

// parse reads a request; what it holds aliases the frame.
func parse(frame []byte, address string) (*request, error) {
	q := &request{frame: frame, address: address, key: kmsg.Key(binary.BigEndian.Uint16(frame[4:])),
		version: int16(binary.BigEndian.Uint16(frame[6:])), id: int32(binary.BigEndian.Uint32(frame[8:]))}
	q.body = kmsg.RequestForKey(int16(q.key))
	q.body.SetVersion(q.version)
	at := 14 + max(0, int(int16(binary.BigEndian.Uint16(frame[12:]))))
	if q.body.IsFlexible() {
		at++ // no tags: neither kmsg nor kafka-go sends any
	}
	if err := q.body.ReadFrom(frame[at:]); err != nil {
		return nil, fmt.Errorf("a %s request that cannot be read: %w", q.key.Name(), err)
	}
	return q, nil
}

// response makes the frame of an response.
func (q *request) response(res kmsg.Response) []byte {
	res.SetVersion(q.version)
	b := binary.BigEndian.AppendUint32(make([]byte, 4), uint32(q.id))
	if res.IsFlexible() && q.key != kmsg.ApiVersions {
		b = append(b, 0)
	}
	b = res.AppendTo(b)
	binary.BigEndian.PutUint32(b, uint32(len(b)-4))
	return b
}

// readResponse reads the response in a frame; what it holds aliases the frame.
func (q *request) readResponse(frame []byte) (kmsg.Response, error) {
	res := q.body.ResponseKind()
	at := 8
	if res.IsFlexible() && q.key != kmsg.ApiVersions {
		at++
	}
	return res, res.ReadFrom(frame[at:])
}

// ask sends a request to a broker past the front and reads its response.
func ask[R kmsg.Response](n *network, address string, req kmsg.Request) (R, error) {
	var none R
	c, err := n.dial(context.Background(), "tcp", address)
	if err != nil {
		return none, err
	}
	defer c.Close()
	q := &request{key: kmsg.Key(req.Key()), version: req.GetVersion(), body: req}
	if _, err := c.Write(kmsg.NewRequestFormatter().AppendRequest(nil, req, 0)); err != nil {
		return none, err
	}
	frame, err := readFrame(c)
	if err != nil {
		return none, err
	}
	res, err := q.readResponse(frame)
	if err != nil {
		return none, err
	}
	return res.(R), nil
}
