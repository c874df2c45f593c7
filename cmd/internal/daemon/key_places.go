package daemon

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rosenblatt/stream/kafka"
	"rosenblatt/stream/topics"
)

// KeyPlaces is in which partitions the newest records with keys are.
type KeyPlaces struct {
	Topic       string
	Labels      bool   // it is that of the labels
	Partitioner string // that ought to have placed them: the setting, for labels that of the events
	Keys        int    // records with keys that have one place
	Elsewhere   int    // so many of them are in another one
	Other       string // the partitioner that puts them where they are; empty if none does
}

// judged is how many of the newest records with keys count: those before may be of a time when the topic had fewer
// partitions.
const judged = 50

// Differ reports whether keys are not where the partitioner puts them: more than one in twenty.
func (k *KeyPlaces) Differ() bool { return 20*k.Elsewhere > k.Keys }

// Found says that in words.
func (k *KeyPlaces) Found() string {
	found := fmt.Sprintf("of the newest %d records of %s with a key %d are not where the partitioner %s puts them",
		k.Keys, k.Topic, k.Elsewhere, k.Partitioner)
	if k.Other != "" {
		found += ", but where " + k.Other + " does"
	}
	return found
}

// Advice says what to do then.
func (k *KeyPlaces) Advice() string {
	switch {
	case k.Labels:
		return "a label has to be in the partition of its event: let producers of both place keys with one partitioner"
	case k.Other != "":
		return "set --partitioner " + k.Other
	}
	return "/predict needs ?partition=N in place of ?key=; see that the producers of events and of labels place keys" +
		" alike, or whether partitions were added a short time ago"
}

// PlacedBy is the partitioner that has placed the keys; empty if it is not known.
func (k *KeyPlaces) PlacedBy() string {
	if k.Differ() {
		return k.Other
	}
	return k.Partitioner
}

// Look reads some of the newest records of a topic and says where their keys are.
func (k *Keys) Look(
	ctx context.Context, c *kafka.Client, topic topics.Topic, name string, s Sample,
) (KeyPlaces, error) {
	type found struct {
		partition int32
		key       []byte
	}
	var all []found
	n, err := s.ReadNewest(ctx, c, topic, func(partition int32, r *topics.Record) {
		if r.Key != nil {
			all = append(all, found{partition, append([]byte{}, r.Key...)})
		}
	})
	if err != nil {
		return KeyPlaces{}, err
	}
	partitions := allOf(n)
	of := func(partitioner string) KeyPlaces {
		places := KeyPlaces{Topic: name, Labels: topic == topics.Labels, Partitioner: partitioner}
		by := Keys{partitioner}
		for i := len(all) - 1; i >= 0 && places.Keys < judged; i-- {
			p, fixed := by.PartitionOf(all[i].key, partitions)
			if !fixed {
				continue
			}
			if places.Keys++; p != int(all[i].partition) {
				places.Elsewhere++
			}
		}
		return places
	}
	places, other := of(k.Partitioner), murmur2
	if k.Partitioner == murmur2 {
		other = crc32
	}
	if alternative := of(other); places.Differ() && !alternative.Differ() {
		places.Other = other
	}
	return places, nil
}

// How often and how long a daemon with a model for each partition looks where keys are, and at how many records.
const (
	keysEvery = time.Minute
	keysTime  = 5 * time.Second
)

var keysSample = Sample{Records: 2 * judged, Partitions: 16}

// watchKeys looks where the keys of events and labels are, at the start and then again and again, and logs it when they
// are not where they ought to be.
func (d *Daemon) watchKeys(ctx context.Context) error {
	s := &d.with.Settings
	tick := time.NewTicker(keysEvery)
	defer tick.Stop()
	for {
		by := &s.Keys
		if events := d.lookAtKeys(ctx, by, topics.Input, s.Input); events.Keys > 0 {
			by = &Keys{events.PlacedBy()}
		}
		if s.Labels != "" && by.Partitioner != "" {
			d.lookAtKeys(ctx, by, topics.Labels, s.Labels)
		}
		if d.with.Task.UntilEnd {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// lookAtKeys looks once. What cannot be read now is left for the next time.
func (d *Daemon) lookAtKeys(ctx context.Context, by *Keys, topic topics.Topic, name string) KeyPlaces {
	limited, cancel := context.WithTimeout(ctx, keysTime)
	defer cancel()
	found, err := by.Look(limited, d.client, topic, name, keysSample)
	if err != nil || found.Keys == 0 {
		return KeyPlaces{}
	}
	was := d.setKeys(topic, found)
	switch {
	case found.Differ() && (!was.Differ() || was.Other != found.Other):
		d.log.Warn().Str("do", found.Advice()).Msg(found.Found())
	case was.Differ() && !found.Differ():
		d.log.Info().Str("topic", name).Msg("the newest keys are where the partitioner " + found.Partitioner +
			" puts them")
	}
	return found
}

func (d *Daemon) setKeys(topic topics.Topic, found KeyPlaces) (was KeyPlaces) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.keys == nil {
		d.keys = map[topics.Topic]KeyPlaces{}
	}
	was = d.keys[topic]
	d.keys[topic] = found
	return was
}

// keyNotices are what is wrong with where keys are.
func (d *Daemon) keyNotices() (notices []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, topic := range []topics.Topic{topics.Input, topics.Labels} {
		if k := d.keys[topic]; k.Differ() {
			notices = append(notices, k.Found()+": "+k.Advice())
		}
	}
	return notices
}

// taskOf is the number of the task, of so many, that has the events with a key. It does not guess where the newest
// events show that it cannot know.
func (d *Daemon) taskOf(key []byte, tasks int) (int, error) {
	d.mu.Lock()
	k := d.keys[topics.Input]
	d.mu.Unlock()
	//mutation:guessed-partition
	if k.Differ() {
		return 0, errors.New(k.Found() + ": " + k.Advice())
	}
	p, fixed := d.with.Settings.PartitionOf(key, allOf(tasks))
	if !fixed {
		return 0, fmt.Errorf("events with this key are in any partition, by --partitioner %s: want ?partition=N",
			d.with.Settings.Partitioner)
	}
	return p, nil
}
