package stream_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/model"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/state"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
	"rosenblatt/stream/topics"
	"rosenblatt/stream/verify"
)

// promoter promotes learners at random moments while a task runs.
type promoter struct {
	topics.Journal
	t     *stream.Task
	names []string
	r     *rand.Rand
	asked int
}

// Append implements topics.Journal: before each flight, one time of three, somebody asks for a promotion.
func (p *promoter) Append(ctx context.Context, batches []topics.Batch) error {
	if p.r.IntN(3) == 0 {
		name := p.names[p.r.IntN(len(p.names))]
		p.asked++
		go func() { _, _ = p.t.Promote(ctx, name) }() // the session may end meanwhile
	}
	return p.Journal.Append(ctx, batches)
}

// promoting lets a setup's tasks be promoted at random, besides what Adjust does.
func promoting(s *streamtest.Setup, r *rand.Rand) {
	adjust, names := s.Adjust, s.Config.ModelConfig.Learners()
	s.Adjust = func(task *stream.Task) {
		if adjust != nil {
			adjust(task)
		}
		task.Journal = &promoter{Journal: task.Journal, t: task, names: names, r: r}
	}
}

// TestPromotionsSurviveCrashes: wherever a task is killed while learners are promoted, the journal gives back the
// champion, all learners and all figures, to the bit; and `verify` finds nothing, from the start and from a checkpoint.
func TestPromotionsSurviveCrashes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(streamtest.Rounds(4, 12, 40)) {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 380))
			partitions := 1 + r.IntN(4)
			s := streamtest.New(t, streamtest.Start(t), partitions)
			withChallengers(t, s, crashChallengers[:1+seed%3]...)
			for p := range partitions {
				s.Cluster.Produce(t, s.Name, p, events(seed*10+uint64(p), 300)...)
			}
			s.Config.BatchRecords, s.Config.CheckpointInterval = 1+r.IntN(40), time.Millisecond
			s.Config.CheckpointEvery, s.Config.Grace = int64(1+r.IntN(100)), time.Minute
			crashes := crashWhilePromoting(t, s, r, 12)
			o := s.Audit(t)
			h, got := newestOf(t, s)
			sameContent(t, s.Config.ModelConfig, got, o.Proc)
			cleanAudit(t, s)
			t.Logf("%d crashes, %d predictions, %d promotions, now %s", crashes, len(o.Predictions), len(h.Promotions),
				got.Champion())
		})
	}
}

