package kafka

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// TestSessionOfManyPartitions: requests in a session name the partitions that have changed; records come as they are
// written, each once.
func TestSessionOfManyPartitions(t *testing.T) {
	t.Parallel()
	b := newBed(t, 100)
	var few atomic.Int64
	x := &tap{onWrite: func(_ *tapped, p []byte) error {
		if isRequest(p, kmsg.Fetch) {
			if req := fetchIn(t, p); req.SessionEpoch > 0 && namedBy(req) < 32 {
				few.Add(1)
			}
		}
		return nil
	}}
	liveInSession(t, b, x, 100, func(rounds int) bool { return rounds >= 30 && few.Load() >= 20 })
}

// fetchIn decodes a request of the bed's client.
func fetchIn(t *testing.T, p []byte) *kmsg.FetchRequest {
	t.Helper()
	req := kmsg.NewPtrFetchRequest()
	req.Version = int16(binary.BigEndian.Uint16(p[6:]))
	if err := req.ReadFrom(p[4+8+2+len("test")+1:]); err != nil { // behind a header with an empty list of tags
		t.Error(err)
	}
	return req
}

func namedBy(req *kmsg.FetchRequest) (n int) {
	for _, topic := range req.Topics {
		n += len(topic.Partitions)
	}
	return n
}

// TestSessionSurvivesLostResponses: a lost response is that of one request, and its records come with the next.
func TestSessionSurvivesLostResponses(t *testing.T) {
	t.Parallel()
	b := newBed(t, 100)
	var n atomic.Int64
	x := loseResponses(kmsg.Fetch, 1<<30)
	lose := x.onWrite
	x.onWrite = func(c *tapped, p []byte) error {
		if isRequest(p, kmsg.Fetch) && n.Add(1)%5 == 0 {
			return lose(c, p)
		}
		return nil
	}
	liveInSession(t, b, x, 100, func(rounds int) bool { return rounds >= 3 })
}

// TestSessionForgotten: a broker that does not know a session any more is asked again at once, without a session.
func TestSessionForgotten(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 100)
	var n, forgotten atomic.Int64
	b.fake.ControlKey(int16(kmsg.Fetch), func(kreq kmsg.Request) (kmsg.Response, error, bool) {
		b.fake.KeepControl()
		req := kreq.(*kmsg.FetchRequest)
		if req.SessionEpoch <= 0 || n.Add(1)%4 != 0 {
			return nil, nil, false
		}
		res := req.ResponseKind().(*kmsg.FetchResponse)
		res.ErrorCode = kerr.FetchSessionIDNotFound.Code
		forgotten.Add(1)
		return res, nil, true
	})
	liveInSession(t, b, &tap{}, 100, func(rounds int) bool { return rounds >= 10 && forgotten.Load() >= 3 })
}

// TestPaceOfSessions: while appends take long, a broker gets fewer requests for many partitions.
func TestPaceOfSessions(t *testing.T) {
	t.Parallel()
	b := fakeBed(t, 100)
	var requests sync.Map // by session: *atomic.Int64
	b.fake.ControlKey(int16(kmsg.Fetch), func(kreq kmsg.Request) (kmsg.Response, error, bool) {
		b.fake.KeepControl()
		if req := kreq.(*kmsg.FetchRequest); req.SessionEpoch > 0 {
			n, _ := requests.LoadOrStore(req.SessionID, new(atomic.Int64))
			n.(*atomic.Int64).Add(1)
		}
		return nil, nil, false
	})
	c := b.client(nil)
	for range 30 {
		c.fetcher.Appended(time.Hour)
	}
	const least = 450 * time.Millisecond // nearly half of the longest that an append counts as
	began := time.Now()
	liveWith(t, b, c, 100, func(rounds int) bool { return rounds >= 3 })
	most := int64(time.Since(began)/least) + 1
	requests.Range(func(_, n any) bool {
		if got := n.(*atomic.Int64).Load(); got > most {
			t.Errorf("%d requests in a session, in the time for %d", got, most)
		}
		return true
	})
}

// liveInSession writes to partitions at random until that is enough, and reads each record where it was written.
func liveInSession(t *testing.T, b *bed, x *tap, partitions int32, enough func(rounds int) bool) {
	t.Helper()
	liveWith(t, b, b.client(func(o *Options) { o.Dial = x.dial }), partitions, enough)
}

func liveWith(t *testing.T, b *bed, c *Client, partitions int32, enough func(rounds int) bool) {
	t.Helper()
	if _, err := c.Topology(timeout(t, 10*time.Second)); err != nil {
		t.Fatal(err)
	}
	came := make(chan string, 1000)
	ctx := deadline(t, time.Minute)
	for p := range partitions {
		r := c.Open(topics.Input, p, 0)
		r.(topics.TurnReader).InTurns()
		go func() {
			var run topics.Run
			for ctx.Err() == nil {
				if err := r.Read(ctx, &run, 100); err != nil {
					continue
				}
				for _, record := range run.Records {
					came <- fmt.Sprintf("%d %s", p, record.Value)
				}
			}
		}()
	}
	random := rand.New(rand.NewPCG(1, 2))
	for round := 0; !enough(round); round++ {
		var want, got []string
		for _, p := range random.Perm(int(partitions))[:1+random.IntN(4)] {
			value := fmt.Sprintf("record %d of round %d", p, round)
			b.put(b.name+"-in", int32(p), recordbatch.None, value)
			want = append(want, fmt.Sprintf("%d %s", p, value))
		}
		for len(got) < len(want) {
			select {
			case one := <-came:
				got = append(got, one)
			case <-ctx.Done():
				t.Fatalf("round %d: %q instead of %q", round, got, want)
			}
		}
		slices.Sort(want)
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Fatalf("round %d: %q instead of %q", round, got, want)
		}
	}
}
