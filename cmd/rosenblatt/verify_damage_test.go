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

// damagedHistory has copies of a history's topics, which are damaged.
type damagedHistory struct {
	*history
	predictions [][]topics.Record
	deadLetters []topics.Record
	p, k        int // a prediction in the second half, with others before and behind it
}

func (h *history) copied() *damagedHistory {
	s := &damagedHistory{history: h, p: 2, k: len(h.predictions[2]) * 3 / 4,
		deadLetters: append([]topics.Record(nil), h.deadLetters...)}
	for _, part := range h.predictions {
		s.predictions = append(s.predictions, append([]topics.Record(nil), part...))
	}
	return s
}

func (s *damagedHistory) prediction(i int) journal.Prediction {
	a, err := journal.ParsePrediction(s.history.predictions[s.p][i].Value)
	if err != nil {
		panic(err)
	}
	return a
}

// edit replaces a text in prediction k.
func (s *damagedHistory) edit(old, now string) {
	r := &s.predictions[s.p][s.k]
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
	do   func(s *damagedHistory) (want []verify.Finding)
}

// at is where prediction i stands in the copy.
func (s *damagedHistory) at(i int) *verify.Place {
	return &verify.Place{Partition: int32(s.p), Offset: int64(i)}
}

// of is the record of prediction i of the history.
func (s *damagedHistory) of(i int) *verify.Place {
	a := s.prediction(i)
	return &verify.Place{Partition: a.Partition, Offset: a.Offset}
}

