package fetch

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"
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
		r := Request{session: s, each: 50}
		without := random.Perm(partitions)[:max(0, random.IntN(8)-4)]
		for p := range int32(partitions) {
			if !slices.Contains(without, int(p)) {
				r.partitions = append(r.partitions, Partition{Topic: "in", ID: [16]byte{1}, Number: p,
					At: at[p], least: least[p]})
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
			most, high := r.most(&p), b.highs[p.Number]
			got := results[i].Result
			if got == nil || got.At != p.At || got.High != high || (len(got.Data) > 0) != (p.At < high && most >= 100) {
				t.Fatalf("request %d, partition %d from %d of %d, at most %d bytes: %+v", n, p.Number, p.At, high,
					most, got)
			}
			switch {
			case len(got.Data) > 0:
				at[p.Number] = high
			case p.At < high:
				least[p.Number] = 100 // as a subscription grows
			}
		}
	}
	if named > requests*partitions/5 || lost < 100 {
		t.Errorf("%d requests named %d partitions, %d were lost", requests, named, lost)
	}
}

// TestThrottledSession: a response that says nothing at all is not taken for an empty log.
func TestThrottledSession(t *testing.T) {
	t.Parallel()
	s := &fetchSession{}
	r := Request{session: s, partitions: []Partition{{Topic: "in", ID: [16]byte{1}}}}
	results := make([]Fetched, 1)
	if s.settle(r.message().ResponseKind(), results, nil); results[0].Result != nil {
		t.Errorf("nothing was said, and %+v came", *results[0].Result)
	}
	// A broker that throttles has not refused a session. One that has begun goes on.
	s = &fetchSession{}
	asks := &kmsg.FetchResponse{Version: 13, ThrottleMillis: 100}
	r.session = s
	if s.settle(asks, results, nil); !s.refused.IsZero() || s.known() {
		t.Errorf("%+v", s)
	}
	if s.settle(&kmsg.FetchResponse{Version: 13, SessionID: 7}, results, nil); s.epoch != 1 {
		t.Errorf("%+v", s)
	}
	r.message()
	asks.SessionID = 7
	if s.settle(asks, results, nil); s.id != 7 || s.epoch != 2 {
		t.Errorf("%+v", s)
	}
}

// TestWhenASessionSuits: sessions are for many partitions whose logs' ends are read, of topics with ids, with a broker
// that has room for them.
func TestWhenASessionSuits(t *testing.T) {
	t.Parallel()
	many := func(change func(x *Subscription)) (subs []*Subscription) {
		for p := range int32(sessionFrom) {
			subs = append(subs, NewSubscription("in", p, 0))
			subs[p].ID = [16]byte{1}
		}
		change(subs[7])
		return subs
	}
	all := many(func(*Subscription) {})
	refused := &fetchSession{}
	refused.settle(kmsg.NewPtrFetchResponse(), nil, nil)
	for what, c := range map[string]struct {
		s    *fetchSession
		subs []*Subscription
		want bool
	}{
		"many":       {&fetchSession{}, all, true},
		"few":        {&fetchSession{}, all[1:], false},
		"a backlog":  {&fetchSession{}, many(func(x *Subscription) { x.behind = true }), false},
		"without id": {&fetchSession{}, many(func(x *Subscription) { x.ID = [16]byte{} }), false},
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
	r := Request{partitions: []Partition{{Topic: "in", ID: [16]byte{9}}, {Topic: "in", Number: 1}}}
	if req := r.message(); len(req.Topics) != 2 {
		t.Errorf("%+v", req.Topics)
	}
}
