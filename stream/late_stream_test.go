package stream_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kfake"

	"rosenblatt/learner"
	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/model"
	"rosenblatt/stream/state"
	"rosenblatt/stream/streamtest"
)

// lateSetup makes a setup with a topic of labels.
func lateSetup(t testing.TB, partitions, labelPartitions, outcomes int, opts ...kfake.Opt) *streamtest.Setup {
	t.Helper()
	s := withOutcomes(t, partitions, outcomes, opts...)
	s.Kafka.Labels = s.Name + ".labels"
	s.Cluster.Topic(t, s.Kafka.Labels, labelPartitions)
	decode := event.Defaults(event.JSON)
	decode.Bits, decode.IDField, decode.LabelField, decode.WeightField = 12, "id", "label", "weight"
	s.Config.ModelConfig.Late = &model.LateLabels{Join: model.JoinID, Decode: decode}
	s.Config.Labels = &state.LabelsConfig{Slack: 2 * time.Second,
		Limits: labels.Limits{Wait: 60_000, Examples: 1 << 20, Settled: 1 << 20}}
	return s
}

// lateStream is what a test produces: n events, a second apart, over the partitions of the input, and their labels.
type lateStream struct {
	events, labels [][]kafka.Record // by partition
	produced       map[string]int   // by what becomes of them
}

// newLateStream makes events whose labels come 10 s later on average; some never, twice, early, or for no event. Of a
// hundred events, some bear their own label, lack an id, or repeat one.
func newLateStream(seed uint64, n, partitions, labelPartitions int) *lateStream {
	r := rand.New(rand.NewPCG(seed, 3))
	begin := time.Now().Add(-24 * time.Hour).Truncate(time.Second)
	x := &lateStream{events: make([][]kafka.Record, partitions), labels: make([][]kafka.Record, labelPartitions),
		produced: map[string]int{}}
	type later struct {
		at    time.Time
		value string
	}
	due := make([][]later, 200+n)
	var plain []string
	for i := range n {
		at, id := begin.Add(time.Duration(i)*time.Second), fmt.Sprintf(`"e%d"`, i)
		a, b := r.NormFloat64(), r.NormFloat64()
		label := "1"
		if a-2*b+r.NormFloat64()/4 < 0 {
			label = "-1"
		}
		fields := fmt.Sprintf(`"features":{"a":%g,"b":%g,"m":"m%d"}`, a, b, i%5)
		add := func(after int, value string) {
			due[i+after] = append(due[i+after], later{begin.Add(time.Duration(i+after)*time.Second +
				time.Duration(r.IntN(900))*time.Millisecond), value})
		}
		labelled := fmt.Sprintf(`{"id":%s,"label":%s}`, id, label)
		switch k := r.IntN(100); {
		case k < 4:
			x.produced["own"]++
			fields += `,"label":` + label
		case k < 6:
			x.produced["no id"]++
			id = "null"
		case k < 9 && i > 30:
			x.produced["duplicate"]++
			id = plain[r.IntN(len(plain))]
		case k < 12:
			x.produced["never"]++
		case k < 15:
			x.produced["twice"]++
			add(1+r.IntN(20), labelled)
			add(1+r.IntN(20), labelled)
		case k < 17:
			x.produced["conflicting"]++
			add(1, labelled)
			add(30, fmt.Sprintf(`{"id":%s,"label":%s}`, id, map[string]string{"1": "-1", "-1": "1"}[label]))
		case k < 19:
			x.produced["no example"]++
			add(5, fmt.Sprintf(`{"id":"x%d","label":1}`, i))
			add(3, labelled)
		case k < 21:
			x.produced["bad"]++
			add(5, fmt.Sprintf(`{"id":%s}`, id))
			add(8, labelled)
		case k < 23:
			x.produced["late"]++
			add(100, labelled)
		default:
			add(r.IntN(20), labelled)
			plain = append(plain, id)
		}
		p := r.IntN(partitions)
		x.events[p] = append(x.events[p], kafka.Record{Time: at, Key: kafka.NewBytes(fmt.Appendf(nil, "k%d", i)),
			Value: kafka.NewBytes(fmt.Appendf(nil, `{"id":%s,%s}`, id, fields))})
	}
	for _, all := range due {
		for _, l := range all {
			p := r.IntN(labelPartitions)
			x.labels[p] = append(x.labels[p], kafka.Record{Time: l.at, Value: kafka.NewBytes([]byte(l.value))})
		}
	}
	return x
}

// produce produces all.
func (x *lateStream) produce(t testing.TB, s *streamtest.Setup) {
	t.Helper()
	for topic, all := range map[string][][]kafka.Record{s.Name: x.events, s.Kafka.Labels: x.labels} {
		for p, records := range all {
			if len(records) > 0 {
				s.Cluster.ProduceRecords(t, topic, p, records...)
			}
		}
	}
}

// each changes every record of a topic.
func each(all [][]kafka.Record, change func(r *kafka.Record)) {
	for _, records := range all {
		for i := range records {
			change(&records[i])
		}
	}
}

// text reads a value.
func text(b kafka.Bytes) string {
	all, _ := kafka.ReadAll(b) // it is in memory
	return string(all)
}

// byKey moves the ids into the keys. A label record without a weight has its label alone as the value.
func (x *lateStream) byKey(s *streamtest.Setup) {
	s.Config.ModelConfig.Late.Join = model.JoinKey
	id := regexp.MustCompile(`^\{"id":(?:"(.*?)"|null),?`)
	move := func(r *kafka.Record, value string) string {
		r.Key = nil
		if found := id.FindStringSubmatch(value); found[1] != "" {
			r.Key = kafka.NewBytes([]byte(found[1]))
		}
		return "{" + id.ReplaceAllString(value, "")
	}
	each(x.events, func(r *kafka.Record) { r.Value = kafka.NewBytes([]byte(move(r, text(r.Value)))) })
	each(x.labels, func(r *kafka.Record) {
		value := strings.TrimPrefix(move(r, text(r.Value)), `{"label":`)
		if !strings.HasPrefix(value, "{") {
			value = strings.TrimSuffix(value, "}")
		}
		r.Value = kafka.NewBytes([]byte(value))
	})
}

// classes makes three classes of the two labels.
func (x *lateStream) classes(s *streamtest.Setup) {
	c := &s.Config.ModelConfig
	c.Decode.Task, c.Late.Decode.Task, c.Multiclass = event.Multiclass, event.Multiclass, learner.OVA
	names := strings.NewReplacer(`"label":1`, `"label":"up"`, `"label":-1`, `"label":"down"`)
	spell := func(r *kafka.Record) {
		value := text(r.Value)
		if strings.Contains(value, `7"`) {
			value = strings.ReplaceAll(value, `"label":1`, `"label":"seven"`)
		}
		r.Value = kafka.NewBytes([]byte(names.Replace(value)))
	}
	each(x.events, spell)
	each(x.labels, spell)
}