func damages() []damage {
	return []damage{
		{"score by one ulp", func(s *damagedHistory) []verify.Finding {
			score := s.prediction(s.k).Score
			was, is := fmt.Sprintf("%v", score), fmt.Sprintf("%v", math.Nextafter(score, 1000))
			s.edit(`"score":`+was, `"score":`+is)
			return []verify.Finding{{Kind: verify.Differs, Seq: s.prediction(s.k).Seq, Output: s.at(s.k),
				Input:  s.of(s.k),
				Fields: []verify.Field{{Name: "score", Published: is, Computed: was}}}}
		}},
		{"another id and key", func(s *damagedHistory) []verify.Finding {
			s.edit(`"id":"e`, `"id":"f`)
			s.predictions[s.p][s.k].Key = []byte("other")
			return []verify.Finding{{Kind: verify.Differs, Seq: s.prediction(s.k).Seq, Output: s.at(s.k),
				Input:  s.of(s.k),
				Fields: []verify.Field{{Name: "key"}, {Name: "id"}}}}
		}},
		{"no prediction", func(s *damagedHistory) []verify.Finding {
			s.edit(`"prediction":`, `"predicted":`)
			return []verify.Finding{{Kind: verify.Differs, Seq: s.prediction(s.k).Seq, Output: s.at(s.k),
				Input: s.of(s.k),
				Fields: []verify.Field{{Name: "predicted", Computed: "absent"},
					{Name: "prediction", Published: "absent"}}}}
		}},
		{"a second score", func(s *damagedHistory) []verify.Finding {
			s.edit(`"score":`, `"score":1,"score":`)
			return []verify.Finding{{Kind: verify.Differs, Seq: s.prediction(s.k).Seq, Output: s.at(s.k),
				Input: s.of(s.k), Fields: []verify.Field{{Name: "value"}}}}
		}},
		{"prediction twice", func(s *damagedHistory) []verify.Finding {
			s.predictions[s.p] = insert(s.predictions[s.p], s.k+3, s.predictions[s.p][s.k])
			return []verify.Finding{{Kind: verify.Duplicate, Seq: s.prediction(s.k).Seq, Output: s.at(s.k + 3),
				Input: s.of(s.k)}}
		}},
		{"prediction missing", func(s *damagedHistory) []verify.Finding {
			seq := s.prediction(s.k).Seq
			s.predictions[s.p] = remove(s.predictions[s.p], s.k)
			return []verify.Finding{{Kind: verify.Hole, Seq: seq}, {Kind: verify.NoPrediction, Input: s.of(s.k)}}
		}},
		{"prediction missing before another partition's", func(s *damagedHistory) []verify.Finding {
			s.p, s.k = s.turn()
			seq := s.prediction(s.k).Seq
			s.predictions[s.p] = remove(s.predictions[s.p], s.k)
			return []verify.Finding{{Kind: verify.Hole, Seq: seq}, {Kind: verify.NoPrediction, Input: s.of(s.k)}}
		}},
		{"last prediction missing", func(s *damagedHistory) []verify.Finding {
			last := s.outcome.Predictions[len(s.outcome.Predictions)-1]
			s.p = int(last.Partition)
			s.predictions[s.p] = s.predictions[s.p][:len(s.predictions[s.p])-1]
			return []verify.Finding{{Kind: verify.Hole, Seq: last.Seq},
				{Kind: verify.NoPrediction, Input: &verify.Place{Partition: last.Partition, Offset: last.Offset}}}
		}},
		{"prediction swapped for a dead letter", func(s *damagedHistory) []verify.Finding {
			at := s.of(s.k)
			s.deadLetter(at)
			s.predictions[s.p] = remove(s.predictions[s.p], s.k)
			return []verify.Finding{{Kind: verify.Hole, Seq: s.prediction(s.k).Seq}, {Kind: verify.NoPrediction,
				DeadLetter: &verify.Place{Offset: int64(len(s.deadLetters) - 1)}, Input: at}}
		}},
		{"prediction of nothing", func(s *damagedHistory) []verify.Finding {
			extra := s.predictions[s.p][s.k]
			seq := int64(len(s.outcome.Predictions)) + 1
			extra.Value = fmt.Appendf(nil, `{"prediction":1,"score":0,"updated":false,"partition":%d,"offset":99999,`+
				`"time":1,"seq":%d,"model":"%s@9"}`, s.p, seq, s.Name)
			s.predictions[s.p] = append(s.predictions[s.p], extra)
			return []verify.Finding{{Kind: verify.NoInput, Seq: seq, Output: s.at(len(s.predictions[s.p]) - 1),
				Input: &verify.Place{Partition: int32(s.p), Offset: 99999}}}
		}},
		{"predictions swapped", func(s *damagedHistory) []verify.Finding {
			a := s.predictions[s.p]
			a[s.k], a[s.k+1] = a[s.k+1], a[s.k]
			return []verify.Finding{{Kind: verify.Order, Seq: s.prediction(s.k).Seq, Output: s.at(s.k + 1),
				Input: s.of(s.k)}}
		}},
		{"prediction in another partition", func(s *damagedHistory) []verify.Finding {
			moved, seq := s.predictions[s.p][s.k], s.prediction(s.k).Seq
			s.predictions[s.p] = remove(s.predictions[s.p], s.k)
			i := 0
			for ; i < len(s.predictions[1]); i++ {
				if a, _ := journal.ParsePrediction(s.predictions[1][i].Value); a.Seq > seq {
					break
				}
			}
			s.predictions[1] = insert(s.predictions[1], i, moved)
			return []verify.Finding{{Kind: verify.Differs, Seq: seq,
				Output: &verify.Place{Partition: 1, Offset: int64(i)}, Input: s.of(s.k),
				Fields: []verify.Field{{Name: "output partition", Published: "1", Computed: "2"}}}}
		}},
		{"another writer", func(s *damagedHistory) []verify.Finding {
			other := s.predictions[s.p][s.k]
			other.Value = bytes.Replace(other.Value, []byte(`"model":"`), []byte(`"model":"not-`), 1)
			s.predictions[s.p] = insert(s.predictions[s.p], s.k, other)
			return []verify.Finding{{Kind: verify.Foreign, Output: s.at(s.k)}}
		}},
		{"no prediction at all", func(s *damagedHistory) []verify.Finding {
			s.predictions[s.p] = insert(s.predictions[s.p], s.k,
				topics.Record{Key: []byte("k"), Value: []byte("hello")})
			return []verify.Finding{{Kind: verify.Foreign, Output: s.at(s.k)}}
		}},
		{"dead letter missing", func(s *damagedHistory) []verify.Finding {
			i, l := s.deadLetter(nil)
			s.deadLetters = remove(s.deadLetters, i)
			return []verify.Finding{{Kind: verify.NoDeadLetter,
				Input: &verify.Place{Partition: l.Partition, Offset: l.Offset}}}
		}},
		{"last dead letter missing", func(s *damagedHistory) []verify.Finding {
			l := s.outcome.DeadLetters[len(s.outcome.DeadLetters)-1]
			s.deadLetters = s.deadLetters[:len(s.deadLetters)-1]
			return []verify.Finding{{Kind: verify.NoDeadLetter,
				Input: &verify.Place{Partition: l.Partition, Offset: l.Offset}}}
		}},
		{"dead letter twice", func(s *damagedHistory) []verify.Finding {
			i, l := s.deadLetter(nil)
			s.deadLetters = append(s.deadLetters, s.deadLetters[i])
			return []verify.Finding{{Kind: verify.Duplicate,
				DeadLetter: &verify.Place{Offset: int64(len(s.deadLetters) - 1)},
				Input:      &verify.Place{Partition: l.Partition, Offset: l.Offset}}}
		}},
		{"dead letter and prediction", func(s *damagedHistory) []verify.Finding {
			at := s.of(s.k)
			s.deadLetter(at)
			return []verify.Finding{{Kind: verify.Duplicate, Seq: s.prediction(s.k).Seq,
				DeadLetter: &verify.Place{Offset: int64(len(s.deadLetters) - 1)}, Output: s.at(s.k), Input: at}}
		}},
		{"dead letter of nothing", func(s *damagedHistory) []verify.Finding {
			at := &verify.Place{Partition: 1, Offset: 77777}
			s.deadLetter(at)
			return []verify.Finding{{Kind: verify.NoInput,
				DeadLetter: &verify.Place{Offset: int64(len(s.deadLetters) - 1)}, Input: at}}
		}},
	}
}

// turn finds a prediction of the second half behind which another partition's turn came; if it can be, one that the
// model learned from.
func (s *damagedHistory) turn() (p, k int) {
	p = -1
	for s.p = range s.predictions {
		for i := range len(s.predictions[s.p]) - 1 {
			if seq := s.prediction(i).Seq; seq > s.midSeq && s.prediction(i+1).Seq > seq+1 {
				p, k = s.p, i
				if bytes.Contains(s.predictions[p][k].Value, []byte(`"updated":true`)) {
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

// deadLetter finds a dead letter of the second half with a prediction behind it; or, with a place, adds one of the
// record there.
func (s *damagedHistory) deadLetter(at *verify.Place) (int, journal.DeadLetter) {
	for i := range s.deadLetters {
		l, ok := journal.ParseDeadLetter(&s.deadLetters[i])
		if !ok || l.Partition != int32(s.p) || l.Offset < perPartition+10 || l.Offset > 2*perPartition-20 {
			continue
		}
		if at != nil {
			headers, err := recordbatch.ParseHeaders(s.deadLetters[i].Headers)
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
			s.deadLetters = append(s.deadLetters, topics.Record{Headers: rawHeaders(headers)})
		}
		return i, l
	}
	panic("no dead letter in the second half")
}
