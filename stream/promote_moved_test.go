package stream_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/model"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// meddling changes the headers of the first record of each batch of the flights that have a promotion.
type meddling struct {
	topics.Journal
	how     string
	pending string // a champion for the next flight
	met     int
}

// Append implements topics.Journal.
func (m *meddling) Append(ctx context.Context, batches []topics.Batch) error {
	champion := m.pending
	m.pending = ""
	for i, b := range batches {
		name := leadOf(b)
		if b.Topic == topics.DeadLetters || name == "" && champion == "" {
			continue
		}
		own := &recordbatch.Builder{}
		b.Records.CopyRange(own, 0, b.Records.Len(), nil)
		switch {
		case name == "":
			own.Lead(journal.Champion(champion))
		case m.how == "one batch" && i == 0:
			continue
		default:
			m.met++
			own = without(b.Records)
			if m.how == "late" {
				m.pending = name
			}
		}
		batches[i].Records = own
	}
	return m.Journal.Append(ctx, batches)
}

// without is a copy of a batch whose records have no headers.
func without(b *recordbatch.Builder) *recordbatch.Builder {
	own := &recordbatch.Builder{Limit: b.Limit, Single: b.Single}
	for _, r := range unpacked(b) {
		own.Append(r.Timestamp, r.Key, r.Value)
	}
	return own
}

// unpacked are the records of a batch.
func unpacked(b *recordbatch.Builder) (all []topics.Record) {
	data, err := b.Seal(1, 1, 0, recordbatch.None)
	if err != nil {
		panic(err)
	}
	sealed, _, err := recordbatch.Next(data)
	if err != nil {
		panic(err)
	}
	var u recordbatch.Unpacker
	records, err := u.Open(&sealed)
	if err != nil {
		panic(err)
	}
	for r := (topics.Record{}); records.Next(&r); {
		all = append(all, r)
	}
	return all
}

// leadOf is who a batch makes the champion.
func leadOf(b topics.Batch) string {
	return journal.ChampionOf(unpacked(b.Records)[0].Headers)
}

// TestMovedPromotions: where the headers of a promotion are lost, in one batch of its flight alone, or one flight late,
// the next start does not go on with another model, and verify finds it.
func TestMovedPromotions(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"lost", "one batch", "late"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			s := streamtest.New(t, streamtest.Start(t), 2)
			withChallengers(t, s, "pa1:C=0.5 scale:none")
			s.Log = streamtest.Log(t)
			s.Config.UntilEnd, s.Config.CheckpointInterval = false, time.Hour
			m := &meddling{how: how}
			p := &plug{}
			p.left.Store(1 << 40)
			s.Adjust = func(task *stream.Task) {
				m.Journal, task.Journal = pluggedJournal{task.Journal, p}, m
				task.Store.FS = pluggedFS{task.Store.FS, p}
			}
			task := s.Task(t)
			_, ended := streamtest.Background(t, task.Run)
			fed := int64(0)
			feed := func(n int, seed uint64) {
				for p := range 2 {
					s.Cluster.Produce(t, s.Name, p, events(seed+uint64(p), n)...)
				}
				fed += int64(2 * n)
				streamtest.Await(t, "they are predicted", func() bool {
					st := task.Status()
					return st.Counts.Read+st.Counts.Tombstones >= fed && st.Unacknowledged == 0
				})
			}
			feed(50, 1)
			go func() { _, _ = task.Promote(t.Context(), "c1") }()
			streamtest.Await(t, "it is promoted", func() bool {
				feed(30, 3)
				return len(task.Status().Promotions) == 1
			})
			feed(50, 5)
			p.left.Store(0)
			s.Cluster.Produce(t, s.Name, 0, events(7, 1)...)
			if err := <-ended; !errors.Is(err, errPlug) {
				t.Fatal(err)
			}
			s.Adjust, s.Config.UntilEnd = nil, true
			if _, err := s.Run(t); m.met > 0 && !stops.Is(err, stops.JournalDiffers) {
				t.Errorf("the next start: %v", err)
			}
			proc, err := s.Config.NewProcessor()
			if err != nil {
				t.Fatal(err)
			}
			r, err := verify.Audit{Log: s.Client(t), Model: s.Name,
				From: verify.Start{Processor: proc, Config: s.Config.ModelConfig}}.Run(t.Context())
			if err != nil || m.met > 0 && len(r.Findings) == 0 {
				t.Errorf("verify finds %d, %v", len(r.Findings), err)
			}
			if m.met == 0 && how != "one batch" { // its flight may have had one batch
				t.Error("no header was met")
			}
		})
	}
}

// TestPromotedMustTakeTheEvent: a challenger whose numbers overflow at the event with which it would begin is not
// promoted. The event is predicted by the champion, which stays.
func TestPromotedMustTakeTheEvent(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	withChallengers(t, s, "o=dual:kernel=poly,degree=20,budget=20 scale:none")
	s.Config.UntilEnd = false
	task := s.Task(t)
	stop, _ := streamtest.Background(t, task.Run)
	s.Cluster.Produce(t, s.Name, 0, events(1, 50)...)
	streamtest.Await(t, "they are predicted", func() bool { return task.Status().Seq > 40 })
	wantPending(t, task, "o")
	s.Cluster.Produce(t, s.Name, 0, `{"label":1,"features":{"a":1e30}}`, `{"label":-1,"features":{"b":1}}`)
	streamtest.Await(t, "they are predicted", func() bool { return task.Status().Counts.Read == 52 })
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	h, p := newestOf(t, s)
	if p.Champion() != model.OwnName || len(h.Promotions) > 0 || p.Suspended()["o"] == "" ||
		h.Counts.Rejected["overflow"] > 0 || h.Counts.Predictions < 50 {
		t.Errorf("%s, %v, %v, rejected %v", p.Champion(), h.Promotions, p.Suspended(), h.Counts.Rejected)
	}
	cleanAudit(t, s)
}
