package evaluate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"rosenblatt/cmd/internal/source"
	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/topics"
)

// joinedSource is files of events and one of label records, merged by their times.
type joinedSource struct {
	*fileSource
	path   string       // of the labels
	labels *source.File // read like a file of events
	merge  labels.Merge
	heads  [2]head // of events and labels
}

// The sources of the merge.
const (
	eventHead = iota
	labelHead
)

// head is the next record of a file.
type head struct {
	record  topics.Record // its value is in memory of its own, which the next one reuses
	read    bool
	ended   bool
	times   times
	why     *event.Error // of a record without a time: it is rejected at the time of the one before
	refused bool         // no event could be made of it, which is why
}

func (p *plan) openJoined(events *fileSource) (*joinedSource, error) {
	file, err := source.Open(p.Labels, source.Options{Format: p.LabelsFormat, Encoding: p.Encoding, Note: p.note},
		p.program.Stdin)
	if err != nil {
		return nil, err
	}
	s := &joinedSource{fileSource: events, path: p.Labels, labels: file}
	s.merge = labels.Merge{Slack: p.LabelSlack.Milliseconds()}
	around := p.envelope(events.format())
	for i, o := range []event.Options{p.timeOptions(events.format(), events.table(), around),
		p.timeOptions(file.Format(), file.Table(), p.LateLabels.Envelope(around, events.format() == file.Format()))} {
		s.merge.Add(i == labelHead)
		t := &s.heads[i].times
		t.field, t.fixed, t.out = p.TimeField, p.timeUnit, p.program.Stderr
		if t.reader, err = event.NewFieldReader(o, p.TimeField); err != nil {
			_ = file.Close() // it was only read
			return nil, fmt.Errorf("time-field: %w", err)
		}
	}
	p.lateFrom = &lateInput{format: file.Format(), table: file.Table(), where: s.whereLabel}
	return s, nil
}

// envelope is what is around events.
func (p *plan) envelope(format string) string {
	o := p.Events.Options(format, p.Bits, p.Seed)
	if p.model != nil {
		o = p.OfModel(o, p.fixed.Decode, p.given)
	}
	return o.Envelope
}

// timeOptions says how the time field is read, which is one of the event within its envelope.
func (p *plan) timeOptions(format string, t source.Table, envelope string) event.Options {
	o := event.Defaults(format)
	o.Columns, o.Dialect, o.Envelope = t.Columns, t.Dialect, envelope
	o.MaxBytes, o.MaxDepth, o.Tombstones = p.MaxBytes, p.MaxDepth, p.Tombstones
	return o
}

func (s *joinedSource) close() {
	s.fileSource.close()
	_ = s.labels.Close() // it was only read
}

// Fill implements replay.Source.
func (s *joinedSource) Fill(_ context.Context, b *replay.Block) error {
	for !b.Full() {
		if err := errors.Join(s.readEvent(), s.readLabel()); err != nil {
			return err
		}
		s.end()
		n, ok := s.merge.Next()
		if !ok {
			return cmp.Or(s.heads[eventHead].times.none(), s.heads[labelHead].times.none(), io.EOF)
		}
		s.take(n, b)
	}
	return nil
}

// take moves a head to the block.
func (s *joinedSource) take(n int, b *replay.Block) {
	r := s.heads[n].record
	r.Value = b.Copy(r.Value)
	s.heads[n].read = false
	s.merge.Take(n)
	if n == labelHead {
		b.RejectLabel(len(b.Labels), s.heads[n].why)
		b.Labels, b.Before = append(b.Labels, r), append(b.Before, int32(len(b.Records)))
		return
	}
	if s.heads[n].refused {
		b.Refuse(len(b.Records), s.heads[n].why)
	} else {
		b.Reject(len(b.Records), s.heads[n].why)
	}
	b.Records = append(b.Records, r)
	s.took(b, len(r.Value)+1, 1)
}

func (s *joinedSource) readEvent() error {
	for !s.known(eventHead) {
		value, err := s.file.Next()
		if errors.Is(err, io.EOF) {
			if err = s.next(); err == nil {
				continue
			}
		}
		return s.set(eventHead, s.file, value, s.paths[s.at], err)
	}
	return nil
}

func (s *joinedSource) readLabel() error {
	if s.known(labelHead) {
		return nil
	}
	value, err := s.labels.Next()
	return s.set(labelHead, s.labels, value, s.path, err)
}

// known reports whether a file has a head, or has ended.
func (s *joinedSource) known(n int) bool { return s.heads[n].read || s.heads[n].ended }

// end notes which files have ended, behind the heads that were read: their ends hold nobody up.
func (s *joinedSource) end() {
	for n := range s.heads {
		if s.heads[n].ended {
			s.merge.End(n, s.merge.Ask(math.MaxInt64))
		}
	}
}

// set makes a value the head of a file.
func (s *joinedSource) set(n int, file *source.File, value []byte, path string, err error) error {
	h, line := &s.heads[n], file.Line()
	if errors.Is(err, io.EOF) {
		h.ended = true
		return nil
	}
	if err != nil {
		return err
	}
	if h.why = file.Fault(); h.why == nil {
		var ms int64
		if ms, h.why = h.times.of(value, fmt.Sprintf("%s:%d", path, line)); h.why == nil {
			h.record.Timestamp = ms
		}
	}
	h.refused = file.Fault() != nil
	h.record.Offset, h.record.Value, h.read = int64(line), append(h.record.Value[:0], value...), true
	s.merge.Head(n, h.record.Timestamp)
	return nil
}

// whereLabel names a label record.
func (s *joinedSource) whereLabel(_ int32, r *topics.Record) string {
	return fmt.Sprintf("%s:%d", s.path, r.Offset)
}
