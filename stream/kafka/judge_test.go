package kafka

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
)

// knownCodes are all that kerr knows, 0 left out.
func knownCodes(t *testing.T) (codes []*kerr.Error) {
	t.Helper()
	for code := int16(-1); code < 1000; code++ {
		if err := kerr.TypedErrorForCode(code); code != 0 && err != nil && err.Code == code {
			codes = append(codes, err)
		}
	}
	if len(codes) < 130 {
		t.Fatalf("only %d codes known", len(codes))
	}
	return codes
}

// codesDecided is how many codes have been considered; a code that kerr adds needs a class, or is fatal.
const codesDecided = 137

// What kerr calls retriable is retried, but for the codes below, and nothing else. No code has two classes.
func TestEveryCodeHasItsClass(t *testing.T) {
	t.Parallel()
	otherwise := map[*kerr.Error]string{ // retriable to a client of these protocols only
		kerr.ElectionNotNeeded:        "a response to ElectLeaders",
		kerr.ShareSessionLimitReached: "share groups",
	}
	more := map[*kerr.Error]string{
		kerr.UnknownServerError:     "an error within the broker: the same bytes again are safe, and a read is too",
		kerr.RebalanceInProgress:    "a response to an offset commit while others join",
		kerr.ConcurrentTransactions: "kerr leaves the retry to its transactional client",
		kerr.ReassignmentInProgress: "a response to CreatePartitions while a reassignment goes on",
		kerr.NewLeaderElected:       "the leader has changed",
		kerr.RebootstrapRequired:    "the metadata is stale",
	}
	all := knownCodes(t)
	if len(all) != codesDecided {
		t.Errorf("kerr knows %d codes, %d have been considered", len(all), codesDecided)
	}
	listed := map[*kerr.Error]class{}
	for c, codes := range classes {
		for _, code := range codes {
			if _, twice := listed[code]; twice || c == fatal {
				t.Errorf("%s is listed twice, or as fatal", code.Message)
			}
			listed[code] = c
		}
	}
	for _, code := range all {
		want := code.Retriable && otherwise[code] == "" || more[code] != ""
		got := classify(fmt.Errorf("more: %w", coded(code.Code, "test")))
		if (got == retriable) != want || got != listed[code] {
			t.Errorf("%d %s: class %d, kerr says retriable %v", code.Code, code.Message, got, code.Retriable)
		}
	}
	for code := range remedies {
		if listed[code] != fatal || slices.Contains(rightsErrors, code) {
			t.Errorf("a remedy for %s, which needs none or has another", code.Message)
		}
	}
	for _, code := range rightsErrors {
		if listed[code] != fatal {
			t.Errorf("%s is about rights and not fatal", code.Message)
		}
	}
}

func TestClassesNamedByTheProtocol(t *testing.T) {
	t.Parallel()
	for c, codes := range map[class][]int16{
		retriable:     {3, 5, 6, 7, 14, 15, 16, 19, 20, 51},
		indeterminate: {45, 46, 48, 59},
		fenced:        {47, 49, 90},
		refused:       {10, 32, 87},
		fatal:         {1, 42, 44, 137, 999, 32767, -2}, // the last ones are those of a later Kafka
	} {
		for _, code := range codes {
			if got := classify(coded(code, "test")); got != c {
				t.Errorf("code %d: class %d, want %d", code, got, c)
			}
		}
	}
}

