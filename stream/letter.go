package stream

import (
	"fmt"
	"strconv"

	"rosenblatt/stream/event"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// The headers of a dead letter.
const (
	headerReason    = "rosenblatt.reason"
	headerError     = "rosenblatt.error"
	headerTopic     = "rosenblatt.topic"
	headerPartition = "rosenblatt.partition"
	headerOffset    = "rosenblatt.offset"
	headerTimestamp = "rosenblatt.timestamp"
	headerModel     = "rosenblatt.model"
	headerOmitted   = "rosenblatt.omitted"
)

// maxErrorBytes bounds the text in the error header.
const maxErrorBytes = 1024

// place is a record's place in the input.
type place struct {
	partition int32
	offset    int64
}

// letterer writes dead letters.
type letterer struct {
	topic string // of the input
	model string // name@epoch
}

// append adds the dead letter of r to b. With bare, value, key and headers are left out. It reports whether the letter fits.
func (l *letterer) append(b *recordbatch.Builder, now int64, partition int32, r *topics.Record, reason event.Reason, text string, bare bool) bool {
	headers := l.headers(partition, r, reason, text)
	if !bare {
		return b.AppendHeaders(now, r.Key, r.Value, r.Headers, headers)
	}
	omitted := fmt.Sprintf("value=%d key=%d headers=%d", len(r.Value), len(r.Key), len(r.Headers))
	headers = append(headers, recordbatch.Header{Key: headerOmitted, Value: []byte(omitted)})
	return b.AppendHeaders(now, nil, nil, nil, headers)
}

// appendFitting adds the letter to an empty batch: whole, without its value, or without value, key and headers.
func (l *letterer) appendFitting(b *recordbatch.Builder, now int64, partition int32, r *topics.Record, reason event.Reason, text string) bool {
	if l.append(b, now, partition, r, reason, text, false) {
		return true
	}
	omitted := recordbatch.Header{Key: headerOmitted, Value: fmt.Appendf(nil, "value=%d", len(r.Value))}
	if b.AppendHeaders(now, r.Key, nil, r.Headers, append(l.headers(partition, r, reason, text), omitted)) {
		return true
	}
	return l.append(b, now, partition, r, reason, text, true)
}

func (l *letterer) headers(partition int32, r *topics.Record, reason event.Reason, text string) []recordbatch.Header {
	if len(text) > maxErrorBytes {
		text = text[:maxErrorBytes]
	}
	return []recordbatch.Header{
		{Key: headerReason, Value: []byte(reason.String())},
		{Key: headerError, Value: []byte(text)},
		{Key: headerTopic, Value: []byte(l.topic)},
		{Key: headerPartition, Value: strconv.AppendInt(nil, int64(partition), 10)},
		{Key: headerOffset, Value: strconv.AppendInt(nil, r.Offset, 10)},
		{Key: headerTimestamp, Value: strconv.AppendInt(nil, r.Timestamp, 10)},
		{Key: headerModel, Value: []byte(l.model)},
	}
}

// Letter is a dead letter, as far as recovery and verify need it.
type Letter struct {
	Reason    event.Reason
	Topic     string
	Partition int32
	Offset    int64
	Model     string // name@epoch
}

// ParseLetter reads a dead letter's headers. ok is false for a record that is none of ours. Records that were rejected twice
// carry two sets of headers: the last one counts.
func ParseLetter(r *topics.Record) (l Letter, ok bool) {
	headers, err := recordbatch.ParseHeaders(r.Headers)
	if err != nil {
		return l, false
	}
	l.Partition, l.Offset = -1, -1
	for _, h := range headers {
		switch h.Key {
		case headerReason:
			var known bool
			if l.Reason, known = event.ParseReason(string(h.Value)); !known {
				l.Reason = event.Internal // a reason of a later version
			}
		case headerTopic:
			l.Topic = string(h.Value)
		case headerPartition:
			if n, err := strconv.ParseInt(string(h.Value), 10, 32); err == nil {
				l.Partition = int32(n)
			}
		case headerOffset:
			if n, err := strconv.ParseInt(string(h.Value), 10, 64); err == nil {
				l.Offset = n
			}
		case headerModel:
			l.Model = string(h.Value)
		}
	}
	return l, l.Model != "" && l.Partition >= 0 && l.Offset >= 0
}
