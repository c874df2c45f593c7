package journal

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
	headerOutput    = "rosenblatt.output"
	headerOmitted   = "rosenblatt.omitted"
)

const maxErrorBytes = 1024

// Rejection is a rejected event or label record.
type Rejection struct {
	Topic     string
	Partition int32
	Record    *topics.Record
	Why       *event.Error
}

// DeadLetterWriter appends dead letters to batches.
type DeadLetterWriter struct {
	Model  string // name@epoch
	Output string // the topic of the model's predictions
}

// Append appends a dead letter. With bare, it goes without the record's value, key and headers. It reports whether
// the dead letter fits into the batch.
func (w *DeadLetterWriter) Append(b *recordbatch.Builder, now int64, x Rejection, bare bool) bool {
	r, headers := x.Record, w.headers(x)
	if !bare {
		return b.AppendHeaders(now, r.Key, r.Value, r.Headers, headers)
	}
	omitted := fmt.Appendf(nil, "value=%d key=%d headers=%d", len(r.Value), len(r.Key), len(r.Headers))
	headers = append(headers, recordbatch.Header{Key: headerOmitted, Value: omitted})
	return b.AppendHeaders(now, nil, nil, nil, headers)
}

// AppendFitting appends a dead letter to an empty batch: whole, without its value, or bare.
func (w *DeadLetterWriter) AppendFitting(b *recordbatch.Builder, now int64, x Rejection) bool {
	if w.Append(b, now, x, false) {
		return true
	}
	omitted := recordbatch.Header{Key: headerOmitted, Value: fmt.Appendf(nil, "value=%d", len(x.Record.Value))}
	if b.AppendHeaders(now, x.Record.Key, nil, x.Record.Headers, append(w.headers(x), omitted)) {
		return true
	}
	return w.Append(b, now, x, true)
}

func (w *DeadLetterWriter) headers(x Rejection) []recordbatch.Header {
	text := x.Why.Message()
	text = text[:min(len(text), maxErrorBytes)]
	return []recordbatch.Header{
		{Key: headerReason, Value: []byte(x.Why.Reason.String())},
		{Key: headerError, Value: []byte(text)},
		{Key: headerTopic, Value: []byte(x.Topic)},
		{Key: headerPartition, Value: strconv.AppendInt(nil, int64(x.Partition), 10)},
		{Key: headerOffset, Value: strconv.AppendInt(nil, x.Record.Offset, 10)},
		{Key: headerTimestamp, Value: strconv.AppendInt(nil, x.Record.Timestamp, 10)},
		{Key: headerModel, Value: []byte(w.Model)},
		{Key: headerOutput, Value: []byte(w.Output)},
	}
}

// DeadLetter is a dead letter, as far as recovery and verify need it.
type DeadLetter struct {
	Reason    event.Reason
	Topic     string // of the record
	Partition int32
	Offset    int64
	Model     string // name@epoch
	Output    string // the topic of the model's predictions
	Own       int64  // in the dead-letter topic
}

// ParseDeadLetter reads a dead letter's headers. ok is false for any other record. A record that was rejected twice
// carries two sets of headers: the last one counts.
func ParseDeadLetter(r *topics.Record) (l DeadLetter, ok bool) {
	headers, err := recordbatch.ParseHeaders(r.Headers)
	if err != nil {
		return l, false
	}
	l.Partition, l.Offset, l.Own = -1, -1, r.Offset
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
		case headerOutput:
			l.Output = string(h.Value)
		}
	}
	return l, l.Model != "" && l.Partition >= 0 && l.Offset >= 0
}

// Detail is what a dead letter says for people.
type Detail struct {
	Reason  string // also one of a later version
	Error   string
	Time    int64  // of the rejected record, ms
	Omitted string // what did not fit into the dead letter; empty: nothing
}

// DetailOf reads the headers of a dead letter.
func DetailOf(r *topics.Record) (d Detail) {
	headers, _ := recordbatch.ParseHeaders(r.Headers) // ParseDeadLetter has read them
	for _, h := range headers {
		switch h.Key {
		case headerReason:
			d.Reason, d.Omitted = string(h.Value), "" // a record that was rejected twice has two sets
		case headerError:
			d.Error = string(h.Value)
		case headerTimestamp:
			d.Time, _ = strconv.ParseInt(string(h.Value), 10, 64)
		case headerOmitted:
			d.Omitted = string(h.Value)
		}
	}
	return d
}
