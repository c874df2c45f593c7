package produce

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"rosenblatt/stream/kafka/broker"
	"rosenblatt/stream/kafka/verdict"
	"rosenblatt/stream/topics"
)

var _ topics.Journal = (*Journal)(nil)

// Journal is a topics.Journal under a fence, with one flight at a time: one batch in each partition.
type Journal struct {
	view       *View
	producer   producer
	claimed    topics.Producer // of the newest takeover, also of one that failed behind InitProducerID
	fence      *topics.Fence   // nil before a takeover, and when nothing more may be sent
	began      time.Time       // time of the request that the fence's age counts from
	partitions map[topics.Topic][]partitionState
	failed     error // why nothing is sent until the next takeover

	checkpoints *CheckpointLog // under the same fence; nil without Options.Checkpoints
}

// NewJournal makes a writer of a task's topics, which writes nothing before Takeover.
func NewJournal(v *View) *Journal {
	j := &Journal{view: v, claimed: topics.NoProducer}
	j.producer = producer{
		cluster: v.Cluster, codec: v.Codec, operation: verdict.OnAppend, id: topics.NoProducer,
		expired: j.expired, acknowledged: j.acknowledged,
	}
	if v.Names.Checkpoints != "" {
		j.checkpoints = newCheckpointLog(v)
	}
	return j
}

// Checkpoints returns the task's partition of the checkpoint topic, nil where they are in the folder alone.
func (j *Journal) Checkpoints() *CheckpointLog { return j.checkpoints }

// Takeover is described at topics.Journal. With topics.NoProducer (a starting process) InitProducerID always succeeds
// and fences the current writer; a process that holds an id and epoch is refused once somebody else took over, and
// tries for as long as nobody did.
func (j *Journal) Takeover(ctx context.Context, held topics.Producer) (*topics.Fence, error) {
	j.fence, j.failed = nil, errors.New("the takeover before was not completed")
	starts := held == topics.NoProducer
	if starts {
		if err := j.view.otherKind(ctx); err != nil {
			return nil, err
		}
	}
	for try := 0; ; try++ {
		p, err := j.takeover(ctx, held)
		if j.claimed = p; !starts {
			held = p // an attempt that failed may have raised the epoch
		}
		switch {
		case err == nil:
			return j.fence, nil
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case verdict.Judge(err, verdict.OnTakeover) != verdict.Retriable, starts && try == maxTakeovers:
			return nil, verdict.StopFor(err)
		}
		if err := broker.Pause(ctx, 50*time.Millisecond+rand.N(450*time.Millisecond)); err != nil {
			return nil, err
		}
	}
}

// takeover is one attempt. It also returns the id and epoch that the process holds afterwards.
func (j *Journal) takeover(ctx context.Context, held topics.Producer) (topics.Producer, error) {
	began := time.Now()
	p, err := j.view.claim(ctx, held)
	//mutation:two-epochs
	if err == nil && p.Epoch == 0 { // of the id's first epoch there is none before, which Prove needs
		held = p
		p, err = j.view.claim(ctx, held)
	}
	if err != nil {
		return held, err
	}
	// In the partitions of now: nobody else completes a takeover any more, and writes to others.
	from, err := j.view.highWatermarks(ctx)
	if err != nil {
		return p, err
	}
	f, err := j.view.fenceOff(ctx, p, from)
	//mutation:spare-epochs
	if err == nil && p.Epoch >= firstSpareEpoch {
		if p, err = j.view.nextID(ctx, p); err == nil {
			f, err = j.view.fenceOff(ctx, p, from)
		}
	}
	//mutation:look-behind-the-fence
	if err == nil {
		err = j.view.lookBehind(ctx, from)
	}
	if err != nil {
		return p, err
	}
	markers := f.Markers()
	j.partitions = map[topics.Topic][]partitionState{}
	for _, t := range j.view.Names.Written() {
		j.partitions[t] = partitionStates(j.view.Names.Of(t), len(*markers.Of(t)))
	}
	j.hold(f, began)
	j.checkpoints.begin(f.Producer)
	//mutation:running
	j.view.KeepTrying()
	return p, nil
}

func partitionStates(topic string, partitions int) []partitionState {
	states := make([]partitionState, partitions)
	for p := range states {
		states[p] = partitionState{topic: topic, partition: int32(p)}
	}
	return states
}

// hold makes a fence the current one and expects the ends after its markers.
func (j *Journal) hold(f *topics.Fence, began time.Time) {
	j.producer.id, j.fence, j.began, j.failed = f.Producer, f, began, nil
	j.checkpoints.fencedAt(began)
	ends := f.Ends()
	for t, states := range j.partitions {
		for p := range states {
			if t != topics.DeadLetters { // others may write there
				states[p].end = (*ends.Of(t))[p]
			}
		}
	}
}

// Renew is described at topics.Journal.
func (j *Journal) Renew(ctx context.Context, now bool) (*topics.Fence, error) {
	if j.failed != nil {
		return nil, j.failed
	}
	if j.fence == nil {
		return nil, errors.New("nothing to renew before a takeover")
	}
	//mutation:renew
	if !now && age(j.began, time.Now()) <= j.view.RenewEvery {
		return j.fence, nil
	}
	if err := j.renew(ctx, time.Now()); err != nil {
		return nil, j.fail(j.explain(ctx, err))
	}
	return j.fence, nil
}

// renew repeats the empty transaction under the held epoch. Between the journal's expected ends and the markers there
// may be only markers of our own.
func (j *Journal) renew(ctx context.Context, began time.Time) error {
	//mutation:checkpoint-turns
	release, err := j.checkpoints.pause(ctx)
	if err != nil {
		return err
	}
	defer release()
	from, err := j.view.highWatermarks(ctx)
	if err != nil {
		return err
	}
	// Partitions that were added since are fenced by the next takeover.
	for t, states := range j.partitions {
		ends := from.Of(t)
		*ends = (*ends)[:len(states)]
		for p := range states {
			if t != topics.DeadLetters {
				(*ends)[p] = states[p].end
			}
		}
	}
	f, err := j.view.writeMarkers(ctx, j.producer.id, from, j.view.onlyOwn(j.producer.id))
	if err != nil {
		return err
	}
	j.hold(f, began)
	return nil
}

// age is a fence's age by the wall clock or the monotonic clock, whichever says more: the latter stops while a machine
// sleeps, the former may be set back.
func age(began, now time.Time) time.Duration {
	//mutation:two-clocks
	return max(now.Sub(began), now.Round(0).Sub(began.Round(0)))
}

// fail keeps err as the reason why nothing more is sent: a later batch could overtake an indeterminate one.
func (j *Journal) fail(err error) error {
	j.failed = err
	return err
}

func (j *Journal) explain(ctx context.Context, err error) error {
	return explain(ctx, j.view, j.producer.id, err)
}

// explain keeps the context's error, marks indeterminate ones, and makes stops of others.
func explain(ctx context.Context, v *View, p topics.Producer, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, topics.ErrIndeterminate):
		return err
	case verdict.Judge(err, verdict.OnAppend) == verdict.Indeterminate:
		return fmt.Errorf("%w: %w", topics.ErrIndeterminate, err)
	//mutation:aborted-by-coordinator
	case verdict.Classify(err) == verdict.Fenced && v.aborted(ctx, p):
		return fmt.Errorf("%w: the coordinator aborted our transaction and raised our epoch: %w",
			topics.ErrIndeterminate, err)
	}
	return verdict.StopFor(err)
}
