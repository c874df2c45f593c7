package kafka

import (
	"errors"
	"fmt"

	kafkago "github.com/segmentio/kafka-go"
)

// class is what an error means, whatever the question was. Each error has exactly one: see classes for what brokers say and
// classify for what happens on the way to them.
type class uint8

const (
	fatal         class = iota // stop: somebody has to change something; also every code that is not listed
	retriable                  // goes away by itself: ask again; a produce is sent again as it was, under the same sequence
	indeterminate              // nobody knows what was written or what the coordinator holds: recover from the journal
	fenced                     // somebody else took over: stop
	refused                    // the batch or one of its records is not acceptable and used no sequence: dead-letter the record
)

// classes maps Kafka's error codes (org.apache.kafka.common.protocol.Errors, as of 4.3). A code of a later Kafka is the
// operator's: what is not understood is not gone on with, and the journal tells at the next start what was written.
//
// A produce that met -1, 2, 7, 13, 20 or 56 may have been written all the same; sending the same bytes again is safe, since
// the broker recognises them by their sequence. Should it never go well, the fence grows old over it, and then it is in doubt.
var classes = map[int16]class{
	-1: retriable, 2: retriable, 3: retriable, 5: retriable, 6: retriable, 7: retriable, 8: retriable, 9: retriable, 13: retriable, 14: retriable,
	15: retriable, 16: retriable, 19: retriable, 20: retriable, 27: retriable, 41: retriable, 51: retriable, 56: retriable, 60: retriable,
	70: retriable, 71: retriable, 72: retriable, 74: retriable, 75: retriable, 78: retriable, 80: retriable, 83: retriable, 88: retriable,
	89: retriable, 100: retriable, 103: retriable, 106: retriable, 108: retriable, 129: retriable,

	45: indeterminate, 46: indeterminate, 48: indeterminate, 59: indeterminate, 120: indeterminate,

	47: fenced, 49: fenced, 90: fenced,

	10: refused, 18: refused, 32: refused, 87: refused,

	// Where an offset lies or whether something exists already: who asks looks at these first (1, 36, 69).
	1: fatal, 36: fatal, 69: fatal,
	// Credentials and rights.
	29: fatal, 30: fatal, 31: fatal, 33: fatal, 34: fatal, 53: fatal, 54: fatal, 58: fatal,
	61: fatal, 62: fatal, 63: fatal, 64: fatal, 65: fatal, 66: fatal, 67: fatal, 93: fatal,
	97: fatal,
	// Topics, settings and versions that do not do.
	17: fatal, 35: fatal, 37: fatal, 38: fatal, 39: fatal, 40: fatal, 43: fatal, 44: fatal,
	50: fatal, 57: fatal, 73: fatal, 76: fatal, 104: fatal,
	// Answers to questions that are not ours, or to wrong ones: a bug, here or there.
	4: fatal, 11: fatal, 12: fatal, 21: fatal, 22: fatal, 23: fatal, 24: fatal, 25: fatal,
	26: fatal, 28: fatal, 42: fatal, 52: fatal, 55: fatal, 68: fatal, 77: fatal, 79: fatal,
	81: fatal, 82: fatal, 84: fatal, 85: fatal, 86: fatal, 91: fatal, 92: fatal, 94: fatal,
	95: fatal, 96: fatal, 98: fatal, 99: fatal, 101: fatal, 102: fatal, 105: fatal, 107: fatal,
	109: fatal, 110: fatal, 111: fatal, 112: fatal, 113: fatal, 114: fatal, 115: fatal,
	116: fatal, 117: fatal, 118: fatal, 119: fatal, 121: fatal, 122: fatal, 123: fatal,
	124: fatal, 125: fatal, 126: fatal, 127: fatal, 128: fatal, 130: fatal, 131: fatal,
	132: fatal, 133: fatal, 134: fatal, 135: fatal, 136: fatal,
}

// Codes that are an answer to who asked, before they are an error.
const (
	codeOutOfRange     = 1
	codeUnknownTopic   = 3
	codeTopicExists    = 36
	codeGroupNotFound  = 69
	codeUnknownTopicID = 100
	codeOtherTopicID   = 103
)

// coded turns a code in an answer into an error that kafkago.Error can be taken out of; nil for 0.
func coded(code int16, format string, args ...any) error {
	if code == 0 {
		return nil
	}
	return fmt.Errorf(format+": %w", append(args, kafkago.Error(code))...)
}

// codeOf finds the code in an error; ok is false when there is none.
func codeOf(err error) (code int16, ok bool) {
	var k kafkago.Error
	if errors.As(err, &k) {
		return int16(k), true
	}
	return 0, false
}
