package stream

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"rosenblatt/stream/board"
	"rosenblatt/stream/journal"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// Bounds of a flight. A share is bounded by Config.BatchRecords, too.
const (
	maxFlightBytes = 4 << 20               // of entries: far below the brokers' socket.request.max.bytes
	maxLearning    = 25 * time.Millisecond // time: others wait for their turn
	maxRuns        = journal.MostRuns      // of its layout, which every batch bears
	maxBatchBytes  = 900_000               // of a share, but for one record alone
)

// flight is what is written together (PROTOCOL.md, "Flights"): the predictions and outcomes of a range of seq, a batch
// for each partition concerned, and the dead letters of the records up to its end. Batches that are sent as they fill
// up would leave gaps anywhere in seq after a crash; one batch at a time would cost a round trip for each partition.
// What a crash leaves of flights is a prefix of seq and a part of one of them, whose layout says what is missing.
type flight struct {
	limits      flightLimits
	pool        *sharePool
	now         int64 // of the records, ms
	layout      journal.Layout
	predictions shares
	outcomes    shares
	deadLetters shares
	bytes       int           // of entries, before the newest run of predictions
	learning    time.Duration // the time it took
	full        bool          // nothing may be added
	snap        *snapshot     // the state after these records, or nil
	promotion   *promotion    // that takes effect with the first entry, or nil
	champion    string        // the learner that it makes the champion; empty: none
}

type flightLimits struct {
	records     int // of a share
	predictions int // bytes of a batch
	alone       int // bytes of a batch with one prediction that is the whole flight
	outcomes    int // bytes of a batch
	outcome     int // bytes of a batch with one outcome that is the whole flight
	deadLetters int // bytes of a batch
	deadLetter  int // bytes of a batch with one dead letter
	runs        int
	promotion   int // bytes of what each batch says of a promotion
}

// limitsOf are those of flights. several: there may be promotions.
func limitsOf(t *topics.Topology, records int, several bool) flightLimits {
	promotion := 0
	if several {
		promotion = journal.ChampionBytes
	}
	most, deadLetter := largestBatch(t.Output), largestBatch(t.DeadLetters)
	outcome := largestBatch(t.Outcomes)
	limit, outcomes := min(maxBatchBytes, most)-promotion, min(maxBatchBytes, outcome)-promotion
	runs := max(1, min(maxRuns, (min(limit, outcomes)/4-journal.LayoutBytes)/journal.RunBytes))
	layout := journal.LayoutBytes + runs*journal.RunBytes
	return flightLimits{records: records, predictions: limit - layout, alone: most,
		outcomes: outcomes - layout, outcome: outcome,
		deadLetters: min(maxBatchBytes, deadLetter), deadLetter: deadLetter, runs: runs,
		promotion: promotion}
}

// largestBatch is how many bytes a batch in a topic may have that the task writes.
func largestBatch(t topics.TopicState) int {
	return min(cmp.Or(max(0, t.MaxMessageBytes), maxBatchBytes), topics.MaxOwnBatch)
}

// share is what a flight writes to one partition.
type share struct {
	partition int32
	records   *recordbatch.Builder
	rejected  []topics.Place // the records of dead letters
	oldest    int64          // the first timestamp of the input's records, ms; 0 or less: none
	arrived   time.Time      // when the reader had the first of them
}

type shares struct {
	list []*share
	of   map[int32]*share // by partition
}

// reset empties a flight.
func (f *flight) reset() {
	for _, all := range []*shares{&f.predictions, &f.outcomes, &f.deadLetters} {
		for _, s := range all.list {
			f.pool.put(s)
		}
		all.list = all.list[:0]
		clear(all.of)
	}
	f.layout = journal.Layout{Runs: f.layout.Runs[:0]}
	f.now, f.bytes, f.learning, f.full, f.snap = time.Now().UnixMilli(), 0, 0, false, nil
	f.promotion, f.champion = nil, ""
}

// share returns what the flight writes to a partition.
func (f *flight) share(all *shares, partition int32, limit int) *share {
	s := all.of[partition]
	if s == nil {
		s = f.pool.take()
		s.partition, s.records.Limit, s.records.Single = partition, limit, 0
		if all.of == nil {
			all.of = map[int32]*share{}
		}
		all.of[partition], all.list = s, append(all.list, s)
	}
	return s
}

// begin begins a run of a chunk's records, from i on.
func (f *flight) begin(c *chunk, i int) *share {
	f.now = time.Now().UnixMilli()
	s := f.share(&f.predictions, c.Partition, f.limits.predictions)
	if s.arrived.IsZero() && i < len(c.Records) {
		s.oldest, s.arrived = c.Records[i].Timestamp, c.arrived
	}
	f.bytes -= s.records.Size()
	return s
}

