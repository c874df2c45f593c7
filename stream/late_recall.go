package stream

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
	recallMore = 8192    // events that are read back beyond those that are needed now
)

// want notes that an outcome waits for an event that has to be read back.
func (l *lateLabels) want(e *labels.Example) { l.wants[e.Seq], l.urgent = want{*e, true}, true }

// wantAll notes which events label records with these ids need: many are read back at a time. A record without an id
// needs none.
func (l *lateLabels) wantAll(ids []labels.ID) {
	most := l.mostWants()
	if len(l.wants) < most {
		l.waiting.Warm(ids)
	}
	for i := 0; i < len(ids) && len(l.wants) < most; i++ {
		if ids[i] == (labels.ID{}) {
			continue
		}
		verdict, x := l.waiting.Find(ids[i], 0)
		if verdict != labels.Waits || l.known(x) {
			continue
		}
		if _, wanted := l.wants[x.Seq]; !wanted {
			l.wants[x.Seq] = want{*x, false}
		}
	}
}

// mostWants is how many events are read back at a time: as many as there is room for.
func (l *lateLabels) mostWants() int {
	return int(max(1, min(recall.Most, l.recallRoom()/l.recallSize)))
}

// needsRecall reports whether events are to be read back now: an outcome waits for one, or labels need many.
func (l *lateLabels) needsRecall() bool {
	return len(l.wants) > 0 && (l.urgent || len(l.wants) >= l.mostWants()/2)
}

// wanted lists what has to be read back, and so many more of what waits next to it as far as memory allows.
func (l *lateLabels) wanted(more int64) (list []recall.Event) {
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
	l.reserved = min(int64(len(list))*l.recallSize, l.recallRoom())
	recall.Sort(list)
	return list
}

// further adds waiting examples after one that is needed: as memory allows, and where it is the lowest that waits, as
// many as are read back at a time, since their outcomes come in this order.
func (l *lateLabels) further(first *labels.Example, more int64, list []recall.Event) []recall.Event {
	room := l.share() - l.keptBytes - l.cache.Bytes()
	if lowest := l.waiting.First(); lowest != nil && first.Seq <= lowest.Seq {
		room = max(room, l.recallRoom())
	}
	oldest, e := l.cache.Oldest(), l.waiting.After(first)
	for n := min(more, room/l.recallSize); n > 0 && e != nil && e.Seq < oldest; n-- {
		_, known := l.kept[e.Seq]
		if _, wanted := l.wants[e.Seq]; !known && !wanted {
			list = append(list, recall.Of(e))
		}
		e = l.waiting.After(e)
	}
	return list
}

// remember keeps what was read back of those that still wait.
func (l *lateLabels) remember(list []recall.Event) {
	n, size := int64(1), int64(recallSize)
	for i := range list {
		x := &list[i]
		if x.Record != nil {
			n, size = n+1, size+recall.Size(x.Record)
		}
		delete(l.wants, x.Seq)
		verdict, e := l.waiting.Find(x.ID, 0)
		waits := verdict == labels.Waits && e.Seq == x.Seq || l.duplicate != nil && l.duplicate.Seq == x.Seq
		if x.Passed || !waits {
			continue
		}
		if _, known := l.kept[x.Seq]; !known {
			l.keep(x.Seq, x.Record)
			l.readBack++
		}
	}
	l.recallSize, l.reserved = size/n, 0
	l.urgent = false
	for _, w := range l.wants {
		l.urgent = l.urgent || w.now
	}
}

// recallNow reads back what is needed now. Recovery waits for it.
func (l *lateLabels) recallNow(ctx context.Context, log recall.Log) error {
	if len(l.wants) == 0 {
		return nil
	}
	list := l.wanted(recall.Most)
	if err := recall.Read(ctx, log, list, l.recallRoom()); err != nil {
		return err
	}
	l.remember(list)
	return nil
}

// recallRoom is how many bytes of events may be read back at a time, beyond those that outcomes wait for: while some
// are read, those read before are in use.
func (l *lateLabels) recallRoom() int64 { return max(l.share()*3/8, recall.Least) }