// TestPromote: a promotion takes effect with the next flight, and is answered when its first entry is acknowledged; the
// old champion goes on as a challenger, and comes back.
func TestPromote(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	withChallengers(t, s, "pa1:C=0.5 scale:none", "b=averaged")
	s.Config.UntilEnd = false
	task := s.Task(t)
	stop, _ := streamtest.Background(t, task.Run)
	fed := int64(0)
	feed := func(n int, seed uint64) {
		s.Cluster.Produce(t, s.Name, 0, events(seed, n)...)
		fed += int64(n)
		streamtest.Await(t, "they are predicted", func() bool {
			st := task.Status()
			return st.Counts.Read+st.Counts.Tombstones >= fed && st.Unacknowledged == 0
		})
	}
	feed(100, 1)
	soon, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	var unknown *model.UnknownLearner
	if _, err := task.Promote(t.Context(), "nobody"); !errors.As(err, &unknown) {
		t.Errorf("%v", err)
	}
	if _, err := task.Promote(soon, "c1"); !errors.Is(err, stream.ErrPending) {
		t.Errorf("nothing comes, and it is answered: %v", err)
	}
	if _, err := task.Promote(t.Context(), "b"); !errors.Is(err, stream.ErrPromoting) {
		t.Errorf("two wait: %v", err)
	}
	if _, err := task.Promote(t.Context(), "c1"); !errors.Is(err, stream.ErrPending) {
		t.Errorf("it is asked for again: %v", err)
	}
	if seq, err := task.Promote(t.Context(), model.OwnName); seq != 0 || err != nil { // it is withdrawn
		t.Errorf("it is the champion: %d, %v", seq, err)
	}
	feed(10, 4)
	if all := task.Status().Promotions; len(all) > 0 {
		t.Errorf("one that is withdrawn takes effect: %v", all)
	}
	again, cancelAgain := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancelAgain()
	if _, err := task.Promote(again, "c1"); !errors.Is(err, stream.ErrPending) {
		t.Errorf("nothing comes, and it is answered: %v", err)
	}
	before := task.Status().Seq
	feed(100, 2)
	streamtest.Await(t, "c1 is the champion", func() bool { return len(task.Status().Promotions) == 1 })
	p := task.Status().Promotions[0]
	if p.Seq != before+1 || p.From != model.OwnName || p.To != "c1" {
		t.Errorf("%+v, want from seq %d on", p, before+1)
	}
	if seq, err := task.Promote(t.Context(), "c1"); seq != p.Seq || err != nil {
		t.Errorf("it is the champion: %d, %v", seq, err)
	}
	answered := make(chan int64, 1)
	go func() {
		seq, err := task.Promote(t.Context(), model.OwnName)
		if err != nil {
			t.Error(err)
		}
		answered <- seq
	}()
	was := task.Status().Seq
	streamtest.Await(t, "it is answered", func() bool {
		feed(1, 3)
		return len(answered) > 0
	})
	if seq := <-answered; seq <= was {
		t.Errorf("taken back from seq %d on, and seq %d was there", seq, was)
	}
	streamtest.Await(t, "the status has it", func() bool { return len(task.Status().Promotions) == 2 })
	st := task.Status()
	if st.Learners[0].Name != model.OwnName || st.Score.Examples <= st.Learners[0].Score.Examples-1 {
		t.Errorf("%+v", st.Learners)
	}
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	o := s.Audit(t)
	if len(o.Champions) != 2 {
		t.Errorf("%v", o.Champions)
	}
	_, got := newestOf(t, s)
	sameContent(t, s.Config.ModelConfig, got, o.Proc)
	cleanAudit(t, s)
	s.Config.UntilEnd = true
	s.MustRun(t)
}

// crashWhilePromoting is crashUntilThrough with promotions at random.
func crashWhilePromoting(t *testing.T, s *streamtest.Setup, r *rand.Rand, most int) (crashes int) {
	t.Helper()
	for ; ; crashes++ {
		p := &plug{}
		p.left.Store(int64(r.IntN(60)))
		if crashes >= most {
			p.left.Store(1 << 40)
		}
		s.Adjust = func(task *stream.Task) {
			task.Journal = pluggedJournal{task.Journal, p}
			task.Group = pluggedGroup{task.Group, p}
			task.Store.FS = pluggedFS{task.Store.FS, p}
			if task.Checkpoints != nil {
				task.Checkpoints = pluggedTopic{task.Checkpoints, p}
			}
		}
		promoting(s, rand.New(rand.NewPCG(r.Uint64(), 1)))
		_, err := s.Run(t)
		if err == nil {
			return crashes
		}
		if !errors.Is(err, errPlug) {
			t.Fatalf("after %d crashes: %v", crashes, err)
		}
		if s.State != "" {
			elsewhere(t, s, r)
		}
	}
}

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
		own.Append(r.Timestamp, r.Key, r.Value)
	}
	return own
}

