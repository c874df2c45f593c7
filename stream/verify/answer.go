package verify

import (
	"bytes"
	"fmt"
	"strconv"

	"rosenblatt/stream/journal"
)

// answer is what a published answer says of its place.
type answer struct {
	seq       int64
	partition int32 // of the input
	offset    int64 // of the input
	epoch     int64
	foreign   string // why it is no answer of this model; else empty
}

// parse reads a published answer: by its end, when that is as the daemon writes it, else as any JSON.
func parse(value []byte, model string) answer {
	if a, ok := parseEnd(value, model); ok {
		return a
	}
	p, err := journal.ParsePrediction(value)
	switch {
	case err != nil:
		return answer{foreign: err.Error()}
	case !journal.IsModel(p.Model, model):
		return answer{foreign: fmt.Sprintf("an answer of %s", p.Model)}
	}
	return answer{seq: p.Seq, partition: p.Partition, offset: p.Offset, epoch: journal.EpochOf(p.Model)}
}

var partitionField = []byte(`,"partition":`)

// parseEnd reads `,"partition":0,"offset":41,"time":1795257554199,"seq":42,"model":"fraud@3"}` at the end of a value.
// What stands before it is compared with what the model had to say, so it need not be understood here.
func parseEnd(value []byte, model string) (a answer, ok bool) {
	at := bytes.LastIndex(value, partitionField)
	if at < 0 {
		return a, false
	}
	s := scanner{value[at:], true}
	a.partition = int32(s.number(`,"partition":`, 31))
	a.offset = s.number(`,"offset":`, 63)
	s.number(`,"time":`, 63)
	a.seq = s.number(`,"seq":`, 63)
	s.text(`,"model":"`)
	s.text(model)
	a.epoch = s.number(`@`, 63)
	s.text(`"}`)
	return a, s.ok && len(s.rest) == 0 && a.seq > 0
}

// scanner takes a text apart; ok is false from the first thing on that was not there.
type scanner struct {
	rest []byte
	ok   bool
}

func (s *scanner) text(want string) {
	if s.ok = s.ok && len(s.rest) >= len(want) && string(s.rest[:len(want)]) == want; s.ok {
		s.rest = s.rest[len(want):]
	}
}

// number takes a number without sign behind a text.
func (s *scanner) number(before string, bits int) int64 {
	s.text(before)
	n := 0
	for n < len(s.rest) && s.rest[n] >= '0' && s.rest[n] <= '9' {
		n++
	}
	if !s.ok {
		return 0
	}
	v, err := strconv.ParseUint(string(s.rest[:n]), 10, bits)
	s.ok, s.rest = err == nil, s.rest[n:]
	return int64(v)
}
