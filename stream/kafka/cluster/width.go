package cluster

import (
	"encoding/hex"
	"fmt"
	"slices"
	"sync"
	"time"
)

const (
	fewerFor = 10 * time.Second // see Options.FewerFor
	// moreFor is the same for one that was never known to have as many as it should.
	moreFor = time.Second
	// lackFor is for how long a response with fewer counts. Brokers that do not respond are tried between two of them.
	lackFor = time.Minute
)

// widths are how many partitions topics have at least. Brokers learn of new ones one after the other: one that lags,
// or that is cut off from the controller, does not make them fewer.
type widths struct {
	mu     sync.Mutex
	within time.Duration // Options.FewerFor
	known  map[string]*width
	wanted map[string]*lack // partitions that topics should have, and were never known to
}

type width struct {
	id         [16]byte
	partitions int
	lack
}

// A lack is how long brokers have known of too few partitions.
type lack struct {
	asked []string  // the brokers that know of fewer, the last one at the end
	since time.Time // of the first response with fewer
	last  time.Time // of the newest
}

// fewer is a retriable error: a broker knows of fewer partitions than there are.
type fewer struct {
	broker, topic string
	has, want     int
}

func (e fewer) Error() string {
	return fmt.Sprintf("broker %s knows of %d partitions of topic %s, not of %d", e.broker, e.has, e.topic, e.want)
}

// of returns what is known of a topic: of another one of this name, nothing. The caller holds mu.
func (w *widths) of(name string, id [16]byte) *width {
	k := w.known[name]
	if k == nil || k.id != id && k.id != [16]byte{} && id != [16]byte{} {
		if w.known == nil {
			w.known = map[string]*width{}
		}
		k = &width{}
		w.known[name] = k
	}
	if k.id == [16]byte{} {
		k.id = id
	}
	return k
}

// note takes in what a broker told of a topic. It is an error while others may know of more partitions.
func (w *widths) note(m Topic) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if m.Missing {
		return nil
	}
	k := w.of(m.Name, m.ID)
	//mutation:fewer-partitions
	if err := k.of(m, k.partitions, w.within); err != nil {
		return err
	}
	k.partitions = len(m.Leaders)
	return nil
}

// await is the error while others may know that a topic has as many partitions as it should have.
func (w *widths) await(m Topic, want int) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := w.wanted[m.Name]
	if l == nil {
		if w.wanted == nil {
			w.wanted = map[string]*lack{}
		}
		l = &lack{}
		w.wanted[m.Name] = l
	}
	//mutation:more-partitions
	return l.of(m, want, moreFor)
}

// of is a retriable error for fewer partitions than wanted, for some time.
func (l *lack) of(m Topic, want int, within time.Duration) error {
	if len(m.Leaders) >= want {
		l.asked = nil
		return nil
	}
	now := time.Now()
	//mutation:lack-lasts
	if len(l.asked) == 0 || now.Sub(l.last) > lackFor {
		l.asked, l.since = nil, now
	}
	l.last = now
	if now.Sub(l.since) > within {
		return nil
	}
	l.asked = append(slices.DeleteFunc(l.asked, func(a string) bool { return a == m.From }), m.From)
	return fewer{m.From, m.Name, len(m.Leaders), want}
}

// lagging are the brokers that know of fewer partitions of some of these topics, those asked last at the end.
func (w *widths) lagging(names []string) (brokers []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, name := range names {
		if k := w.known[name]; k != nil {
			brokers = append(brokers, k.asked...)
		}
		if l := w.wanted[name]; l != nil {
			brokers = append(brokers, l.asked...)
		}
	}
	return brokers
}

// KnownWidth says how many partitions a topic of this id has at least.
func (c *Cluster) KnownWidth(topic, id string, partitions int) {
	var of [16]byte
	if raw, err := hex.DecodeString(id); err == nil {
		copy(of[:], raw)
	}
	w := &c.widths
	w.mu.Lock()
	defer w.mu.Unlock()
	k := w.known[topic]
	if k != nil && k.id != of && k.id != [16]byte{} && of != [16]byte{} {
		return // it is of a topic that is no more
	}
	k = w.of(topic, of)
	k.partitions = max(k.partitions, partitions)
}

// AwaitWidth is the error while others may know that a topic has as many partitions as it should have.
func (c *Cluster) AwaitWidth(m Topic, want int) error { return c.widths.await(m, want) }
