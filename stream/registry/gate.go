package registry

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/schema"
	"rosenblatt/stream/topics"
)

// Source says what ids mean. A Client is one.
type Source interface {
	// Get returns the schema of an id, nil if there is none of that id, as described at Client.Get.
	Get(ctx context.Context, id schema.ID) (*schema.Schema, error)
	// Ask asks once, also for what Get has returned, as described at Client.Ask.
	Ask(ctx context.Context, id schema.ID) (*schema.Schema, error)
}

// Framing is how the values of a topic say their schema.
type Framing struct {
	Protobuf bool // with message indexes
	MaxBytes int  // of key and value: what is longer is rejected whatever it says
	// Open returns the record of the event in an envelope, and whether there is one; nil without envelopes.
	Open func(r *recordbatch.Record) (*recordbatch.Record, bool)
}

// Gate makes schemas known before the records that need them are decoded. Readers of partitions use it, each for its
// own, so none waits for the schemas of another.
type Gate struct {
	Known  *schema.Known
	Source Source // nil: nobody is asked
	Logger zerolog.Logger
	// Describe says what becomes of the records of a topic that have a schema, and what may be wrong with that; nil for
	// nothing.
	Describe func(t topics.Topic, s *schema.Schema) (use, warning string)

	mu      sync.Mutex
	records map[schema.ID]int64 // that were read
	waiting map[topics.PartitionOf]Wait
	unsaved time.Time // when it was logged
}

// Wait is a partition that waits for a schema.
type Wait struct {
	Topic     topics.Topic
	Partition int32
	ID        schema.ID // the first of those that it needs
	Since     time.Time
}

// Missing returns the ids that records need and nobody knows, each once, and counts the records of each id. It does not
// allocate where all are known.
func (g *Gate) Missing(as Framing, records []recordbatch.Record) (ids []schema.ID) {
	var f schema.Frame
	var last schema.ID
	looked, n := false, int64(0)
	for i := range records {
		r := &records[i]
		//mutation:too-large-unasked
		if len(r.Value) > as.MaxBytes || len(r.Key) > as.MaxBytes || r.Value == nil {
			continue
		}
		//mutation:envelope-asked
		if as.Open != nil {
			in, ok := as.Open(r)
			if !ok {
				continue
			}
			r = in
		}
		if f.Read(r, as.Protobuf) != "" {
			continue
		}
		if looked && f.ID == last {
			n++
			continue
		}
		if looked {
			g.count(last, n)
		}
		looked, last, n = true, f.ID, 1
		if g.Known.Newest(f.ID) == nil && !has(ids, f.ID) {
			ids = append(ids, f.ID)
		}
	}
	if looked {
		g.count(last, n)
	}
	return ids
}

// count counts records of an id, if it is known.
func (g *Gate) count(id schema.ID, n int64) {
	if g.Known.Newest(id) == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.records == nil {
		g.records = map[schema.ID]int64{}
	}
	g.records[id] += n
}

// CountFirst counts records of ids that Missing returned for them, as far as they are known by now.
func (g *Gate) CountFirst(as Framing, records []recordbatch.Record, ids []schema.ID) {
	of := Gate{Known: g.Known} // with nothing counted
	of.Missing(as, records)
	for _, id := range ids {
		if n := of.records[id]; n > 0 {
			g.count(id, n)
		}
	}
}

// Records returns how many records of an id were read in this process since it is known.
func (g *Gate) Records(id schema.ID) int64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.records[id]
}

// Requests returns how many requests of the source ended in an outcome; ok is false where nobody is asked.
func (g *Gate) Requests(outcome int) (n int64, ok bool) {
	if c, ok := g.Source.(*Client); ok && c != nil {
		return c.Requests(outcome), true
	}
	return 0, false
}

func has(ids []schema.ID, id schema.ID) bool {
	const few = 64 // of more, those behind them are compared: an id that is there twice is asked once all the same
	for _, other := range ids[max(0, len(ids)-few):] {
		if other == id {
			return true
		}
	}
	return false
}

// Await asks for ids and makes known what there is, on the disk too, before it returns: so long that takes, the
// partition waits. An id that the registry does not know stays unknown. Errors: schema.ErrTooMany, or the context's.
func (g *Gate) Await(ctx context.Context, topic topics.Topic, partition int32, ids []schema.ID) error {
	if g.Source == nil || len(ids) == 0 {
		return nil
	}
	defer g.wait(Wait{topic, partition, ids[0], time.Now()})()
	found := make([]schema.Entry, len(ids))
	asking, until := errgroup.WithContext(ctx)
	asking.SetLimit(requests)
	for i, id := range ids {
		asking.Go(func() error {
			s, err := g.get(until, id)
			found[i] = schema.Entry{ID: id, Schema: s}
			return err
		})
	}
	if err := asking.Wait(); err != nil {
		return err
	}
	n := 0
	for _, e := range found {
		if e.Schema != nil {
			found[n] = e
			n++
		}
	}
	return g.add(ctx, topic, found[:n])
}

// get asks for a schema, unless it becomes known meanwhile: a follower reads the checkpoint topic.
func (g *Gate) get(ctx context.Context, id schema.ID) (s *schema.Schema, err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		s, err = g.Source.Get(ctx, id)
	}()
	look := time.NewTicker(200 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-done:
			return s, err
		case <-look.C:
			//mutation:schema-known-meanwhile
			if known := g.Known.Newest(id); known != nil {
				cancel()
				<-done
				return known, nil
			}
		}
	}
}

// add makes schemas known. While they cannot be saved it waits.
func (g *Gate) add(ctx context.Context, topic topics.Topic, found []schema.Entry) error {
	for {
		err := g.Known.Add(found)
		if err == nil {
			g.logKnown(topic, found)
		}
		if err == nil || errors.Is(err, schema.ErrTooMany) {
			return err
		}
		g.logUnsaved(err)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// logKnown says what is known of schemas from now on, and what becomes of the records that have them.
func (g *Gate) logKnown(topic topics.Topic, found []schema.Entry) {
	for _, e := range found {
		var use, warning string
		if g.Describe != nil {
			use, warning = g.Describe(topic, e.Schema)
		}
		line := g.Logger.Info()
		//mutation:schema-warning
		if warning != "" {
			line = g.Logger.Warn().Str("but", warning)
		}
		line = line.Stringer("schema", e.ID).Str("type", e.Schema.Type).Str("name", e.Schema.Name())
		if e.Schema.Fault != "" {
			line = line.Str("fault", e.Schema.Fault)
		}
		if use != "" {
			line = line.Str("use", use)
		}
		line.Msg("the first record of a schema, which is saved")
	}
}

func (g *Gate) logUnsaved(err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if time.Since(g.unsaved) >= logged {
		g.unsaved = time.Now()
		g.Logger.Error().Err(err).Msg("a schema cannot be saved: partitions that need it wait")
	}
}

// wait notes that a partition waits until done is called.
func (g *Gate) wait(w Wait) (done func()) {
	at := topics.PartitionOf{Topic: w.Topic, Partition: w.Partition}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.waiting == nil {
		g.waiting = map[topics.PartitionOf]Wait{}
	}
	g.waiting[at] = w
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		delete(g.waiting, at)
	}
}

// Waiting returns the partitions that wait, in their order.
func (g *Gate) Waiting() (all []Wait) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, w := range g.waiting {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b Wait) int {
		return cmp.Or(cmp.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
	})
	return all
}

// Trouble is why the source gives no answer; nil while it does.
func (g *Gate) Trouble() *Trouble {
	if c, ok := g.Source.(*Client); ok && c != nil {
		return c.Trouble()
	}
	return nil
}
