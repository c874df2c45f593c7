package daemon_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/rs/zerolog"
	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/cmd/internal/daemon"
)

// A service writes events with a kafka.Writer and reads predictions with a kafka.Reader. It knows nothing of the
// daemon but the names of two topics.
func Example() {
	brokers, stop := startDaemon()
	defer stop()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()

	// RequireAll: the zero value means that no broker acknowledges a write, and events may be lost without an error.
	events := &kafka.Writer{Addr: kafka.TCP(brokers...), Topic: "payments", RequiredAcks: kafka.RequireAll,
		Balancer: kafka.Murmur2Balancer{}, BatchTimeout: 10 * time.Millisecond}
	// Predictions are plain records, so the default isolation is right. With a GroupID, several instances of a service
	// would share the partitions, and go on where they were.
	predictions := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "payments.predictions", Partition: 0,
		MaxWait: 100 * time.Millisecond})

	err := events.WriteMessages(ctx,
		kafka.Message{Key: []byte("anna"), Value: []byte(`{"id":"p1","label":1,"amount":9,"country":"ch"}`)},
		kafka.Message{Key: []byte("bert"), Value: []byte(`{"id":"p2","label":-1,"amount":1,"country":"at"}`)},
		kafka.Message{Key: []byte("anna"), Value: []byte(`{"id":"p3","amount":8,"country":"ch"}`)})
	if err != nil {
		log.Print(err)
	}
	for seq := int64(0); seq < 3; {
		m, err := predictions.ReadMessage(ctx)
		if err != nil {
			log.Print(err)
			break
		}
		if !bytes.HasPrefix(m.Value, []byte("{")) {
			continue // a marker: this Reader returns Kafka's control records as messages
		}
		var p struct {
			ID         string  `json:"id"`
			Prediction int     `json:"prediction"`
			Score      float64 `json:"score"`
			Seq        int64   `json:"seq"`
		}
		if err := json.Unmarshal(m.Value, &p); err != nil {
			log.Print(err)
		}
		seq = p.Seq
		fmt.Printf("%d: %s of %s is predicted as %d\n", seq, p.ID, m.Key, p.Prediction)
	}
	if err := events.Close(); err != nil {
		log.Print(err)
	}
	if err := predictions.Close(); err != nil {
		log.Print(err)
	}
	// Output:
	// 1: p1 of anna is predicted as 1
	// 2: p2 of bert is predicted as 1
	// 3: p3 of anna is predicted as 1
}

// startDaemon starts a broker in this process, and the daemon as `rosenblatt run --input payments` does.
func startDaemon() (brokers []string, stop func()) {
	cluster, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(1, "payments", "payments.predictions",
		"payments.dlq"))
	if err != nil {
		log.Fatal(err)
	}
	state, err := os.MkdirTemp("", "rosenblatt")
	if err != nil {
		log.Fatal(err)
	}
	s := daemon.Defaults()
	s.Brokers, s.Input, s.State, s.HTTP = cluster.ListenAddrs(), "payments", state, "off"
	d, err := daemon.New(s, zerolog.Nop())
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- d.Run(ctx) }()
	return cluster.ListenAddrs(), func() {
		cancel()
		if err := <-ended; err != nil {
			log.Print(err)
		}
		cluster.Close()
		if err := os.RemoveAll(state); err != nil {
			log.Print(err)
		}
	}
}
