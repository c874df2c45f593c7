package kafka

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
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

// sessionBroker answers fetches of one topic as KIP-227 says, and has room for one session.
type sessionBroker struct {
	highs []int64
	id    int32
	epoch int32
	known map[int32]*sessionEntry
}

type sessionEntry struct {
	at   int64
	most int32
	high int64 // as of the last response
}

func (b *sessionBroker) fetch(t *testing.T, req *kmsg.FetchRequest, room bool) *kmsg.FetchResponse {
	t.Helper()
	res := req.ResponseKind().(*kmsg.FetchResponse)
	res.Version, res.Topics = 13, []kmsg.FetchResponseTopic{{TopicID: [16]byte{1}}}
	switch {
	case req.SessionEpoch == 0:
		if b.known != nil && b.epoch > 1 && req.SessionID != b.id {
			t.Fatalf("session %d is left behind, %d begins", b.id, req.SessionID)
		}
		b.id, b.epoch, b.known = b.id+1, 1, map[int32]*sessionEntry{}
	case req.SessionID != b.id || b.known == nil:
		res.ErrorCode = kerr.FetchSessionIDNotFound.Code
		return res
	case req.SessionEpoch != b.epoch:
		res.ErrorCode = kerr.InvalidFetchSessionEpoch.Code
		return res
	default:
		b.epoch++
	}
	for _, topic := range req.Topics {
		for _, p := range topic.Partitions {
			if b.known[p.Partition] == nil {
				b.known[p.Partition] = &sessionEntry{high: -1}
			}
			b.known[p.Partition].at, b.known[p.Partition].most = p.FetchOffset, p.PartitionMaxBytes
		}
	}
	for _, topic := range req.ForgottenTopics {
		for _, p := range topic.Partitions {
			delete(b.known, p)
		}
	}
	for _, p := range slices.Sorted(maps.Keys(b.known)) {
		b.answer(res, p)
	}
	if res.SessionID = b.id; !room {
		res.SessionID, b.known = 0, nil
	}
	return res
}

// answer adds what there is to say about a partition. Of one record of 100 bytes, nothing comes under a lower limit.
func (b *sessionBroker) answer(res *kmsg.FetchResponse, partition int32) {
	e := b.known[partition]
	p := kmsg.NewFetchResponseTopicPartition()
	p.Partition, p.HighWatermark, p.LastStableOffset = partition, b.highs[partition], b.highs[partition]
	if e.at < p.HighWatermark && e.most >= 100 {
		p.RecordBatches = make([]byte, 100)
	}
	if len(p.RecordBatches) > 0 || e.high != p.HighWatermark {
		res.Topics[0].Partitions = append(res.Topics[0].Partitions, p)
	}
	e.high = p.HighWatermark
}

// TestSessionSaysWhatFetchesSay: whatever is requested, from whatever offsets, results are those of requests that name
// all partitions; also when a broker has no room for the session any more, or responses are lost.
func TestSessionSaysWhatFetchesSay(t *testing.T) {
	t.Parallel()
	const partitions, requests = 50, 20_000
	random := rand.New(rand.NewPCG(7, 0))
	b, s := &sessionBroker{highs: make([]int64, partitions)}, &fetchSession{}
	at, least := make([]int64, partitions), make([]int32, partitions)
	named, lost, failed := 0, 0, false
	for n := range requests {
		for range random.IntN(4) {
			b.highs[random.IntN(partitions)]++
		}
		r := fetchRequest{session: s, each: 50}
		without := random.Perm(partitions)[:max(0, random.IntN(8)-4)]
		for p := range int32(partitions) {
			if !slices.Contains(without, int(p)) {
				r.partitions = append(r.partitions, fetchPartition{topic: "in", id: [16]byte{1}, partition: p,
					at: at[p], least: least[p]})
			}
		}
		random.Shuffle(len(r.partitions), func(i, j int) {
			r.partitions[i], r.partitions[j] = r.partitions[j], r.partitions[i]
		})
		req := r.message()
		res := b.fetch(t, req, random.IntN(100) > 0)
		results, err := r.results(res)
		if err != nil && !(isSessionLost(err) && req.SessionEpoch > 0) || failed && req.SessionEpoch > 0 {
			t.Fatalf("epoch %d after a failure (%t): %v", req.SessionEpoch, failed, err)
		}
		if err == nil && random.IntN(100) == 0 {
			err = errors.New("the response is lost")
		}
		s.settle(res, results, err)
		if failed = err != nil; failed {
			lost++
			continue
		}
		if len(req.Topics) > 0 {
			named += len(req.Topics[0].Partitions)
		}
		for i, p := range r.partitions {
			most, high := r.most(&p), b.highs[p.partition]
			got := results[i].result
			if got == nil || got.at != p.at || got.high != high || (len(got.data) > 0) != (p.at < high && most >= 100) {
				t.Fatalf("request %d, partition %d from %d of %d, at most %d bytes: %+v", n, p.partition, p.at, high,
					most, got)
			}
			switch {
			case len(got.data) > 0:
				at[p.partition] = high
			case p.at < high:
				least[p.partition] = 100 // as a subscription grows
			}
		}
	}
	if named > requests*partitions/5 || lost < 100 {
		t.Errorf("%d requests named %d partitions, %d were lost", requests, named, lost)
	}
}

