package simulation

import (
	"math/rand/v2"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// topics makes the topics and returns the parcels of the input.
func (w *world) topics() (parcels []parcel) {
	r := w.rng
	if p := w.setup.Config.Partition; p != nil { // newWorlds has made the topics
		events := [][]parcel{w.plan(*p, 20+r.IntN(80))}
		return w.barren(shuffle(r, append(events, w.planLabels(events)...)))
	}
	in, deadLetters := 1+r.IntN(4), 1+r.IntN(2)
	out := in + r.IntN(2)
	w.create(w.setup.Name, in)
	w.partitions = int32(in)
	w.create(w.setup.DeadLetters(), deadLetters)
	if w.narrow = w.seed%5 < 2 && !w.hasLabels(); w.narrow {
		w.create(w.setup.Output(), out, "max.message.bytes", "2000")
	} else {
		w.create(w.setup.Output(), out)
	}
	outcomes := w.setup.Kafka.Outcomes
	if outcomes != "" {
		w.widths = append(w.widths, 1+r.IntN(4))
		w.create(outcomes, w.widths[0])
	}
	if w.setup.State != "" {
		w.create(w.setup.State, 1, "cleanup.policy", "compact")
	}
	var lists [][]parcel
	for p := range in {
		lists = append(lists, w.plan(int32(p), 20+r.IntN(80)))
	}
	parcels = shuffle(r, append(lists, w.planLabels(lists)...))
	if r.IntN(4) == 0 {
		grown := w.plan(int32(in), 10+r.IntN(30))
		grown[0].before = func() {
			if out < in+1 {
				w.widen(w.setup.Output(), in+1)
			}
			if w.seed%2 == 0 {
				w.widen(w.setup.DeadLetters(), deadLetters+1)
			}
			if outcomes != "" {
				w.mu.Lock()
				w.widths = append(w.widths, w.widths[0]+1)
				w.mu.Unlock()
				w.widen(outcomes, w.widths[1])
			}
			w.widen(w.setup.Name, in+1)
		}
		half := len(parcels) / 2
		parcels = append(parcels[:half:half], shuffle(r, [][]parcel{parcels[half:], grown})...)
	}
	return w.barren(parcels)
}

// shuffle merges lists, each in its own order.
func shuffle(r *rand.Rand, lists [][]parcel) (out []parcel) {
	for {
		var left []int
		for i := range lists {
			if len(lists[i]) > 0 {
				left = append(left, i)
			}
		}
		if len(left) == 0 {
			return out
		}
		i := left[r.IntN(len(left))]
		out, lists[i] = append(out, lists[i][0]), lists[i][1:]
	}
}

// create makes a topic; config is name, value, name, value ...
func (w *world) create(name string, partitions int, config ...string) {
	req := kmsg.NewPtrCreateTopicsRequest()
	req.Version, req.TimeoutMillis = 4, 1000
	t := kmsg.NewCreateTopicsRequestTopic()
	t.Topic, t.NumPartitions, t.ReplicationFactor = name, int32(partitions), 1
	for i := 0; i < len(config); i += 2 {
		c := kmsg.NewCreateTopicsRequestTopicConfig()
		c.Name, c.Value = config[i], &config[i+1]
		t.Configs = append(t.Configs, c)
	}
	req.Topics = append(req.Topics, t)
	for _, address := range w.cluster.Brokers { // one of them is the controller
		res, err := ask[*kmsg.CreateTopicsResponse](&w.net, address, req)
		if err == nil && res.Topics[0].ErrorCode == 0 {
			return
		}
	}
	w.t.Fatalf("create topic %s", name)
}

// widen adds a partition to a topic.
func (w *world) widen(topic string, to int) {
	req := kmsg.NewPtrCreatePartitionsRequest()
	req.Version, req.TimeoutMillis = 1, 1000
	t := kmsg.NewCreatePartitionsRequestTopic()
	t.Topic, t.Count = topic, int32(to)
	req.Topics = append(req.Topics, t)
	for _, address := range w.cluster.Brokers { // one of them is the controller
		res, err := ask[*kmsg.CreatePartitionsResponse](&w.net, address, req)
		if err == nil && res.Topics[0].ErrorCode == 0 {
			w.logf("%s has %d partitions", topic, to)
			w.count("partitions added")
			return
		}
	}
	w.violate("the simulation cannot widen %s to %d", topic, to)
}
