package speed

import (
	"context"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/twmb/franz-go/pkg/kgo"
)

// predictionBytes is about how long a prediction is.
const predictionBytes = 200

// passThrough is what consuming and producing take by themselves: a franz-go loop that writes the beginning of each
// record, about as long as a prediction, to the same partition of the output, with acks=all, at least once. It ends
// with SIGTERM.
func passThrough() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	cl, err := kgo.NewClient(kgo.SeedBrokers(strings.Split(os.Getenv("BROKERS"), ",")...),
		kgo.ConsumeTopics(os.Getenv("INPUT")), kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
		kgo.ConsumerGroup(os.Getenv("OUTPUT")), kgo.AutoCommitMarks(),
		kgo.DefaultProduceTopic(os.Getenv("OUTPUT")), kgo.RecordPartitioner(kgo.ManualPartitioner()),
		kgo.ProducerBatchCompression(kgo.NoCompression()), kgo.ProducerLinger(0), kgo.MaxBufferedRecords(100_000))
	exitOn(err)
	defer cl.Close()
	for {
		fetches := cl.PollRecords(ctx, 20_000)
		if ctx.Err() != nil {
			return
		}
		exitOn(fetches.Err())
		fetches.EachRecord(func(r *kgo.Record) {
			value := r.Value[:min(predictionBytes, len(r.Value))]
			cl.Produce(ctx, &kgo.Record{Partition: r.Partition, Key: r.Key, Value: value},
				func(_ *kgo.Record, err error) {
					if ctx.Err() == nil {
						exitOn(err)
					}
				})
		})
		if cl.Flush(ctx) == nil {
			cl.MarkCommitRecords(fetches.Records()...)
		}
	}
}
