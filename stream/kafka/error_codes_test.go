package kafka

import (
	"fmt"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"

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

// Every code of Kafka stands in the table, and nothing else does. What kerr calls retriable is asked again, but for the
// codes below.
func TestEveryCodeHasItsClass(t *testing.T) {
	otherwise := map[int16]string{ // retriable to a client of these protocols only
		84:  "answers ElectLeaders",
		133: "share groups",
	}
	more := map[int16]string{
		-1:  "some trouble within the broker: the same bytes again are safe, and a read is too",
		27:  "answers an offset commit while others settle",
		51:  "kerr leaves the retry to its transactional client",
		60:  "answers CreatePartitions while a reassignment goes on",
		108: "the leader has changed",
		129: "the metadata is stale",
	}
	all := knownCodes(t)
	for _, err := range all {
		got, listed := classes[err.Code]
		if !listed {
			t.Errorf("%d %s has no class", err.Code, err.Message)
		}
		want := err.Retriable && otherwise[err.Code] == "" || more[err.Code] != ""
		if (got == retriable) != want {
			t.Errorf("%d %s: class %d, kerr says retriable %v", err.Code, err.Message, got, err.Retriable)
		}
		if c := classify(fmt.Errorf("more: %w", coded(err.Code, "test"))); c != got {
			t.Errorf("%d is classified as %d", err.Code, c)
		}
	}
	if len(classes) != len(all) {
		t.Errorf("%d classes for %d codes", len(classes), len(all))
	}
	for code := range remedies {
		if classes[code] != fatal || lacksRights[code] {
			t.Errorf("a remedy for %d, which needs none or has another", code)
		}
	}
	for code := range lacksRights {
		if classes[code] != fatal {
			t.Errorf("code %d is about rights and no stop", code)
		}
	}
}

func TestClassesNamedByTheProtocol(t *testing.T) {
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

// complete checks what every stop has to have: what happened, what is safe, what to do, in words that need no knowledge of Go.
func complete(t *testing.T, err error, name string) {
	t.Helper()
	s, ok := err.(*stops.Error)
	if !ok || s.Name != name {
		t.Errorf("%v: want the stop %s", err, name)
		return
	}
	if len(s.What) < 20 || len(s.Safe) < 10 || len(s.Do) < 10 {
		t.Errorf("%s: a part is missing: what %q, safe %q, do %q", name, s.What, s.Safe, s.Do)
	}
	if s.Cause == nil {
		t.Errorf("%s hides its cause", name)
	}
	for _, bad := range []string{"%!", "<nil>", "0x", "&{", "map[", "EOF", "dial tcp", "read tcp", "write tcp", "lookup ", "x509:", "tls:", "i/o timeout", "context deadline", "panic", "goroutine", "*errors"} {
		if strings.Contains(err.Error(), bad) {
			t.Errorf("%q is in %v", bad, err)
		}
	}
}

// A stop is complete for every code that is the operator's, known or not, and for a fence that was lost.
func TestEveryStopOfACodeIsComplete(t *testing.T) {
	codes := []int16{137, 32767}
	for _, err := range knownCodes(t) {
		codes = append(codes, err.Code)
	}
	for _, code := range codes {
		name := stops.KafkaError
		switch {
		case lacksRights[code]:
			name = stops.NotAllowed
		case classes[code] == fenced:
			name = stops.Fenced
		case classes[code] != fatal:
			continue
		}
		err := stopFor(coded(code, "produce to x/%d", 1))
		complete(t, err, name)
		if got, _ := codeOf(err); got != code || !strings.Contains(err.Error(), fmt.Sprint(code)) {
			t.Errorf("code %d is lost in %v", code, err)
		}
	}
}
