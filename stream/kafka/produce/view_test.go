package produce

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/stream/internal/awake"
	"rosenblatt/stream/kafka/cluster"
	"rosenblatt/stream/kafka/fetch"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

// newView makes the topics that a task writes, on kfake or the real Kafka of ROSENBLATT_TEST_BROKERS: two partitions of
// output, one of the others.
func newView(t *testing.T) *View {
	t.Helper()
	brokers := strings.Split(os.Getenv("ROSENBLATT_TEST_BROKERS"), ",")
	if brokers[0] == "" {
		fake, err := kfake.NewCluster(kfake.NumBrokers(1))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(fake.Close)
		brokers = fake.ListenAddrs()
	}
	name := fmt.Sprintf("p%d-%s", time.Now().UnixNano()%1e9, t.Name())
	names := topics.Names{Input: name + "-in", Output: name + "-out", DeadLetters: name + "-dlq",
		Checkpoints: name + "-ckpt"}
	c, err := cluster.Connect(cluster.Options{Brokers: brokers, ClientID: "test"}, names.List(names.Fenced())...)
	if err != nil {
		t.Fatal(err)
	}
	f := fetch.New(c, fetch.Options{Reads: names.Reads, MaxBatch: 64 << 20, Wait: 200 * time.Millisecond})
	t.Cleanup(f.Close)
	for _, topic := range names.Fenced() {
		partitions := 1
		if topic == topics.Output {
			partitions = 2
		}
		create(t, c, names.Of(topic), partitions)
	}
	return &View{Cluster: c, Fetcher: f, Names: names, Portion: cluster.Every, TransactionalID: "rosenblatt." + name,
		RenewEvery: time.Hour, TxnTimeout: time.Minute}
}

// create makes a topic and waits until its partitions have leaders.
func create(t *testing.T, c *cluster.Cluster, name string, partitions int) {
	t.Helper()
	ctx := timeout(t, 30*time.Second)
	if _, err := c.CreateTopic(ctx, name, partitions, nil); err != nil {
		t.Fatal(err)
	}
	err := c.Retry(ctx, "created", 20*time.Second, func(ctx context.Context) error {
		_, err := c.Width(ctx, name, partitions)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// takeover makes a journal and fences with it, or fails the test.
func takeover(t *testing.T, v *View) (*Journal, *topics.Fence) {
	t.Helper()
	j := NewJournal(v)
	f, err := j.Takeover(timeout(t, time.Minute), topics.NoProducer)
	if err != nil {
		t.Fatal(err)
	}
	return j, f
}

// timeout ends what hangs: a time in which this process does not run does not count.
func timeout(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := awake.Timeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

// deadline is for what does not happen before it.
func deadline(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

func build(values ...string) *recordbatch.Builder {
	batch := &recordbatch.Builder{}
	for _, v := range values {
		batch.Append(time.Now().UnixMilli(), nil, []byte(v))
	}
	return batch
}