// end ends a run that took so long.
func (f *flight) end(s *share, took time.Duration) {
	f.bytes += s.records.Size()
	f.learning += took
	f.full = f.full || f.learning >= maxLearning || f.bytes >= maxFlightBytes-maxBatchBytes
}

// add notes that a prediction was added.
func (f *flight) add(partition int32, seq int64) {
	f.beginLayout(seq)
	f.layout.Add(journal.Predicted, partition, 1)
}

// addOutcome notes that an outcome was added; its topic has so many partitions.
func (f *flight) addOutcome(o *journal.Outcome, partitions int, seq int64) {
	f.beginLayout(seq)
	f.layout.AddOutcome(o, partitions)
}

func (f *flight) beginLayout(seq int64) {
	if len(f.layout.Runs) == 0 {
		f.layout.First = seq
	}
}

// acknowledge notes that all entries are acknowledged.
func (f *flight) acknowledge(b *board.Board) {
	for _, s := range f.predictions.list {
		b.Acknowledge(s.records.Len(), s.oldest, s.arrived)
	}
	for _, s := range f.outcomes.list {
		b.AcknowledgeOutcomes(s.records.Len())
	}
}

func (f *flight) deadLetterBatches() []topics.Batch { return f.deadLetters.batches(topics.DeadLetters) }

// journalBatches returns the batches of entries, each with the layout if there are several, and with who becomes the
// champion. It is called once.
func (f *flight) journalBatches() []topics.Batch {
	out := f.batches()
	//mutation:layout
	f.lead(out, len(out) > 1)
	return out
}

func (f *flight) batches() []topics.Batch {
	out := append(f.predictions.batches(topics.Output), f.outcomes.batches(topics.Outcomes)...)
	for i := range out {
		out[i].Short = journal.Shorten
	}
	return out
}

// lead puts what each batch says of its flight on the batch's first record: the layout, and who becomes the champion.
func (f *flight) lead(batches []topics.Batch, layout bool) {
	var headers []recordbatch.Header
	if layout {
		headers = append(headers, f.layout.Header())
	}
	if f.champion != "" {
		headers = append(headers, journal.Champion(f.champion))
	}
	if len(headers) == 0 {
		return
	}
	//mutation:champion-header
	for i := range batches {
		batches[i].Records.Lead(headers...)
	}
}

func (s *shares) batches(topic topics.Topic) (out []topics.Batch) {
	for _, x := range s.list {
		if x.records.Len() > 0 {
			out = append(out, topics.Batch{Topic: topic, Partition: x.partition, Records: x.records})
		}
	}
	return out
}

// refusedDeadLetter names the record of a refused dead letter.
func (f *flight) refusedDeadLetter(err error, sent []topics.Batch) error {
	var r *topics.Refused
	if !errors.As(err, &r) {
		return err
	}
	return &refusedRecord{at: f.deadLetters.of[sent[r.Batch].Partition].rejected[r.Index], cause: err}
}

// refusedEntry is the stop for a prediction or an outcome that is refused in its short form, too.
func refusedEntry(err error, sent []topics.Batch) error {
	var r *topics.Refused
	if !errors.As(err, &r) {
		return err
	}
	b, topic := &sent[r.Batch], "output"
	if b.Topic == topics.Outcomes {
		topic = "outcomes"
	}
	return &stops.Error{Name: stops.KafkaError, Cause: err,
		What: fmt.Sprintf("the broker refuses one %s of partition %d even without key and id: %v", noun(b.Topic),
			b.Partition, r.Err),
		Safe: "everything that was published; the next start publishes what is missing",
		Do:   "raise max.message.bytes of the " + topic + " topic, and start again"}
}

// sharePool keeps shares that no flight uses, so that they are made once. It bounds what they keep in memory.
type sharePool struct {
	free  []*share
	bytes int
}

func (p *sharePool) take() *share {
	n := len(p.free) - 1
	if n < 0 {
		return &share{records: &recordbatch.Builder{}}
	}
	s := p.free[n]
	p.free = p.free[:n]
	p.bytes -= s.records.Cap()
	return s
}

func (p *sharePool) put(s *share) {
	if p.bytes+s.records.Cap() > 4*maxFlightBytes {
		s.records = &recordbatch.Builder{}
	}
	s.records.Reset()
	s.rejected, s.oldest, s.arrived = s.rejected[:0], 0, time.Time{}
	p.bytes += s.records.Cap()
	p.free = append(p.free, s)
}
