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
	operators class = iota // stop: somebody has to change something; also every code that is not listed
	passing                // goes away by itself: ask again; a produce is sent again as it was, under the same sequence
	doubtful               // nobody knows what was written or what the coordinator holds: recover from the journal
	fenced                 // somebody else took over: stop
	refused                // the batch or one of its records is not acceptable and used no sequence: dead-letter the record
)

// classes maps Kafka's error codes (org.apache.kafka.common.protocol.Errors, as of 4.3). A code of a later Kafka is the
// operator's: what is not understood is not gone on with, and the journal tells at the next start what was written.
//
// A produce that met -1, 2, 7, 13, 20 or 56 may have been written all the same; sending the same bytes again is safe, since
// the broker recognises them by their sequence. Should it never go well, the fence grows old over it, and then it is in doubt.
var classes = map[int16]class{
	-1: passing, 2: passing, 3: passing, 5: passing, 6: passing, 7: passing, 8: passing, 9: passing, 13: passing, 14: passing,
	15: passing, 16: passing, 19: passing, 20: passing, 27: passing, 41: passing, 51: passing, 56: passing, 60: passing,
	70: passing, 71: passing, 72: passing, 74: passing, 75: passing, 78: passing, 80: passing, 83: passing, 88: passing,
	89: passing, 100: passing, 103: passing, 106: passing, 108: passing, 129: passing,

	45: doubtful, 46: doubtful, 48: doubtful, 59: doubtful, 120: doubtful,

	47: fenced, 49: fenced, 90: fenced,

	10: refused, 18: refused, 32: refused, 87: refused,

	// Where an offset lies or whether something exists already: who asks looks at these first (1, 36, 69).
	1: operators, 36: operators, 69: operators,
	// Credentials and rights.
	29: operators, 30: operators, 31: operators, 33: operators, 34: operators, 53: operators, 54: operators, 58: operators,
	61: operators, 62: operators, 63: operators, 64: operators, 65: operators, 66: operators, 67: operators, 93: operators,
	97: operators,
	// Topics, settings and versions that do not do.
	17: operators, 35: operators, 37: operators, 38: operators, 39: operators, 40: operators, 43: operators, 44: operators,
	50: operators, 57: operators, 73: operators, 76: operators, 104: operators,
	// Answers to questions that are not ours, or to wrong ones: a bug, here or there.
	4: operators, 11: operators, 12: operators, 21: operators, 22: operators, 23: operators, 24: operators, 25: operators,
	26: operators, 28: operators, 42: operators, 52: operators, 55: operators, 68: operators, 77: operators, 79: operators,
	81: operators, 82: operators, 84: operators, 85: operators, 86: operators, 91: operators, 92: operators, 94: operators,
	95: operators, 96: operators, 98: operators, 99: operators, 101: operators, 102: operators, 105: operators, 107: operators,
	109: operators, 110: operators, 111: operators, 112: operators, 113: operators, 114: operators, 115: operators,
	116: operators, 117: operators, 118: operators, 119: operators, 121: operators, 122: operators, 123: operators,
	124: operators, 125: operators, 126: operators, 127: operators, 128: operators, 130: operators, 131: operators,
	132: operators, 133: operators, 134: operators, 135: operators, 136: operators,
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
