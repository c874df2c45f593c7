package stream

import (
	"context"
	"encoding/binary"
	"testing"

	"github.com/rs/zerolog"

	"rosenblatt/stream/board"
	"rosenblatt/stream/event"
	"rosenblatt/stream/schema"
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

// TestWaitHoldsNothing: a partition that waits for a schema holds neither its turn nor the place of a result that is
// passed on, and goes on without a turn.
func TestWaitHoldsNothing(t *testing.T) {
	t.Parallel()
	r := held{make(chan struct{}), make(chan struct{})}
	task := &Task{Registry: r, Logger: zerolog.Nop(), board: board.New("m")}
	task.Config.ModelConfig.Decode = event.Defaults(event.Avro)
	task.schemas = &schemas{}
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
