package replay_test

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"rosenblatt/learner"
	"rosenblatt/learner/datasets"
	"rosenblatt/stream/event"
	"rosenblatt/stream/model"
	"rosenblatt/stream/replay"
	"rosenblatt/stream/topics"
)

// lines is a source of the lines of a reader.
type lines struct {
	from *bufio.Scanner
	read int64
}

func (l *lines) Fill(_ context.Context, b *replay.Block) error {
	for !b.Full() {
		if !l.from.Scan() {
			if err := l.from.Err(); err != nil {
				return err
			}
			return io.EOF
		}
		l.read++
		b.Records = append(b.Records, topics.Record{Offset: l.read, Value: b.Copy(l.from.Bytes())})
	}
	return nil
}

func (l *lines) Done() (done, total int64) { return l.read, 0 }

func (l *lines) Where(b *replay.Block, i int) string { return fmt.Sprint(b.Records[i].Offset) }

// dataFile opens a file of the data sets, unpacked.
func dataFile(t *testing.T, name string) io.Reader {
	t.Helper()
	f, err := os.Open(datasets.Path(t, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	if !strings.HasSuffix(f.Name(), ".gz") {
		return f
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// theirs is what a program that is not ours counted.
type theirs struct {
	learner           string // as we call it
	mistakes, updates int64  // updates -1: it does not count them
	off               int64  // how far from it we may be
}

// compare replays a csv file without its header and holds each learner against what others counted.
func compare(t *testing.T, from io.Reader, o event.Options, scale string, want []theirs) {
	t.Helper()
	c := replay.Config{Decode: o}
	for _, w := range want {
		var spec learner.Spec
		if err := cmp.Or(learner.ParseScale(scale, &spec), learner.ParseLearner(w.learner, &spec)); err != nil {
			t.Fatal(err)
		}
		proc, err := model.NewProcessor(model.Config{Learner: spec, Decode: o})
		if err != nil {
			t.Fatal(err)
		}
		c.Learners = append(c.Learners, replay.Learner{Name: w.learner, Processor: proc})
	}
	if _, err := replay.Run(t.Context(), &lines{from: bufio.NewScanner(from)}, c); err != nil {
		t.Fatal(err)
	}
	for i, w := range want {
		got := c.Learners[i].Processor.Report()
		if d := got.Mistakes - w.mistakes; d > w.off || d < -w.off {
			t.Errorf("scale %s, %s: %d mistakes, the others made %d", scale, w.learner, got.Mistakes, w.mistakes)
		}
		if d := got.Updates - w.updates; w.updates >= 0 && (d > w.off || d < -w.off) {
			t.Errorf("scale %s, %s: %d updates, the others made %d", scale, w.learner, got.Updates, w.updates)
		}
	}
}
