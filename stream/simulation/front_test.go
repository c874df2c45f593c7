package simulation

import (
	"context"
	"errors"
	"net"
	"os"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// dial is the process's way to the brokers: through the front.
func (p *process) dial(_ context.Context, _, address string) (net.Conn, error) {
	if p.dead.Load() {
		return nil, errDead
	}
	if p.w.isDown() {
		return nil, errors.New("connection refused")
	}
	ours, theirs := net.Pipe()
	addr, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.conns == nil {
		p.conns = map[net.Conn]struct{}{}
	}
	p.conns[theirs] = struct{}{}
	p.w.background(func() {
		p.serve(theirs, address)
		theirs.Close()
		p.mu.Lock()
		delete(p.conns, theirs)
		p.mu.Unlock()
	})
	return end{ours, addr}, nil
}

// hangUp cuts every connection of the process.
func (p *process) hangUp() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		c.Close()
	}
}

// serve takes request after request off a connection, as long as it holds.
func (p *process) serve(conn net.Conn, address string) {
	backend, err := p.w.net.dial(context.Background(), "tcp", address)
	if err != nil {
		return
	}
	defer backend.Close()
	for {
		frame, err := readFrame(conn)
		if err != nil {
			return
		}
		q, err := parse(frame, address)
		if err != nil {
			p.w.violate("%v: %v", p, err)
			return
		}
		q.from = p
		response := p.handle(q, backend, conn)
		if response == nil {
			return
		}
		if _, err := conn.Write(response); err != nil {
			return
		}
	}
}

// handle takes one request through the network to the broker and back; nil cuts the connection.
func (p *process) handle(q *request, backend, conn net.Conn) []byte {
	f := p.fate(q)
	if !p.step(changes(q.key)) { // it died with this request under way
		if f.late > 0 {
			p.hold(q, f)
		}
		return nil
	}
	if r, ok := q.body.(*kmsg.InitProducerIDRequest); ok && r.ProducerID < 0 {
		p.w.oracle.starting(p)
	}
	if f.what != arrives {
		p.w.spent.Add(1)
		p.w.count("fault: " + f.what)
		p.w.logf("%v %s: %s", p, q.key.Name(), f)
	}
	switch f.what {
	case cutBefore:
		return nil
	case blackHole:
		time.Sleep(time.Minute)
		return nil
	case comesLate:
		p.hold(q, f)
		if f.silent {
			time.Sleep(time.Minute)
		}
		return nil
	case partly, losesResponse:
		q.left, q.leftCode = f.left, f.leftCode
	case refusedWith:
		return q.response(refuse(q, f.code))
	}
	time.Sleep(f.delay)
	p.awake() // a process that is stopped has its requests in the network
	if p.dead.Load() && f.late == 0 {
		return nil
	}
	q.late = hungUp(conn)
	if q.key == kmsg.OffsetCommit {
		p.w.oracle.committed(p, q.body.(*kmsg.OffsetCommitRequest))
	}
	response, err := p.w.exchange(q, backend)
	if err != nil {
		return nil
	}
	return p.back(q, f, response, conn)
}

// hungUp reports whether the other end of a connection was closed: the process has given up what is under way in it.
func hungUp(conn net.Conn) bool {
	_ = conn.SetReadDeadline(time.Unix(1, 0)) // an end is reported even so, and nothing is read
	_, err := conn.Read(make([]byte, 1))
	_ = conn.SetReadDeadline(time.Time{})
	return !errors.Is(err, os.ErrDeadlineExceeded)
}

// back takes the response back to the process.
func (p *process) back(q *request, f fate, response []byte, conn net.Conn) []byte {
	switch f.what {
	case losesResponse:
		return nil
	case cutsResponse:
		_, _ = conn.Write(response[:len(response)/2]) // it is cut anyway
		return nil
	case wrongResponse: // done, and denied
		return q.response(refuse(q, f.code))
	case flipsByte:
		p.flip(q, response)
	}
	return response
}

// exchange is the broker's side of a request.
func (w *world) exchange(q *request, backend net.Conn) ([]byte, error) {
	switch q.key {
	case kmsg.Produce, kmsg.InitProducerID, kmsg.AddPartitionsToTxn, kmsg.EndTxn, kmsg.DescribeTransactions:
	case kmsg.OffsetForLeaderEpoch:
		return w.epochEnds(q, backend)
	default:
		return w.pass(q, backend)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	defer w.happened()
	if q.key == kmsg.Produce {
		return w.produce(q, backend)
	}
	return w.transaction(q), nil
}

// lateRequest is in the network still, when the process that sent it has given it up or has died.
type lateRequest struct {
	q     *request
	after int64 // it arrives when so much has happened at the brokers
	from  *process
}

// hold keeps a request back.
func (p *process) hold(q *request, f fate) {
	if !changes(q.key) {
		return
	}
	q.left, q.leftCode = f.left, f.leftCode
	p.w.mu.Lock()
	defer p.w.mu.Unlock()
	p.w.late = append(p.w.late, lateRequest{q, p.w.events + int64(f.late), p})
}

// happened counts what brokers did, and lets late requests arrive. The caller holds w.mu.
func (w *world) happened() {
	w.events++
	keep := w.late[:0]
	for _, l := range w.late {
		if l.after > w.events && !w.quiet.Load() {
			keep = append(keep, l)
			continue
		}
		w.arrive(l)
	}
	w.late = keep
}

func (w *world) arrive(l lateRequest) {
	w.background(func() {
		backend, err := w.net.dial(context.Background(), "tcp", l.q.address)
		if err != nil {
			return
		}
		defer backend.Close()
		w.count("late requests")
		w.logf("late: %s of %v arrives", l.q.key.Name(), l.from)
		l.q.late = true
		_, _ = w.exchange(l.q, backend) // the process does not wait for the response
	})
}

// changes reports whether a request changes anything at the brokers.
func changes(k kmsg.Key) bool {
	switch k {
	case kmsg.Produce, kmsg.InitProducerID, kmsg.AddPartitionsToTxn, kmsg.EndTxn, kmsg.OffsetCommit:
		return true
	}
	return false
}

// TestHungUp: a request that takes longer than its process waits is late, like one that the network holds back.
func TestHungUp(t *testing.T) {
	ours, theirs := net.Pipe()
	if hungUp(theirs) {
		t.Error("an open connection is taken for a closed one")
	}
	go func() { _, _ = ours.Write([]byte("x")); ours.Close() }()
	if _, err := theirs.Read(make([]byte, 1)); err != nil {
		t.Errorf("nothing can be read any more: %v", err)
	}
	_, _ = theirs.Read(make([]byte, 1)) // the end
	if !hungUp(theirs) {
		t.Error("a closed connection is taken for an open one")
	}
}
