package streamtest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"

	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
)

// NewLater is New with labels that come later, by the events' ids, in a topic of so many partitions, and an outcomes
// topic of two.
func NewLater(t testing.TB, c *Cluster, events, labelled int) *Setup {
	t.Helper()
	s := New(t, c, events)
	s.Kafka.Labels, s.Kafka.Outcomes = s.Name+".labels", s.Name+".outcomes"
	c.Topic(t, s.Kafka.Labels, labelled)
	c.Topic(t, s.Kafka.Outcomes, 2)
	decode := s.Config.ModelConfig.Decode
	decode.FeaturesField, decode.WeightField = "", "weight"
	s.Config.ModelConfig.Late = &model.LateLabels{Join: "id", Decode: decode}
	s.Config.Labels = &state.LabelsConfig{Slack: time.Second,
		Limits: labels.Limits{Wait: time.Hour.Milliseconds(), Examples: 1000, Settled: 1000}}
	return s
}

// ProduceAt appends values to a partition, the first one with this timestamp, in milliseconds since 1970, each next one
// a second later. A value that is "null" is null.
func (c *Cluster) ProduceAt(t testing.TB, topic string, partition int, at int64, values ...string) {
	t.Helper()
	var records []kafka.Record
	for i, v := range values {
		r := kafka.Record{Time: time.UnixMilli(at + 1000*int64(i)), Value: kafka.NewBytes([]byte(v))}
		if v == "null" {
			r.Value = nil
		}
		records = append(records, r)
	}
	c.ProduceRecords(t, topic, partition, records...)
}

// LongID is an id of so many bytes, as a JSON value.
func LongID(size int) string { return fmt.Sprintf("%q", strings.Repeat("i", size)) }
