package stream

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/rs/zerolog"

	"rosenblatt/stream/board"
	"rosenblatt/stream/event"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/topics"
)

// held is a registry that tells when it is asked, and answers when it is released.
type held struct{ asked, release chan struct{} }

func (h held) Get(ctx context.Context, _ schema.ID) (*schema.Schema, error) {
	h.asked <- struct{}{}
	select {
	case <-h.release:
		return &schema.Schema{Type: schema.Avro, Text: `{"type":"record","name":"e","fields":[]}`}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (h held) Ask(ctx context.Context, id schema.ID) (*schema.Schema, error) { return h.Get(ctx, id) }

// TestWaitHoldsNothing: a partition that waits for a schema holds neither its turn nor the place of a result that is
// passed on, and goes on without a turn.
func TestWaitHoldsNothing(t *testing.T) {
	t.Parallel()
	r := held{make(chan struct{}), make(chan struct{})}
	task := &Task{Registry: r, Logger: zerolog.Nop(), board: board.New("m")}
	task.Config.ModelConfig.Decode = event.Defaults(event.Avro)
	task.schemas = newSchemas()
	task.schemas.gate.Known, task.schemas.gate.Source = &task.schemas.known, r
	s := &session{t: task, chunks: newScheduler(chunkRecords, decoders{}, 0, 0)}
	ctx := t.Context()
	if !s.chunks.turn(ctx, false, false, true) || !s.chunks.begin(ctx) {
		t.Fatal("no turn")
	}
	run := &topics.Run{Records: []topics.Record{{Value: binary.BigEndian.AppendUint32([]byte{0}, 7)}}}
	type result struct {
		turn bool
		err  error
	}
	done := make(chan result, 1)
	go func() {
		turn, err := s.awaitSchemas(ctx, topics.Input, run, true, true)
		done <- result{turn, err}
	}()
	<-r.asked
	if len(s.chunks.turns) != 0 || len(s.chunks.passing) != 0 {
		t.Errorf("it holds %d turns and %d places", len(s.chunks.turns), len(s.chunks.passing))
	}
	close(r.release)
	if got := <-done; got.turn || got.err != nil || len(s.chunks.turns) != 0 || len(s.chunks.passing) != 1 {
		t.Errorf("%+v, %d turns and %d places", got, len(s.chunks.turns), len(s.chunks.passing))
	}
	if turn, err := s.awaitSchemas(ctx, topics.Input, run, true, true); !turn || err != nil {
		t.Error("what is known is waited for")
	}
}

// TestReplacedSchemas: where the checkpoint topic has another schema than what was decoded with, all is loaded again.
func TestReplacedSchemas(t *testing.T) {
	t.Parallel()
	entry := func(text string) []schema.Entry {
		return []schema.Entry{{ID: schema.ID{Number: 1}, Schema: &schema.Schema{Type: schema.Avro, Text: text}}}
	}
	line, err := entry("a")[0].AppendLine(nil)
	if err != nil {
		t.Fatal(err)
	}
	log := memoryLog{Key: []byte("out/schema/1"), Value: line}
	task := &Task{Logger: zerolog.Nop(), board: board.New("m"), schemas: newSchemas()}
	if task.schemas.file, err = schema.OpenFile(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	r := &recovery{t: task}
	for _, own := range []string{"a", "b"} {
		if err := task.schemas.known.Reset(entry(own), task.schemas.file.Replace); err != nil {
			t.Fatal(err)
		}
		held := statetopic.NewCopy(log, "out")
		if err := held.ReadNow(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := r.noteSchemas(held); errors.Is(err, errNewWriter) != (own == "b") {
			t.Errorf("%s: %v", own, err)
		}
		if got := task.schemas.known.Newest(schema.ID{Number: 1}); got.Text != "a" {
			t.Errorf("%s: %+v", own, got)
		}
	}
}

// memoryLog is a checkpoint topic with one record.
type memoryLog topics.Record

func (memoryLog) Bounds(context.Context) (from, to int64, err error) { return 0, 1, nil }

func (memoryLog) Append(context.Context, *recordbatch.Builder) error {
	return errors.New("it is read alone")
}

func (l memoryLog) Open(int64) topics.Reader { return l }

func (l memoryLog) Read(_ context.Context, run *topics.Run, _ int) error {
	run.Reset(0, 1)
	run.Records = append(run.Records, topics.Record(l))
	return nil
}
