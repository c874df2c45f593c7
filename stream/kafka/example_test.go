package kafka_test

import (
	"context"
	"fmt"
	"log"

	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/stream/kafka"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/topics"
)

func ExampleClient_Journal() {
	broker, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "trades"))
	if err != nil {
		log.Fatal(err)
	}
	defer broker.Close()
	client, err := kafka.New(kafka.Options{
		ClusterOptions: kafka.ClusterOptions{Brokers: broker.ListenAddrs()},
		Input:          "trades", Output: "trades.predictions", DeadLetters: "trades.dlq",
		TransactionalID: "rosenblatt.trades.predictions", Group: "rosenblatt-trades", Codec: recordbatch.LZ4,
	})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()

	ctx := context.Background()
	created, err := client.Ensure(ctx, true)
	if err != nil {
		log.Fatal(err)
	}
	journal := client.Journal()
	fence, err := journal.Takeover(ctx, topics.NoProducer)
	if err != nil {
		log.Fatal(err)
	}
	var records recordbatch.Builder
	records.Append(1_795_257_554_199, []byte("e1"), []byte(`{"prediction":1}`))
	batches := []topics.Batch{{Topic: topics.Output, Partition: 0, Records: &records}}
	if err := journal.Append(ctx, batches); err != nil {
		log.Fatal(err)
	}
	var run topics.Run
	if err := client.Open(topics.Output, 0, fence.Output[0]+1).Read(ctx, &run, 100); err != nil {
		log.Fatal(err)
	}
	fmt.Println("created", created)
	fmt.Println("marker at", fence.Output[0], "end", batches[0].End)
	fmt.Printf("%s at offset %d\n", run.Records[0].Value, run.Records[0].Offset)
	// Output:
	// created [trades.predictions trades.dlq]
	// marker at 0 end 2
	// {"prediction":1} at offset 1
}
