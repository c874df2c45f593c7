package stream

import (
	"context"
	"slices"

	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/topics"
)

// wantAll notes which events label records need, from one of them on: many are read back at a time.
func (l *lateLabels) wantAll(records []topics.Record, examples []event.Example, from int) {
	for i := from; i < len(records); i++ {
		e := &examples[i]
		if e.Rejected != nil || e.Skip {
			continue
		}
		id, _ := l.id(e, &records[i])
		if verdict, x := l.waiting.Find(id, labels.LabelOf(e)); verdict == labels.Waits {
			if _, known := l.features(x); !known {
				l.want(x)
			}
		}
	}
}

// wanted lists what has to be read back now, and more of what waits next to it as far as memory allows.
func (l *lateLabels) wanted() (list []recalled) {
	var first *labels.Example
	for seq, w := range l.wants {
		list = append(list, recalled{id: w.ID, seq: seq, at: placeOf(&w)})
		if first == nil || w.Seq < first.Seq {
			first = &w
		}
	}
	if first != nil {
		list = l.further(first, list)
	}
	slices.SortFunc(list, func(a, b recalled) int { return a.at.compare(b.at) })
	return list
}

// further adds waiting examples after one that is needed.
func (l *lateLabels) further(first *labels.Example, list []recalled) []recalled {
	oldest, room := l.cache.Oldest(), l.memory-l.keptBytes-l.cache.Bytes()
	if room <= 0 {
		return list
	}
	e := l.waiting.After(first)
	for n := 0; n < recallMore && e != nil && e.Seq < oldest; n++ {
		_, known := l.kept[e.Seq]
		known = known || e.Seq == l.taken.seq
		if _, needed := l.wants[e.Seq]; !known && !needed {
			list = append(list, recalled{id: e.ID, seq: e.Seq, at: placeOf(e)})
		}
		e = l.waiting.After(e)
	}
	return list
}

func placeOf(e *labels.Example) place { return place{partition: e.Partition, offset: e.Offset} }

// remember keeps what was read back of those that still wait.
func (l *lateLabels) remember(list []recalled) {
	for i := range list {
		x := &list[i]
		_, needed := l.wants[x.seq]
		delete(l.wants, x.seq)
		verdict, e := l.waiting.Find(x.id, 0)
		waits := verdict == labels.Waits && e.Seq == x.seq || l.duplicate != nil && l.duplicate.Seq == x.seq
		if !waits || !needed && x.kept != nil && l.keptBytes+l.cache.Bytes() >= l.memory {
			continue
		}
		if _, known := l.kept[x.seq]; !known && x.seq != l.taken.seq {
			l.keep(x.seq, x.kept)
			l.readBack++
		}
	}
}

// recallNow reads back what is needed now. Recovery waits for it.
func (l *lateLabels) recallNow(ctx context.Context, x *recall) error {
	if len(l.wants) == 0 {
		return nil
	}
	list := l.wanted()
	if err := x.read(ctx, list); err != nil {
		return err
	}
	l.remember(list)
	return nil
}