// leadOf is who a batch makes the champion.
func leadOf(b topics.Batch) string {
	data, err := b.Records.Seal(1, 1, 0, recordbatch.None)
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
	r := topics.Record{}
	records.Next(&r)
	return journal.ChampionOf(r.Headers)
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
			feed := func(n int, seed uint64) {
				was := task.Status().Seq
				for p := range 2 {
					s.Cluster.Produce(t, s.Name, p, events(seed+uint64(p), n)...)
				}
				streamtest.Await(t, "they are predicted", func() bool {
					st := task.Status()
					return st.Seq >= was+int64(n) && st.Lag() == 0 && st.Unacknowledged == 0
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
	soon, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := task.Promote(soon, "o"); !errors.Is(err, stream.ErrPending) {
		t.Fatal(err)
	}
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

// TestPromotionsFollowed: a follower takes over with the learner that was promoted, and with all others, and its
// journal is that of the model.
func TestPromotionsFollowed(t *testing.T) {
	t.Parallel()
	s := withTopic(t, streamtest.New(t, streamtest.Start(t), 2))
	withChallengers(t, s, crashChallengers...)
	s.Config.CheckpointInterval = time.Hour
	p := killed(s)
	a := member(t, s, s.Dir)
	a.rounds <- 1
	feed := func(m *standby, n int, seed uint64) {
		was := m.Status().Seq
		for p := range 2 {
			s.Cluster.Produce(t, s.Name, p, events(seed+uint64(p), n)...)
		}
		streamtest.Await(t, "they are predicted", func() bool {
			st := m.Status()
			return st.State == board.Live && st.Seq > was && st.Lag() == 0 && st.Unacknowledged == 0
		})
	}
	a.isLive(t)
	feed(a, 50, 1)
	other := *s
	other.Adjust = nil
	b := member(t, &other, t.TempDir())
	promote := func(m *standby, name string) {
		go func() { _, _ = m.Promote(t.Context(), name) }()
		streamtest.Await(t, "it is promoted", func() bool {
			feed(m, 5, 3)
			return m.Status().Learners[0].Name == name
		})
	}
	promote(a, "c1")
	feed(a, 50, 5)
	promote(a, "b")
	feed(a, 50, 7)
	b.await(t, board.Following, a.Status().Seq)
	if got := b.Status(); got.Learners[0].Name != "b" || len(got.Promotions) != 2 {
		t.Errorf("the follower has %s, %+v", got.Learners[0].Name, got.Promotions)
	}
	if _, err := b.Promote(t.Context(), "c1"); !errors.Is(err, stream.ErrNotLive) {
		t.Errorf("a follower promotes: %v", err)
	}
	p.left.Store(0)
	s.Cluster.Produce(t, s.Name, 0, events(9, 1)...)
	if err := <-a.ended; !errors.Is(err, errPlug) {
		t.Fatal(err)
	}
	b.rounds <- 2
	b.isLive(t)
	feed(b, 20, 11)
	promote(b, "learner")
	feed(b, 20, 13)
	b.stop()
	if err := <-b.ended; err != nil {
		t.Fatal(err)
	}
	own := *b.setup
	own.Adjust = nil
	o := own.Audit(t)
	_, got := newestOf(t, &own)
	sameContent(t, s.Config.ModelConfig, got, o.Proc)
	cleanAudit(t, &own)
	if len(got.Promotions()) != 3 {
		t.Errorf("%+v", got.Promotions())
	}

	// The checkpoint topic alone gives all back, and so does an empty folder with the journal.
	third := own
	third.Dir, third.Config.UntilEnd = t.TempDir(), true
	third.MustRun(t)
	_, restored := newestOf(t, &third)
	sameContent(t, s.Config.ModelConfig, restored, o.Proc)
}

// isLive waits until the member predicts.
func (m *standby) isLive(t testing.TB) {
	t.Helper()
	streamtest.Await(t, "it is live", func() bool { return m.Status().State == board.Live })
}

// TestLatePromotionsSurviveCrashes: where labels come later, too. What waited was published by one learner and is
// learned under another one; `verify` makes the same of it, from the start.
func TestLatePromotionsSurviveCrashes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(streamtest.Rounds(3, 8, 30)) {
		t.Run(fmt.Sprint("seed", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 381))
			partitions, labels := 1+r.IntN(3), 1+r.IntN(2)
			s := lateSetup(t, partitions, labels, 1)
			withChallengers(t, s, "pa1:C=0.1 scale:none decide:recall=0.7", "b=arow decide:precision=0.6", "logistic")
			newLateStream(seed, 500, partitions, labels).produce(t, s)
			s.Config.BatchRecords = 1 + r.IntN(30)
			s.Config.CheckpointEvery = 1 + int64(r.IntN(60))
			crashes := crashWhilePromoting(t, s, r, 12)
			h, got := newestOf(t, s)
			proc, err := s.Config.NewProcessor()
			if err != nil {
				t.Fatal(err)
			}
			limits := state.LabelsConfig{Limits: h.Late.Ever.Limits, Slack: s.Config.Labels.Slack, Memory: 1 << 20}
			a, err := verify.Audit{Log: s.Client(t), Model: s.Name, Labels: limits,
				From: verify.Start{Processor: proc, Config: s.Config.ModelConfig}}.Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range a.Findings {
				t.Errorf("verify: %+v", f)
			}
			sameModels(t, s.Config.ModelConfig, got, proc)
			t.Logf("%d crashes, seq %d, %d promotions, now %s", crashes, a.Seq, len(h.Promotions), got.Champion())
		})
	}
}

// sameModels compares the weights, calibrations and cuts of all learners. An audit counts no figures of what has no
// label.
func sameModels(t testing.TB, c model.Config, got, want *model.Processor) {
	t.Helper()
	a, b := contentOf(t, c, got), contentOf(t, c, want)
	n := 0
	for name := range a {
		if strings.Contains(name, "score") || name == "contest" || name == "state" {
			continue
		}
		if n++; a[name] != b[name] {
			t.Errorf("%s is %.200q, want %.200q", name, a[name], b[name])
		}
	}
	if n < 4*(1+len(c.Challengers)) || got.Champion() != want.Champion() {
		t.Errorf("%d sections; %s is the champion, want %s", n, got.Champion(), want.Champion())
	}
}

// TestPromotionIsAcknowledged: who asks for the champion while its first entry is under way is not told that it is
// published; nor is who promoted it.
func TestPromotionIsAcknowledged(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	withChallengers(t, s, "pa1:C=0.5 scale:none")
	s.Config.UntilEnd = false
	h := &heldBack{held: make(chan struct{}), release: make(chan struct{})}
	s.Adjust = func(task *stream.Task) { h.Journal, task.Journal = task.Journal, h }
	task := s.Task(t)
	stop, _ := streamtest.Background(t, task.Run)
	streamtest.Await(t, "it is live", func() bool { return task.Status().State == board.Live })
	soon, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := task.Promote(soon, "c1"); !errors.Is(err, stream.ErrPending) {
		t.Fatal(err)
	}
	s.Cluster.Produce(t, s.Name, 0, events(1, 5)...)
	<-h.held
	streamtest.Await(t, "it is the champion", func() bool { return len(task.Status().Promotions) == 1 })
	if _, err := task.Promote(t.Context(), "c1"); !errors.Is(err, stream.ErrPending) {
		t.Errorf("nothing is acknowledged, and it is answered: %v", err)
	}
	close(h.release)
	streamtest.Await(t, "it is answered", func() bool {
		seq, err := task.Promote(t.Context(), "c1")
		return seq == 1 && err == nil
	})
	if err := stop(); err != nil {
		t.Fatal(err)
	}
	cleanAudit(t, s)
}

// heldBack holds the first flight back.
type heldBack struct {
	topics.Journal
	held, release chan struct{}
	once          sync.Once
}

// Append implements topics.Journal.
func (h *heldBack) Append(ctx context.Context, batches []topics.Batch) error {
	h.once.Do(func() {
		close(h.held)
		<-h.release
	})
	return h.Journal.Append(ctx, batches)
}
