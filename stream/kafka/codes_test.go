package kafka

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/twmb/franz-go/pkg/kerr"
)

// What kerr calls retriable is sent again here, but for what a client of the consumer or share group protocol may retry.
func TestClassesOverAllCodes(t *testing.T) {
	otherwise := map[int16]string{
		codeCorrupt: "our own bytes were damaged, or are wrong: the broker will say so again",
		84:          "answers ElectLeaders",
		133:         "share groups",
	}
	more := map[int16]string{
		51:  "kerr leaves the retry to its transactional client",
		60:  "answers CreatePartitions while a reassignment goes on",
		108: "the leader has changed",
		129: "the metadata is stale",
	}
	known := 0
	for code := int16(-1); code < 300; code++ {
		err := kerr.TypedErrorForCode(code)
		if code == 0 || err == nil || code > 0 && err.Code != code {
			continue
		}
		known++
		got := classes[code]
		want := err.Retriable && otherwise[code] == "" || more[code] != ""
		if (got == passing) != want {
			t.Errorf("%d %s: class %d, kerr says retriable %v", code, err.Message, got, err.Retriable)
		}
		if c := classify(coded(code, "test")); c != got {
			t.Errorf("%d is classified as %d", code, c)
		}
	}
	if known < 130 {
		t.Errorf("only %d codes known", known)
	}
	for code := range classes {
		if kerr.TypedErrorForCode(code) == nil {
			t.Errorf("class for code %d, which does not exist", code)
		}
	}
}

func TestClassesNamedByTheDesign(t *testing.T) {
	for c, codes := range map[class][]int16{
		passing:  {3, 5, 6, 7, 14, 15, 16, 19, 20, 51},
		doubtful: {45, 46, 48, 59},
		fenced:   {47, 49, 90},
		refused:  {10, 32, 87},
		broken:   {-1, 2, 42, 44, 12345},
	} {
		for _, code := range codes {
			if classes[code] != c {
				t.Errorf("code %d: class %d, want %d", code, classes[code], c)
			}
		}
	}
}

func TestClassesOfGoErrors(t *testing.T) {
	for err, want := range map[error]class{
		io.ErrUnexpectedEOF:                     passing,
		errors.New("connection refused"):        passing,
		errNoLeader{}:                           passing,
		fmt.Errorf("x: %w", &unsupported{}):     broken,
		fmt.Errorf("x: %w", &errMissing{"in"}):  broken,
		fmt.Errorf("x: %w", tls.AlertError(42)): forbidden,
	} {
		if got := classify(err); got != want {
			t.Errorf("%v: class %d, want %d", err, got, want)
		}
	}
}
