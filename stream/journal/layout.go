package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// headerFlight holds a layout in the first record of each batch of a flight that has several.
const headerFlight = "rosenblatt.flight"

// Run is consecutive entries of one kind, about records of one partition.
type Run struct {
	Kind      Kind
	Partition int32 // of the input, or of the labels for Labelled and Gone; 0 for Assumed, Expired and Evicted
	N         int64
}

// Layout says which entries a flight has, in the order of seq (PROTOCOL.md, "Flights").
type Layout struct {
	First    int64 // seq
	Runs     []Run
	Outcomes int32 // partitions of the outcomes topic as of the takeover, if the flight has outcomes; else 0
}

// The size of a layout as a header, at most: so much, and so much for each run.
const (
	LayoutBytes = 40
	RunBytes    = 9
)

// What no daemon's flight has more of: it ends at 4 MiB, which so many entries of a run are far above.
const (
	MostRuns       = 1024
	MostRunEntries = 1<<20 - 1
)

// Add adds n entries.
func (l *Layout) Add(k Kind, partition int32, n int64) {
	if last := len(l.Runs) - 1; last >= 0 && l.Runs[last].Kind == k && l.Runs[last].Partition == partition {
		l.Runs[last].N += n
		return
	}
	l.Runs = append(l.Runs, Run{k, partition, n})
}

// AddOutcome adds an outcome; its topic has this many partitions.
func (l *Layout) AddOutcome(o *Outcome, partitions int) {
	l.Add(o.Kind, o.Run().Partition, 1)
	l.Outcomes = int32(partitions)
}

// Header encodes a layout: First, the number of runs, and for each Kind, Partition and N, all as unsigned varints. A
// flight with outcomes has Outcomes behind them: versions that do not know these kinds refuse it there.
func (l *Layout) Header() recordbatch.Header {
	b := binary.AppendUvarint(nil, uint64(l.First))
	b = binary.AppendUvarint(b, uint64(len(l.Runs)))
	for _, r := range l.Runs {
		b = binary.AppendUvarint(b, uint64(r.Kind))
		b = binary.AppendUvarint(b, uint64(r.Partition))
		b = binary.AppendUvarint(b, uint64(r.N))
	}
	if l.Outcomes > 0 {
		b = binary.AppendUvarint(b, uint64(l.Outcomes))
	}
	return recordbatch.Header{Key: headerFlight, Value: b}
}

var errLayout = errors.New("header " + headerFlight + " cannot be read")

// ParseLayout reads the value of a header.
func ParseLayout(b []byte) (*Layout, error) {
	ok := true
	next := func(least, most uint64) int64 {
		v, n := binary.Uvarint(b)
		if n <= 0 || v < least || v > most {
			ok, n = false, 0
		}
		b = b[n:]
		return int64(v)
	}
	l := &Layout{First: next(1, math.MaxInt64)}
	//mutation:layout-runs
	runs := next(1, MostRuns)
	for left := math.MaxInt64 - l.First; ok && runs > 0; runs-- {
		//mutation:layout-entries
		r := Run{Kind(next(1, uint64(kinds-1))), int32(next(0, math.MaxInt32)),
			next(1, min(uint64(left), MostRunEntries))}
		left -= r.N
		l.Runs = append(l.Runs, r)
	}
	if ok && slices.ContainsFunc(l.Runs, func(r Run) bool { return r.Kind != Predicted }) {
		l.Outcomes = int32(next(1, math.MaxInt32))
	}
	if !ok || len(b) > 0 {
		return nil, errLayout
	}
	return l, nil
}

// LayoutOf returns the layout that a record bears, nil without one.
func LayoutOf(r *topics.Record) (*Layout, error) {
	b, _, err := leadIn(r.Headers)
	if b == nil || err != nil {
		return nil, err
	}
	return ParseLayout(b)
}

// leadIn returns what a record bears of its flight: the value of the layout, nil without one, and the learner that the
// flight makes the champion, empty if it makes none.
func leadIn(headers []byte) (layout []byte, champion string, err error) {
	all, err := recordbatch.ParseHeaders(headers)
	for _, h := range all {
		switch h.Key {
		case headerFlight:
			layout = h.Value
		case headerChampion:
			champion = string(h.Value)
		}
	}
	if layout != nil || champion != "" {
		err = nil
	}
	return layout, champion, err
}

// flight is a layout as a Reader uses it.
type flight struct {
	Layout
	ends     []int64                     // seq of the last entry of each run
	at       int                         // the run that was looked up last
	value    []byte                      // of the header
	champion string                      // the learner that the flight makes the champion; empty: none
	begun    bool                        // an entry of it was returned
	missing  map[topics.PartitionOf]bool // partitions of which an entry is missing
}

func parseFlight(value []byte, champion string) (*flight, error) {
	l, err := ParseLayout(value)
	if err != nil {
		return nil, err
	}
	f := &flight{Layout: *l, value: bytes.Clone(value), champion: champion}
	last := l.First - 1
	for _, r := range l.Runs {
		last += r.N
		f.ends = append(f.ends, last)
	}
	return f, nil
}

func (f *flight) last() int64 { return f.ends[len(f.ends)-1] }

func (f *flight) holds(seq int64) bool { return f != nil && f.First <= seq && seq <= f.last() }

// run is the run of an entry of the flight. Entries are mostly looked up in their order.
func (f *flight) run(seq int64) *Run {
	if f.at > 0 && f.ends[f.at-1] >= seq {
		f.at = 0
	}
	for f.ends[f.at] < seq {
		f.at++
	}
	return &f.Runs[f.at]
}

// home is the partition that holds the entries of a run, -1 where the layout does not say it.
func (f *flight) home(r *Run) int32 {
	switch {
	case r.Kind == Predicted:
		return r.Partition
	case r.Kind == DuplicateID, r.Kind.ByLabel():
		return r.Partition % f.Outcomes
	}
	return -1
}

func (f *flight) same(g *flight) bool {
	//mutation:champion-in-each-batch
	return f == g || f != nil && g != nil && bytes.Equal(f.value, g.value) && f.champion == g.champion
}
