package speed

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"strconv"
	"time"

	"github.com/segmentio/kafka-go"
)

// event and prediction are the wire format, as structs with tags.
type event struct {
	ID       string             `json:"id"`
	Label    int                `json:"label"`
	Features map[string]float64 `json:"features"`
}

type prediction struct {
	ID         string  `json:"id"`
	Prediction int     `json:"prediction"`
	Score      float64 `json:"score"`
}

// idiomatic does the daemon's job with kafka.Reader, encoding/json and kafka.Writer, up to a thousand records at a
// time, at least once, without checkpoints. It ends after COUNT events.
func idiomatic() {
	addr := os.Getenv("BROKERS")
	count, _ := strconv.Atoi(os.Getenv("COUNT"))
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: []string{addr}, Topic: os.Getenv("INPUT"), MinBytes: 1,
		MaxBytes: 10e6, QueueCapacity: 1000, MaxWait: 500 * time.Millisecond})
	w := &kafka.Writer{Addr: kafka.TCP(addr), Topic: os.Getenv("OUTPUT"), RequiredAcks: kafka.RequireAll,
		BatchSize: 1000, BatchTimeout: time.Millisecond}
	weights := make([]float64, 1<<18)
	ctx := context.Background()
	for done := 0; done < count; {
		batch := make([]kafka.Message, 0, 1000)
		for len(batch) < min(1000, count-done) {
			m, err := r.ReadMessage(ctx)
			exitOn(err)
			value, err := step(weights, m.Value)
			exitOn(err)
			batch = append(batch, kafka.Message{Key: m.Key, Value: value})
		}
		exitOn(w.WriteMessages(ctx, batch...))
		done += len(batch)
	}
	exitOn(w.Close())
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func step(weights []float64, value []byte) ([]byte, error) {
	var e event
	if err := json.Unmarshal(value, &e); err != nil {
		return nil, err
	}
	score := weights[0]
	for name, v := range e.Features {
		score += weights[slot(name)] * v
	}
	p := prediction{ID: e.ID, Prediction: 1, Score: score}
	if score < 0 {
		p.Prediction = -1
	}
	if p.Prediction != e.Label {
		y := float64(e.Label)
		weights[0] += y
		for name, v := range e.Features {
			weights[slot(name)] += y * v
		}
	}
	return json.Marshal(p)
}

func slot(name string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(name)) // never fails
	return h.Sum32() & (1<<18 - 1)
}
