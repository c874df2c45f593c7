package main

import (
	"bytes"
	"fmt"
	"math"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// spoiled are copies of a history's topics that a damage is done to.
type spoiled struct {
	*history
	answers [][]topics.Record
	letters []topics.Record
	p, k    int // an answer in the second half, with others before and behind it
}

func (h *history) spoil() *spoiled {
	s := &spoiled{history: h, p: 2, k: len(h.answers[2]) * 3 / 4, letters: append([]topics.Record(nil), h.letters...)}
	for _, part := range h.answers {
		s.answers = append(s.answers, append([]topics.Record(nil), part...))
	}
	return s
}

func (s *spoiled) answer(i int) journal.Prediction {
	a, err := journal.ParsePrediction(s.history.answers[s.p][i].Value)
	if err != nil {
		panic(err)
	}
	return a
}

// edit replaces a text in answer k.
func (s *spoiled) edit(old, now string) {
	r := &s.answers[s.p][s.k]
	if !bytes.Contains(r.Value, []byte(old)) {
		panic(old + " is not in " + string(r.Value))
	}
	r.Value = bytes.Replace(r.Value, []byte(old), []byte(now), 1)
}

// insert puts a record before place i.
func insert(records []topics.Record, i int, r topics.Record) []topics.Record {
	return append(append(append([]topics.Record(nil), records[:i]...), r), records[i:]...)
}

func remove(records []topics.Record, i int) []topics.Record {
	return append(append([]topics.Record(nil), records[:i]...), records[i+1:]...)
}

// damage is one way in which topics can be wrong, and what is to be found: this and nothing else.
type damage struct {
	name string
	do   func(s *spoiled) (want []verify.Finding)
}

// at is where answer i stands in the copy.
func (s *spoiled) at(i int) *verify.Place {
	return &verify.Place{Partition: int32(s.p), Offset: int64(i)}
}

// of is the record that answer i of the history answers.
func (s *spoiled) of(i int) *verify.Place {
	a := s.answer(i)
	return &verify.Place{Partition: a.Partition, Offset: a.Offset}
}

func damages() []damage {
	return []damage{
		{"score by one ulp", func(s *spoiled) []verify.Finding {
			score := s.answer(s.k).Score
			was, is := fmt.Sprintf("%v", score), fmt.Sprintf("%v", math.Nextafter(score, 1000))
			s.edit(`"score":`+was, `"score":`+is)
			return []verify.Finding{{Kind: verify.Differs, Seq: s.answer(s.k).Seq, Output: s.at(s.k), Input: s.of(s.k),
				Fields: []verify.Field{{Name: "score", Published: is, Computed: was}}}}
		}},
		{"another id and key", func(s *spoiled) []verify.Finding {
			s.edit(`"id":"e`, `"id":"f`)
			s.answers[s.p][s.k].Key = []byte("other")
			return []verify.Finding{{Kind: verify.Differs, Seq: s.answer(s.k).Seq, Output: s.at(s.k), Input: s.of(s.k),
				Fields: []verify.Field{{Name: "key"}, {Name: "id"}}}}
		}},
		{"no prediction", func(s *spoiled) []verify.Finding {
			s.edit(`"prediction":`, `"predicted":`)
			return []verify.Finding{{Kind: verify.Differs, Seq: s.answer(s.k).Seq, Output: s.at(s.k), Input: s.of(s.k),
				Fields: []verify.Field{{Name: "predicted", Computed: "absent"}, {Name: "prediction", Published: "absent"}}}}
		}},
		{"a second score", func(s *spoiled) []verify.Finding {
			s.edit(`"score":`, `"score":1,"score":`)
			return []verify.Finding{{Kind: verify.Differs, Seq: s.answer(s.k).Seq, Output: s.at(s.k), Input: s.of(s.k), Fields: []verify.Field{{Name: "value"}}}}
		}},
		{"answer twice", func(s *spoiled) []verify.Finding {
			s.answers[s.p] = insert(s.answers[s.p], s.k+3, s.answers[s.p][s.k])
			return []verify.Finding{{Kind: verify.Duplicate, Seq: s.answer(s.k).Seq, Output: s.at(s.k + 3), Input: s.of(s.k)}}
		}},
		{"answer missing", func(s *spoiled) []verify.Finding {
			seq := s.answer(s.k).Seq
			s.answers[s.p] = remove(s.answers[s.p], s.k)
			return []verify.Finding{{Kind: verify.Hole, Seq: seq}, {Kind: verify.NoPrediction, Input: s.of(s.k)}}
		}},
		{"answer missing before another partition's", func(s *spoiled) []verify.Finding {
			s.p, s.k = s.turn()
			seq := s.answer(s.k).Seq
			s.answers[s.p] = remove(s.answers[s.p], s.k)
			return []verify.Finding{{Kind: verify.Hole, Seq: seq}, {Kind: verify.NoPrediction, Input: s.of(s.k)}}
		}},
		{"answer to nothing", func(s *spoiled) []verify.Finding {
			extra := s.answers[s.p][s.k]
			seq := int64(len(s.outcome.Predictions)) + 1
			extra.Value = fmt.Appendf(nil, `{"prediction":1,"score":0,"updated":false,"partition":%d,"offset":99999,"time":1,"seq":%d,"model":"%s@9"}`, s.p, seq, s.Name)
			s.answers[s.p] = append(s.answers[s.p], extra)
			return []verify.Finding{{Kind: verify.NoInput, Seq: seq, Output: s.at(len(s.answers[s.p]) - 1), Input: &verify.Place{Partition: int32(s.p), Offset: 99999}}}
		}},
		{"answers swapped", func(s *spoiled) []verify.Finding {
			a := s.answers[s.p]
			a[s.k], a[s.k+1] = a[s.k+1], a[s.k]
			return []verify.Finding{{Kind: verify.Order, Seq: s.answer(s.k).Seq, Output: s.at(s.k + 1), Input: s.of(s.k)}}
		}},
		{"answer in another partition", func(s *spoiled) []verify.Finding {
			moved, seq := s.answers[s.p][s.k], s.answer(s.k).Seq
			s.answers[s.p] = remove(s.answers[s.p], s.k)
			i := 0
			for ; i < len(s.answers[1]); i++ {
				if a, _ := journal.ParsePrediction(s.answers[1][i].Value); a.Seq > seq {
					break
				}
			}
			s.answers[1] = insert(s.answers[1], i, moved)
			return []verify.Finding{{Kind: verify.Differs, Seq: seq, Output: &verify.Place{Partition: 1, Offset: int64(i)}, Input: s.of(s.k),
				Fields: []verify.Field{{Name: "output partition", Published: "1", Computed: "2"}}}}
		}},
		{"another writer", func(s *spoiled) []verify.Finding {
			other := s.answers[s.p][s.k]
			other.Value = bytes.Replace(other.Value, []byte(`"model":"`), []byte(`"model":"not-`), 1)
			s.answers[s.p] = insert(s.answers[s.p], s.k, other)
			return []verify.Finding{{Kind: verify.Foreign, Output: s.at(s.k)}}
		}},
		{"no answer at all", func(s *spoiled) []verify.Finding {
			s.answers[s.p] = insert(s.answers[s.p], s.k, topics.Record{Key: []byte("k"), Value: []byte("hello")})
			return []verify.Finding{{Kind: verify.Foreign, Output: s.at(s.k)}}
		}},
		{"dead letter missing", func(s *spoiled) []verify.Finding {
			i, l := s.letter(nil)
			s.letters = remove(s.letters, i)
			return []verify.Finding{{Kind: verify.NoDeadLetter, Input: &verify.Place{Partition: l.Partition, Offset: l.Offset}}}
		}},
		{"dead letter twice", func(s *spoiled) []verify.Finding {
			i, l := s.letter(nil)
			s.letters = append(s.letters, s.letters[i])
			return []verify.Finding{{Kind: verify.Duplicate, DeadLetter: &verify.Place{Offset: int64(len(s.letters) - 1)}, Input: &verify.Place{Partition: l.Partition, Offset: l.Offset}}}
		}},
		{"letter and answer", func(s *spoiled) []verify.Finding {
			at := s.of(s.k)
			s.letter(at)
			return []verify.Finding{{Kind: verify.Duplicate, Seq: s.answer(s.k).Seq, DeadLetter: &verify.Place{Offset: int64(len(s.letters) - 1)}, Output: s.at(s.k), Input: at}}
		}},
		{"letter of nothing", func(s *spoiled) []verify.Finding {
			at := &verify.Place{Partition: 1, Offset: 77777}
			s.letter(at)
			return []verify.Finding{{Kind: verify.NoInput, DeadLetter: &verify.Place{Offset: int64(len(s.letters) - 1)}, Input: at}}
		}},
	}
}

// turn finds an answer of the second half behind which another partition's turn came; if it can be, one that the model learned from.
func (s *spoiled) turn() (p, k int) {
	p = -1
	for s.p = range s.answers {
		for i := range len(s.answers[s.p]) - 1 {
			if seq := s.answer(i).Seq; seq > s.midSeq && s.answer(i+1).Seq > seq+1 {
				p, k = s.p, i
				if bytes.Contains(s.answers[p][k].Value, []byte(`"updated":true`)) {
					return p, k
				}
			}
		}
	}
	if p < 0 {
		panic("the partitions take no turns")
	}
	return p, k
}

// letter finds a dead letter of the second half with an answer behind it; or, with a place, adds one of the record there.
func (s *spoiled) letter(at *verify.Place) (int, journal.DeadLetter) {
	for i := range s.letters {
		l, ok := journal.ParseDeadLetter(&s.letters[i])
		if !ok || l.Partition != int32(s.p) || l.Offset < perPartition+10 || l.Offset > 2*perPartition-20 {
			continue
		}
		if at != nil {
			headers, err := recordbatch.ParseHeaders(s.letters[i].Headers)
			if err != nil {
				panic(err)
			}
			for j := range headers {
				switch headers[j].Key {
				case "rosenblatt.partition":
					headers[j].Value = fmt.Append(nil, at.Partition)
				case "rosenblatt.offset":
					headers[j].Value = fmt.Append(nil, at.Offset)
				}
			}
			s.letters = append(s.letters, topics.Record{Headers: rawHeaders(headers)})
		}
		return i, l
	}
	panic("no dead letter in the second half")
}