// TestSessionOfManyPartitions: requests in a session name the partitions that have changed; records come as they are
// written, each once.
func TestSessionOfManyPartitions(t *testing.T) {
	t.Parallel()
	b := newBed(t, 100)
	var few atomic.Int64
	x := &tap{onWrite: func(_ *tapped, p []byte) error {
		if isRequest(p, kmsg.Fetch) {
			if req := fetchIn(t, p); req.SessionEpoch > 0 && namedBy(req) < sessionFrom {
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

// TestThrottledSession: a response that says nothing at all is not taken for an empty log.
func TestThrottledSession(t *testing.T) {
	t.Parallel()
	s := &fetchSession{}
	r := fetchRequest{session: s, partitions: []fetchPartition{{topic: "in", id: [16]byte{1}}}}
	results := make([]fetched, 1)
	if s.settle(r.message().ResponseKind(), results, nil); results[0].result != nil {
		t.Errorf("nothing was said, and %+v came", *results[0].result)
	}
}

// TestWhenASessionSuits: sessions are for many partitions whose logs' ends are read, of topics with ids, with a broker
// that has room for them.
func TestWhenASessionSuits(t *testing.T) {
	t.Parallel()
	many := func(change func(x *subscription)) (subs []*subscription) {
		for p := range int32(sessionFrom) {
			subs = append(subs, newSubscription("in", p, 0))
			subs[p].id = [16]byte{1}
		}
		change(subs[7])
		return subs
	}
	all := many(func(*subscription) {})
	refused := &fetchSession{}
	refused.settle(kmsg.NewPtrFetchResponse(), nil, nil)
	for what, c := range map[string]struct {
		s    *fetchSession
		subs []*subscription
		want bool
	}{
		"many":       {&fetchSession{}, all, true},
		"few":        {&fetchSession{}, all[1:], false},
		"a backlog":  {&fetchSession{}, many(func(x *subscription) { x.behind = true }), false},
		"without id": {&fetchSession{}, many(func(x *subscription) { x.id = [16]byte{} }), false},
		"no room":    {refused, all, false},
	} {
		if c.s.suits(c.subs) != c.want {
			t.Errorf("%s: %t", what, !c.want)
		}
	}
}

// TestTwoIDsInOneRequest: what is known of a topic by name and what by id are two topics in a request.
func TestTwoIDsInOneRequest(t *testing.T) {
	t.Parallel()
	r := fetchRequest{partitions: []fetchPartition{{topic: "in", id: [16]byte{9}}, {topic: "in", partition: 1}}}
	if req := r.message(); len(req.Topics) != 2 {
		t.Errorf("%+v", req.Topics)
	}
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
		c.appends.add(time.Hour)
	}
	least, began := c.appends.average()/2, time.Now()
	if least < longAppend*9/20 {
		t.Fatalf("%v", least)
	}
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
