package kafka

import (
	"slices"
	"strings"
	"testing"
	"time"

	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/stops"
	"rosenblatt/stream/topics"
)

// withLabels is a client of a bed with later labels, a topic of three partitions.
func (b *bed) withLabels(change func(*Options)) *Client {
	b.t.Helper()
	b.create(b.name+"-lb", 3)
	b.create(b.name+"-oc", 1)
	return b.client(func(o *Options) {
		o.Labels, o.Outcomes = b.name+"-lb", b.name+"-oc"
		if change != nil {
			change(o)
		}
	})
}

// TestLabelsTopicIsNotCreated: what is read must be there; what is written is created, with the input's width.
func TestLabelsTopicIsNotCreated(t *testing.T) {
	t.Parallel()
	b := newBed(t, 2)
	lb, oc := b.name+"-lb", b.name+"-oc"
	c := b.client(func(o *Options) { o.Labels, o.Outcomes = lb, oc })
	ctx := timeout(t, 60*time.Second)
	_, err := c.Ensure(ctx, true)
	if !stops.Is(err, stops.TopicMissing) || !strings.Contains(err.Error(), "check the spelling of --labels") ||
		!strings.Contains(err.Error(), "create the labels with kafka-topics --create --topic "+lb) {
		t.Fatal(err)
	}
	b.create(lb, 3)
	if made, err := c.Ensure(ctx, true); err != nil || !slices.Equal(made, []string{oc}) {
		t.Fatal(made, err)
	}
	top, err := c.Topology(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if len(top.Labels.Partitions) != 3 || len(top.Outcomes.Partitions) != 2 || len(top.Input.Partitions) != 2 ||
		top.Labels.Name != lb || len(top.Labels.ID) != 32 {
		t.Errorf("%+v", top)
	}
}

// TestLabelsBehindATransaction: of the labels, too, only committed records are read, and the ends tell what waits for
// the end of a transaction.
func TestLabelsBehindATransaction(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	c := b.withLabels(nil)
	lb, ctx := c.opt.Labels, timeout(t, 120*time.Second)
	known, err := c.Topology(ctx)
	if err != nil {
		t.Fatal(err)
	}
	b.put(b.name+"-in", 0, recordbatch.None, numbered("e", 2)...)
	b.put(lb, 2, recordbatch.None, "x")
	b.put(lb, 0, recordbatch.None, numbered("a", 3)...)
	aborted, open := b.txnProducer("a", lb), b.txnProducer("b", lb)
	aborted.put(ctx, "lost", "lost")
	aborted.end(ctx, false)
	open.put(ctx, "held")
	b.put(lb, 0, recordbatch.None, "behind")
	const stable, end = 6, 8 // behind three records, two that were aborted, and a marker
	ends := func(of, want int64) {
		t.Helper()
		for {
			input, labels := endsOf(t, c)
			if !slices.Equal(input, []int64{2}) || len(labels) != 3 || labels[1] != 0 || labels[2] != 1 {
				t.Fatal(input, labels)
			}
			if labels[of] == want {
				return
			}
			if ctx.Err() != nil {
				t.Fatalf("partition %d ends at %d, want %d", of, labels[of], want)
			}
		}
	}
	ends(0, stable)
	values, _ := read(t, c.Open(topics.Labels, 0, 0), stable)
	if !slices.Equal(values, []string{"a0", "a1", "a2"}) {
		t.Errorf("read %q", values)
	}
	top, err := c.Watch(ctx, known)
	if want := (topics.Bounds{End: end, Stable: stable}); err != nil || top.Labels.Partitions[0] != want {
		t.Errorf("%+v, want %+v: %v", top.Labels.Partitions, want, err)
	}
	open.end(ctx, true)
	ends(0, end+1)
	if values, _ := read(t, c.Open(topics.Labels, 0, stable), end); !slices.Equal(values, []string{"held", "behind"}) {
		t.Errorf("read %q", values)
	}
}

// TestStopsOfLabels: a position outside of the log, and a batch that cannot be read, are stops that name the topic and
// what to do about it.
func TestStopsOfLabels(t *testing.T) {
	t.Parallel()
	b := newBed(t, 1)
	c := b.withLabels(func(o *Options) { o.MaxBatchBytes = 1 << 16 })
	lb := c.opt.Labels
	b.put(lb, 1, recordbatch.None, numbered("v", 100)...)
	b.cut(lb, 1, 55)
	stopOf(t, c.Open(topics.Labels, 1, 10), stops.InputGone, lb+"/1", "offset 10,", "from 55 to 100")
	stopOf(t, c.Open(topics.Labels, 1, 500), stops.BeyondEnd, lb+"/1", "offset 500,", "from 55 to 100")
	b.put(lb, 2, recordbatch.None, strings.Repeat("x", 1<<17))
	c.Skip([]topics.SkipRange{{Partition: 2, From: 0, To: 0}}) // of the input
	stop := stopOf(t, c.Open(topics.Labels, 2, 0), stops.BadBatch, lb+"/2", "--max-batch-bytes",
		"delete the records of topic "+lb+" partition 2 below offset 1", "--accept input-gone")
	if strings.Contains(stop.Do, "--skip 2") {
		t.Error(stop.Do)
	}
}

// TestTopicsOfATaskDiffer: no topic has two roles.
func TestTopicsOfATaskDiffer(t *testing.T) {
	t.Parallel()
	for _, labels := range []string{"in", "out", "dlq", "oc"} {
		o := Options{ClusterOptions: ClusterOptions{Brokers: []string{"b:1"}}, Input: "in", Output: "out",
			DeadLetters: "dlq", Outcomes: "oc", Labels: labels}
		if _, err := New(o); err == nil {
			t.Errorf("labels may be %s", labels)
		}
	}
}
