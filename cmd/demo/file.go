package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
	"rosenblatt/cmd/internal/source"
	"rosenblatt/learner"
	"rosenblatt/stream/event"
)

type file struct {
	from  *source.File
	ahead [][]byte
	err   error // how reading ahead ended
}

// maxAhead is how many events are decoded before the demo starts.
const maxAhead = 100

// openFile decodes the first events, so that a wrong label column is an error at once.
func (o *Options) openFile() (*feedable, error) {
	from, err := source.Open(o.Input, source.Options{Format: o.Format}, os.Stdin)
	if err != nil {
		return nil, err
	}
	f := &file{from: from}
	f.readAhead()
	s := &feedable{eventSource: f, topic: topicOf(o.Input),
		title: strings.Join(append([]string{o.Input}, from.Notes()...), "; "), reading: daemon.Defaults().Events}
	if err = o.choose(s, from); err == nil {
		f.fixKinds(&s.reading)
		err = f.try(&s.reading)
	}
	if err != nil {
		f.close()
		return nil, fmt.Errorf("%s: %w", o.Input, err)
	}
	return s, nil
}

func (o *Options) choose(s *feedable, from *source.File) error {
	r := &s.reading
	table := from.Table()
	r.Format, r.Columns, r.Positive = from.Format(), table.Columns, o.Positive
	r.SetDialect(table.Dialect)
	switch f, _ := event.FindFormat(r.Format); {
	case f.LabelField == "":
		if o.LabelField != "" {
			return cli.Usagef("--label-field: in %s the label has its place at the start of the line", r.Format)
		}
		return nil
	case f.Cells == nil:
		r.LabelField = o.LabelField
		if table.Schema != "" {
			r.Schema = o.Input
		}
		declared := r.Options(r.Format, 0, 0)
		s.note, _ = r.OfFile(&declared, table)
		if table.Label != "" {
			r.LabelField, r.LabelNames, r.WeightField = declared.LabelField, declared.LabelNames, declared.WeightField
		}
		return nil
	}
	column, how := daemon.LabelColumn(r.Columns)
	how += "; --label-field NAME takes another"
	if o.LabelField != "" {
		column, how = o.LabelField, "as you said"
	}
	r.LabelField = column
	if !slices.Contains(r.Columns, r.LabelField) {
		return cli.Usagef("--label-field: %q is none of the columns %s", r.LabelField, strings.Join(r.Columns, ","))
	}
	s.note = fmt.Sprintf("%q is the label (%s)", r.LabelField, how)
	return nil
}

// fixKinds fixes what the columns of a table hold, as replay does.
func (f *file) fixKinds(r *daemon.Events) {
	if r.Columns == nil {
		return
	}
	o := r.Options(r.Format, 0, 0)
	daemon.FixKinds(&o, append(slices.Clone(f.ahead), f.from.Ahead(daemon.KindRows-len(f.ahead))...))
	r.Categorical, r.Numeric = o.Categorical, o.Numeric
}

var notInTopics = regexp.MustCompile(`[^a-zA-Z0-9_-]+`)

// topicOf makes a topic's name of a file's.
func topicOf(path string) string {
	name, _, _ := strings.Cut(strings.TrimLeft(filepath.Base(path), "."), ".")
	name = notInTopics.ReplaceAllString(name, "-")
	if strings.Trim(name, "-") == "" {
		return "events"
	}
	return name[:min(len(name), 100)]
}

// try decodes the values read ahead. Many rejected ones, or none with a label, are a usage error.
func (f *file) try(r *daemon.Events) error {
	o := r.Options(r.Format, event.Defaults(r.Format).Bits, 0)
	d, err := event.New(o)
	if err != nil {
		return &cli.UsageError{Err: err}
	}
	var rejected, labelled int
	var first *event.Error // the first rejection
	var e event.Example
	var arena []learner.Feature
	for _, v := range f.ahead {
		arena = d.Decode(&event.Record{Value: v}, arena[:0], &e)
		if e.Rejected != nil {
			rejected, first = rejected+1, cmp.Or(first, e.Rejected)
		} else if e.Label != 0 {
			labelled++
		}
	}
	switch n := len(f.ahead); {
	case 4*rejected > n && first.Reason == event.BadLabel:
		return cli.Usagef("%d of the first %d events cannot be used. The first: %s. --positive LABEL names the label "+
			"to tell from all others",
			rejected, n, first.Message())
	case 4*rejected > n:
		return cli.Usagef("%d of the first %d events cannot be used. The first: %v", rejected, n, first)
	case n > 0 && labelled == 0:
		return cli.Usagef("none of the first %d events has a label in %q: say --label-field NAME", n, o.LabelField)
	}
	return nil
}

func (f *file) readAhead() {
	for len(f.ahead) < maxAhead && f.err == nil {
		var v []byte
		if v, f.err = f.from.Next(); f.err == nil {
			f.ahead = append(f.ahead, bytes.Clone(v))
		}
	}
}

func (f *file) next() ([]byte, error) {
	switch {
	case len(f.ahead) > 0:
		v := f.ahead[0]
		f.ahead = f.ahead[1:]
		return v, nil
	case f.err != nil:
		return nil, f.err
	}
	return f.from.Next()
}

// skip ends early, without an error, if the file became shorter.
func (f *file) skip(n int64) error {
	for ; n > 0; n-- {
		if _, err := f.next(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

func (f *file) close() { _ = f.from.Close() } // it was only read
