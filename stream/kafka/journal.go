package kafka

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"rosenblatt/stream/topics"
)

// Journal is a topics.Journal under a fence, with one flight at a time: one batch in each partition.
type Journal struct {
	client     *Client
	producer   producer
	claimed    topics.Producer // of the newest takeover, also of one that failed behind InitProducerID
	fence      *topics.Fence   // nil before a takeover, and when nothing more may be sent
	began      time.Time       // time of the request that the fence's age counts from
	partitions map[topics.Topic][]partitionState
	failed     error // why nothing is sent until the next takeover

	checkpoints *CheckpointLog // under the same fence; nil without Options.Checkpoints
}

// Journal returns a new writer of the task's topics: predictions, outcomes, dead letters and checkpoints. It writes
// nothing before Takeover.
func (c *Client) Journal() *Journal {
	j := &Journal{client: c, claimed: topics.NoProducer}
	j.producer = producer{
		cluster: c.Cluster, codec: c.opt.Codec, operation: opAppend, id: topics.NoProducer,
		expired: j.expired, acknowledged: j.acknowledged,
	}
	if c.opt.Checkpoints != "" {
		j.checkpoints = newCheckpointLog(c)
	}
	return j
}

// Checkpoints returns the task's partition of the checkpoint topic, nil without Options.Checkpoints.
func (j *Journal) Checkpoints() *CheckpointLog { return j.checkpoints }

// Takeover is described at topics.Journal. With topics.NoProducer (a starting process) InitProducerID always succeeds
// and fences the current writer; a process that holds an id and epoch is refused once somebody else took over, and
// tries for as long as nobody did.
func (j *Journal) Takeover(ctx context.Context, held topics.Producer) (*topics.Fence, error) {
	j.fence, j.failed = nil, errors.New("the takeover before was not completed")
	starts := held == topics.NoProducer
	if starts {
		if err := j.client.otherKind(ctx); err != nil {
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
		case judge(err, opTakeover) != retriable, starts && try == maxTakeovers:
			return nil, stopFor(err)
		}
		if err := pause(ctx, 50*time.Millisecond+rand.N(450*time.Millisecond)); err != nil {
			return nil, err
		}
	}
}

// takeover is one attempt. It also returns the id and epoch that the process holds afterwards.
func (j *Journal) takeover(ctx context.Context, held topics.Producer) (topics.Producer, error) {
	began := time.Now()
	p, err := j.client.claim(ctx, held)
	if err != nil {
		return held, err
	}
	// In the partitions of now: nobody else completes a takeover any more, and writes to others.
	from, err := j.client.highWatermarks(ctx)
	if err != nil {
		return p, err
	}
	f, err := j.client.fenceOff(ctx, p, from)
	//mutation:spare-epochs
	if err == nil && p.Epoch >= firstSpareEpoch {
		if p, err = j.client.nextID(ctx, p); err == nil {
			f, err = j.client.fenceOff(ctx, p, from)
		}
	}
	//mutation:look-behind-the-fence
	if err == nil {
		err = j.client.lookBehind(ctx, from)
	}
	if err != nil {
		return p, err
	}
	markers := f.Markers()
	j.partitions = map[topics.Topic][]partitionState{}
	for _, t := range j.client.opt.written() {
		j.partitions[t] = partitionStates(j.client.opt.name(t), len(*markers.Of(t)))
	}
	j.hold(f, began)
	j.checkpoints.begin(f.Producer)
	//mutation:running
	j.client.running.Store(true)
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
	if !now && age(j.began, time.Now()) <= j.client.opt.RenewEvery {
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
	from, err := j.client.highWatermarks(ctx)
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
	f, err := j.client.writeMarkers(ctx, j.producer.id, from, j.client.onlyOwn(j.producer.id))
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
	return explain(ctx, j.client, j.producer.id, err)
}

// explain keeps the context's error, marks indeterminate ones, and makes stops of others.
func explain(ctx context.Context, c *Client, p topics.Producer, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, topics.ErrIndeterminate):
		return err
	case judge(err, opAppend) == indeterminate:
		return fmt.Errorf("%w: %w", topics.ErrIndeterminate, err)
	//mutation:aborted-by-coordinator
	case classify(err) == fenced && c.aborted(ctx, p):
		return fmt.Errorf("%w: the coordinator aborted our transaction and raised our epoch: %w",
			topics.ErrIndeterminate, err)
	}
	return stopFor(err)
}
