package late

import (
	"context"

	"rosenblatt/stream/labels"
	"rosenblatt/stream/recall"
)

// want is an event that has to be read back.
type want struct {
	labels.Example
	now bool // an outcome waits for it
}

const (
	recallSize = 1 << 10 // bytes of an event, before the first was read back
	RecallMore = 8192    // events that are read back beyond those that are needed now
)

// Want notes that an outcome waits for an event that has to be read back.
func (l *Events) Want(e *labels.Example) { l.wants[e.Seq], l.urgent = want{*e, true}, true }

// WantAll notes which events label records with these ids need: many are read back at a time. A record without an id
// needs none.
func (l *Events) WantAll(ids []labels.ID) {
	most := l.mostWants()
	if len(l.wants) < most {
		l.Waiting.Warm(ids)
	}
	for i := 0; i < len(ids) && len(l.wants) < most; i++ {
		if ids[i] == (labels.ID{}) {
			continue
		}
		verdict, x := l.Waiting.Find(ids[i], 0)
		if verdict != labels.Waits || l.known(x) {
			continue
		}
		if _, wanted := l.wants[x.Seq]; !wanted {
			l.wants[x.Seq] = want{*x, false}
		}
	}
}

// mostWants is how many events are read back at a time: as many as there is room for.
func (l *Events) mostWants() int {
	return int(max(1, min(recall.Most, l.RecallRoom()/l.recallSize)))
}

// NeedsRecall reports whether events are to be read back now: an outcome waits for one, or labels need many.
func (l *Events) NeedsRecall() bool {
	return len(l.wants) > 0 && (l.urgent || len(l.wants) >= l.mostWants()/2)
}

// Wanted lists what has to be read back, and so many more of what waits next to it as far as memory allows.
func (l *Events) Wanted(more int64) (list []recall.Event) {
	var first *labels.Example
	for _, w := range l.wants {
		e := recall.Of(&w.Example)
		e.Now = w.now
		list = append(list, e)
		if first == nil || w.Seq < first.Seq {
			first = &w.Example
		}
	}
	if l.urgent = false; first != nil {
		list = l.further(first, more, list)
	}
	l.reserved = min(int64(len(list))*l.recallSize, l.RecallRoom())
	recall.Sort(list)
	return list
}

// further adds waiting examples after one that is needed: as memory allows, and where it is the lowest that waits, as
// many as are read back at a time, since their outcomes come in this order.
func (l *Events) further(first *labels.Example, more int64, list []recall.Event) []recall.Event {
	room := l.share() - l.keptBytes - l.Cache.Bytes()
	if lowest := l.Waiting.First(); lowest != nil && first.Seq <= lowest.Seq {
		room = max(room, l.RecallRoom())
	}
	oldest, e := l.Cache.Oldest(), l.Waiting.After(first)
	for n := min(more, room/l.recallSize); n > 0 && e != nil && e.Seq < oldest; n-- {
		_, known := l.kept[e.Seq]
		if _, wanted := l.wants[e.Seq]; !known && !wanted {
			list = append(list, recall.Of(e))
		}
		e = l.Waiting.After(e)
	}
	return list
}

// Remember keeps what was read back of those that still wait.
func (l *Events) Remember(list []recall.Event) {
	n, size := int64(1), int64(recallSize)
	for i := range list {
		x := &list[i]
		if x.Record != nil {
			n, size = n+1, size+recall.Size(x.Record)
		}
		delete(l.wants, x.Seq)
		verdict, e := l.Waiting.Find(x.ID, 0)
		waits := verdict == labels.Waits && e.Seq == x.Seq || l.Duplicate != nil && l.Duplicate.Seq == x.Seq
		if x.Passed || !waits {
			continue
		}
		if _, known := l.kept[x.Seq]; !known {
			l.keep(x.Seq, x.Record)
			l.ReadBack++
		}
	}
	l.recallSize, l.reserved = size/n, 0
	l.urgent = false
	for _, w := range l.wants {
		l.urgent = l.urgent || w.now
	}
}

// FeaturesNow is Features that waits for what is read back.
func (l *Events) FeaturesNow(ctx context.Context, log recall.Log, e *labels.Example) (*labels.Kept, error) {
	if k, known := l.Features(e); known {
		return k, nil
	}
	l.Want(e)
	list := l.Wanted(recall.Most)
	if err := recall.Read(ctx, log, list, l.RecallRoom()); err != nil {
		return nil, err
	}
	l.Remember(list)
	k, _ := l.Features(e)
	return k, nil
}

// RecallRoom is how many bytes of events may be read back at a time, beyond those that outcomes wait for: while some
// are read, those read before are in use.
func (l *Events) RecallRoom() int64 { return max(l.share()*3/8, recall.Least) }
