package stream_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"rosenblatt/checkpoint"
	"rosenblatt/learner"
	"rosenblatt/stream"
	"rosenblatt/stream/model"
	"rosenblatt/stream/streamtest"
)

// wideEvents have ten features each of very many.
func wideEvents(seed uint64, n int) []string {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(`{"label":%d`, 2*r.IntN(2)-1)
		for j := range 10 {
			out[i] += fmt.Sprintf(`,"%c%d":%.3f`, 'a'+j, r.IntN(100_000), r.NormFloat64())
		}
		out[i] += "}"
	}
	return out
}

var hashSeed = maphash.MakeSeed()

// sumOf is a hash of all of a binary model's tables.
func sumOf(t testing.TB, p *model.Processor) uint64 {
	t.Helper()
	var h maphash.Hash
	h.SetSeed(hashSeed)
	m := p.Binary()
	for _, c := range m.Columns() {
		for _, table := range []any{c.Float64, c.Uint16, c.Bytes} {
			if err := binary.Write(&h, binary.LittleEndian, table); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := binary.Write(&h, binary.LittleEndian, m.Bias()); err != nil {
		t.Fatal(err)
	}
	return h.Sum64()
}

// TestCopiesBesideLearning: while checkpoints are saved and the model is copied for /predict again and again, both in
// many steps, each copy is the model that has learned just the events up to its seq.
func TestCopiesBesideLearning(t *testing.T) {
	t.Parallel()
	const bits, n = 18, 4000
	s := streamtest.New(t, streamtest.Start(t), 1)
	s.Config.UntilEnd, s.Config.CheckpointEvery, s.Config.BatchRecords = false, 100, 50
	spec := learner.Spec{Learner: "arow", Scale: learner.ScaleStandard, Bits: bits}
	s.Config.ModelConfig.Learner = spec.WithDefaults()
	s.Config.ModelConfig.Decode.Bits = bits
	input := wideEvents(1, n)
	s.Cluster.Produce(t, s.Name, 0, input...)
	task := s.Task(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- task.Run(ctx) }()
	var copied stream.ModelCopy
	sums := map[int64]uint64{}
	for task.Status().Seq < n {
		err := task.Copy(ctx, &copied)
		switch {
		case err == nil:
			sums[copied.Seq] = sumOf(t, copied.Proc)
		case !errors.Is(err, stream.ErrNotLive) || len(done) > 0:
			t.Fatal(err)
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	files, err := (&checkpoint.Store{Dir: filepath.Join(s.Dir, s.Name)}).Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range files {
		f, err := checkpoint.Open(nil, path)
		if err != nil {
			t.Fatal(err)
		}
		h, proc, err := model.Read(f)
		if err != nil {
			t.Fatal(err)
		}
		if sum, ok := sums[h.Seq]; ok && sum != sumOf(t, proc) {
			t.Errorf("%s is not the copy of the same seq", path)
		}
		sums[h.Seq] = sumOf(t, proc)
	}
	t.Logf("%d copies, %d checkpoints saved", len(sums), task.Status().Checkpoints)
	if len(sums) < 5 || task.Status().Checkpoints < 5 {
		t.Errorf("%d copies, %d checkpoints", len(sums), task.Status().Checkpoints)
	}
	proc, err := model.NewProcessor(s.Config.ModelConfig)
	if err != nil {
		t.Fatal(err)
	}
	for i := range int64(n) + 1 {
		if sum, ok := sums[i]; ok && sum != sumOf(t, proc) {
			t.Errorf("the copy at seq %d is not the model", i)
		}
		if i < n {
			run(t, proc, s.Config.ModelConfig.Decode, input[i:i+1])
		}
	}
}
