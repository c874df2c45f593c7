package main

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// What a record of a load is.
const (
	aNull     = "null"
	aBroken   = "broken"    // no event
	anEvent   = "event"     // one that waits for its label
	ownLabel  = "own label" // an event that has it
	aLabel    = "label"     // of an event
	aRepeat   = "repeat"    // of a label that is there
	aConflict = "conflict"  // another label of the same event
	overdue   = "overdue"   // a label after its event's waiting has ended
	orphan    = "orphan"    // a label of no event
)

// loaded is a record that was produced.
type loaded struct {
	what, topic, id string
	label           int
	value           []byte
	partition       int32
	due             time.Time

	// With load.mu held:
	offset   int64
	readable time.Time // from when on, zero: not yet
	aborted  bool
}

func (x *loaded) String() string {
	return fmt.Sprintf("%s %s in %s/%d at %d, readable at %s, %s", x.what, x.id, x.topic, x.partition, x.offset,
		x.readable.UTC().Format("15:04:05.000"), x.value)
}

// event produces what is in the input, and plans the labels of it.
func (l *load) event(c *kgo.Client, p int32, r *rand.Rand, in *[]*loaded) {
	x := &loaded{what: anEvent, topic: l.Name, partition: p}
	l.mu.Lock()
	n := l.ids[p]
	l.ids[p]++
	l.mu.Unlock()
	id := n
	features := []float64{r.NormFloat64(), r.NormFloat64()}
	if x.label = 1; features[0]+r.NormFloat64()/2 < 0 {
		x.label = -1
	}
	switch what := r.IntN(100); {
	case what < 2:
		x.what = aNull
	case what < 3:
		x.what, x.value = aBroken, []byte("no event")
	case what < 6:
		x.what = ownLabel
	case what < 8 && n > 100:
		id = n - 20 - r.IntN(min(n-20, 2500))
	}
	x.id = fmt.Sprintf("%d-%d", p, id)
	switch x.what {
	case anEvent:
		x.value = fmt.Appendf(nil, `{"id":%q,"features":{"x":%g,"y":%g}}`, x.id, features[0], features[1])
		if l.labels(x, r) {
			x.due = time.Now().Add(time.Duration(r.Int64N(int64(time.Second))))
			l.later(x)
			return
		}
	case ownLabel:
		x.value = fmt.Appendf(nil, `{"id":%q,"label":%d,"features":{"x":%g}}`, x.id, x.label, features[0])
	}
	l.produce(c, x, in)
}

// labels plans the labels of an event. It reports whether the event comes after its label.
func (l *load) labels(x *loaded, r *rand.Rand) (early bool) {
	add := func(what, id string, label int, after time.Duration) {
		l.later(&loaded{what: what, topic: l.Name + ".labels", partition: x.partition, id: id, label: label,
			value: fmt.Appendf(nil, `{"id":%q,"label":%d}`, id, label), due: time.Now().Add(after)})
	}
	delay := 200*time.Millisecond + time.Duration(r.Int64N(int64(5*time.Second)))
	switch what := r.IntN(100); {
	case what < 3:
		return false
	case what < 6:
		add(aRepeat, x.id, x.label, delay+time.Duration(r.Int64N(int64(2*time.Second))))
	case what < 8:
		add(aConflict, x.id, -x.label, delay+time.Duration(r.Int64N(int64(2*time.Second))))
	case what < 11:
		early, delay = true, 0
	case what < 12:
		add(overdue, x.id, x.label, 20*time.Second)
		return false
	case what < 13:
		add(orphan, "none-"+x.id, 1, delay)
	}
	add(aLabel, x.id, x.label, delay)
	return early
}

func (l *load) later(x *loaded) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.due[x.partition] = append(l.due[x.partition], x)
}

// take returns a record that is due in a partition of a topic, or of any: the one that was planned first.
func (l *load) take(p int32, topic string) *loaded {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.due[p], func(x *loaded) bool {
		return time.Now().After(x.due) && (topic == "" || x.topic == topic)
	})
	if i < 0 {
		return nil
	}
	x := l.due[p][i]
	l.due[p] = slices.Delete(l.due[p], i, i+1)
	return x
}

// soon is how many records are due within ten seconds.
func (l *load) soon(p int32) (n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, x := range l.due[p] {
		if time.Until(x.due) < 10*time.Second {
			n++
		}
	}
	return n
}

// counts are the records by what they are.
func (l *load) counts() string {
	of := map[string]int{}
	for _, x := range l.records {
		of[cmp.Or(map[bool]string{true: "aborted"}[x.aborted], x.what)]++
	}
	text := fmt.Sprintf("%d transactions", len(l.spells))
	for _, what := range slices.Sorted(maps.Keys(of)) {
		text += fmt.Sprintf(", %d %s", of[what], what)
	}
	return text
}