// What an error means depends on the operation.
func TestJudge(t *testing.T) {
	t.Parallel()
	of := func(code *kerr.Error) error { return fmt.Errorf("x: %w", coded(code.Code, "test")) }
	unreadable := fmt.Errorf("x: %w", &broker.UnreadableResponse{Err: io.EOF})
	_, late := (&net.Dialer{Timeout: time.Nanosecond}).DialContext(t.Context(), "tcp", "127.0.0.1:1")
	for _, c := range []struct {
		name string
		err  error
		op   operation
		want class
	}{
		{"a response that cannot be read says nothing of a batch in the journal", unreadable, opAppend, indeterminate},
		{"a Sender repeats the batch", unreadable, opSend, retriable},
		{"so does a request", unreadable, opRequest, retriable},
		{"a takeover may have been fenced by itself", of(kerr.ProducerFenced), opTakeover, retriable},
		{"so too", of(kerr.InvalidProducerEpoch), opTakeover, retriable},
		{"a batch of a fenced process", of(kerr.InvalidProducerEpoch), opAppend, fenced},
		{"InitProducerID of a fenced process", of(kerr.ProducerFenced), opRequest, fenced},
		{"the next InitProducerID settles it", of(kerr.InvalidTxnState), opTakeover, retriable},
		{"a batch does not", of(kerr.OutOfOrderSequenceNumber), opAppend, indeterminate},
		{"the reader finds the reason", of(kerr.OffsetOutOfRange), opFetch, retriable},
		{"also of a topic that is missing", fmt.Errorf("x: %w", &MissingTopic{"in"}), opFetch, retriable},
		{"others do not", of(kerr.OffsetOutOfRange), opRequest, fatal},
		{"nor here", &MissingTopic{"in"}, opRequest, fatal},
		{"a request that was given up is not begun again", &retriesExhausted{err: io.EOF}, opTakeover, fatal},
		{"nor after a stop", stopFenced(of(kerr.ProducerFenced)), opTakeover, fatal},
		{"a record over the limit", of(kerr.MessageTooLarge), opAppend, refused},
		{"also of a Sender", of(kerr.MessageTooLarge), opSend, refused},
		{"a broker that is away does not respond to a dial", late, opRequest, retriable},
		{"no rights are fatal to all", of(kerr.TopicAuthorizationFailed), opFetch, fatal},
		{"also to a takeover", of(kerr.TransactionalIDAuthorizationFailed), opTakeover, fatal},
		{"a damaged journal does not heal", fmt.Errorf("x: %w", &recordbatch.Corrupt{Err: io.EOF}), opTakeover, fatal},
	} {
		if got := judge(c.err, c.op); got != c.want {
			t.Errorf("%s: %v in operation %d is of class %d, want %d", c.name, c.err, c.op, got, c.want)
		}
	}
}

// complete checks what every stop has to have: what happened, what is safe, what to do, in words that need no
// knowledge of Go.
func complete(t *testing.T, err error, name string) {
	t.Helper()
	var s *stops.Error
	if !errors.As(err, &s) || s.Name != name {
		t.Errorf("%v: want the stop %s", err, name)
		return
	}
	if len(s.What) < 20 || len(s.Safe) < 10 || len(s.Do) < 10 {
		t.Errorf("%s: a part is missing: what %q, safe %q, do %q", name, s.What, s.Safe, s.Do)
	}
	if s.Cause == nil {
		t.Errorf("%s hides its cause", name)
	}
	for _, bad := range []string{"%!", "<nil>", "0x", "&{", "map[", "EOF", "dial tcp", "read tcp", "write tcp",
		"lookup ",
		"x509:", "tls:", "i/o timeout", "context deadline", "panic", "goroutine", "*errors"} {
		if strings.Contains(err.Error(), bad) {
			t.Errorf("%q is in %v", bad, err)
		}
	}
}

// A stop is complete for every code that is the operator's, known or not, and for a fence that was lost.
func TestEveryStopOfACodeIsComplete(t *testing.T) {
	t.Parallel()
	codes := []int16{137, 32767}
	for _, err := range knownCodes(t) {
		codes = append(codes, err.Code)
	}
	for _, code := range codes {
		name := stops.KafkaError
		switch {
		case isCode(coded(code, "x"), rightsErrors...):
			name = stops.NotAllowed
		case classify(coded(code, "x")) == fenced:
			name = stops.Fenced
		case classify(coded(code, "x")) != fatal:
			continue
		}
		err := stopFor(coded(code, "produce to x/%d", 1))
		complete(t, err, name)
		var got *kerr.Error
		if !errors.As(err, &got) || got.Code != code || !strings.Contains(err.Error(), fmt.Sprint(code)) {
			t.Errorf("code %d is lost in %v", code, err)
		}
	}
}
