package verdict

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
	"rosenblatt/stream/kafka/internal/check"
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
	listed := map[*kerr.Error]Class{}
	for c, codes := range classes {
		for _, code := range codes {
			if _, twice := listed[code]; twice || c == Fatal {
				t.Errorf("%s is listed twice, or as fatal", code.Message)
			}
			listed[code] = c
		}
	}
	for _, code := range all {
		want := code.Retriable && otherwise[code] == "" || more[code] != ""
		got := Classify(fmt.Errorf("more: %w", Coded(code.Code, "test")))
		if (got == Retriable) != want || got != listed[code] {
			t.Errorf("%d %s: class %d, kerr says retriable %v", code.Code, code.Message, got, code.Retriable)
		}
	}
	for code := range remedies {
		if listed[code] != Fatal || slices.Contains(rightsErrors, code) {
			t.Errorf("a remedy for %s, which needs none or has another", code.Message)
		}
	}
	for _, code := range rightsErrors {
		if listed[code] != Fatal {
			t.Errorf("%s is about rights and not fatal", code.Message)
		}
	}
}

func TestClassesNamedByTheProtocol(t *testing.T) {
	t.Parallel()
	for c, codes := range map[Class][]int16{
		Retriable:     {3, 5, 6, 7, 14, 15, 16, 19, 20, 51},
		Indeterminate: {45, 46, 48, 59},
		Fenced:        {47, 49, 90},
		Refused:       {10, 32, 87},
		Fatal:         {1, 42, 44, 137, 999, 32767, -2}, // the last ones are those of a later Kafka
	} {
		for _, code := range codes {
			if got := Classify(Coded(code, "test")); got != c {
				t.Errorf("code %d: class %d, want %d", code, got, c)
			}
		}
	}
}

// What an error means depends on the operation.
func TestJudge(t *testing.T) {
	t.Parallel()
	of := func(code *kerr.Error) error { return fmt.Errorf("x: %w", Coded(code.Code, "test")) }
	unreadable := fmt.Errorf("x: %w", &broker.UnreadableResponse{Err: io.EOF})
	_, late := (&net.Dialer{Timeout: time.Nanosecond}).DialContext(t.Context(), "tcp", "127.0.0.1:1")
	for _, c := range []struct {
		name string
		err  error
		op   Operation
		want Class
	}{
		{"a response that cannot be read says nothing of a batch in the journal", unreadable, OnAppend, Indeterminate},
		{"a Sender repeats the batch", unreadable, OnSend, Retriable},
		{"so does a request", unreadable, OnRequest, Retriable},
		{"a takeover may have been fenced by itself", of(kerr.ProducerFenced), OnTakeover, Retriable},
		{"so too", of(kerr.InvalidProducerEpoch), OnTakeover, Retriable},
		{"a batch of a fenced process", of(kerr.InvalidProducerEpoch), OnAppend, Fenced},
		{"InitProducerID of a fenced process", of(kerr.ProducerFenced), OnRequest, Fenced},
		{"the next InitProducerID settles it", of(kerr.InvalidTxnState), OnTakeover, Retriable},
		{"a batch does not", of(kerr.OutOfOrderSequenceNumber), OnAppend, Indeterminate},
		{"the reader finds the reason", of(kerr.OffsetOutOfRange), OnFetch, Retriable},
		{"also of a topic that is missing", fmt.Errorf("x: %w", &MissingTopic{Name: "in"}), OnFetch, Retriable},
		{"others do not", of(kerr.OffsetOutOfRange), OnRequest, Fatal},
		{"nor here", &MissingTopic{Name: "in"}, OnRequest, Fatal},
		{"a request that was given up is not begun again", &Exhausted{Err: io.EOF}, OnTakeover, Fatal},
		{"nor after a stop", StopFenced(of(kerr.ProducerFenced)), OnTakeover, Fatal},
		{"a record over the limit", of(kerr.MessageTooLarge), OnAppend, Refused},
		{"also of a Sender", of(kerr.MessageTooLarge), OnSend, Refused},
		{"a broker that is away does not respond to a dial", late, OnRequest, Retriable},
		{"no rights are fatal to all", of(kerr.TopicAuthorizationFailed), OnFetch, Fatal},
		{"also to a takeover", of(kerr.TransactionalIDAuthorizationFailed), OnTakeover, Fatal},
		{"a token that is refused stays so", fmt.Errorf("x: %w", &broker.NoCredentials{Final: true}), OnRequest, Fatal},
		{"its issuer's trouble does not", fmt.Errorf("x: %w", &broker.NoCredentials{}), OnRequest, Retriable},
		{"a damaged journal does not heal", fmt.Errorf("x: %w", &recordbatch.Corrupt{Err: io.EOF}), OnTakeover, Fatal},
	} {
		if got := Judge(c.err, c.op); got != c.want {
			t.Errorf("%s: %v in operation %d is of class %d, want %d", c.name, c.err, c.op, got, c.want)
		}
	}
}

// TestStopOfATokenIsComplete: so it is for a token that its issuer refuses.
func TestStopOfATokenIsComplete(t *testing.T) {
	t.Parallel()
	check.Stop(t, StopFor(&broker.NoCredentials{Text: "no token: it responds 401", Final: true}), stops.NotAllowed)
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
		case IsCode(Coded(code, "x"), rightsErrors...):
			name = stops.NotAllowed
		case Classify(Coded(code, "x")) == Fenced:
			name = stops.Fenced
		case Classify(Coded(code, "x")) != Fatal:
			continue
		}
		err := StopFor(Coded(code, "produce to x/%d", 1))
		check.Stop(t, err, name)
		var got *kerr.Error
		if !errors.As(err, &got) || got.Code != code || !strings.Contains(err.Error(), fmt.Sprint(code)) {
			t.Errorf("code %d is lost in %v", code, err)
		}
	}
}
