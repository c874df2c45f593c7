package labels

import (
	"math/rand/v2"
	"testing"
)

// world is partitions that grow while they are read, with a network in between.
type world struct {
	*testing.T
	r     *rand.Rand
	m     Merge
	now   int64
	parts []*part
	seen  map[int]bool // events handled
}

type part struct {
	labels bool
	log    []entryAt
	at     int   // position
	asked  bool  // a request is under way
	others []int // the ends of all partitions when its head was read
}

type entryAt struct {
	appended, time int64
	event          int // its number, or that of a label
}

type reply struct {
	part    int
	asked   Asked
	visible int
}

// TestMerge plays partitions that are read over a slow network: a record comes behind every earlier one of the other
// topic that was there when it was read, no label is lost whose event was there in time, and nothing stands still.
func TestMerge(t *testing.T) {
	runs := 2000
	if testing.Short() {
		runs = 300
	}
	for seed := range uint64(runs) {
		w := newWorld(t, rand.New(rand.NewPCG(seed, 9)))
		w.play()
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func newWorld(t *testing.T, r *rand.Rand) *world {
	w := &world{T: t, r: r, seen: map[int]bool{}}
	w.m.Slack = r.Int64N(30)
	events, late := 1+r.IntN(3), 1+r.IntN(3)
	for i := range events + late {
		w.parts = append(w.parts, &part{labels: i >= events})
		w.m.Add(i >= events)
	}
	now := int64(0)
	for n := range 30 {
		now += r.Int64N(20)
		w.append(r.IntN(events), entryAt{now + r.Int64N(5), now, n})
	}
	now = 0
	for range 30 {
		now += r.Int64N(25)
		// Some are of no event, some of one to come.
		w.append(events+r.IntN(late), entryAt{now + r.Int64N(5), now, r.IntN(35)})
	}
	return w
}

func (w *world) append(p int, e entryAt) {
	log := w.parts[p].log
	if len(log) > 0 {
		e.appended = max(e.appended, log[len(log)-1].appended)
	}
	w.parts[p].log = append(log, e)
}

func (p *part) end(now int64) (n int) {
	for n < len(p.log) && p.log[n].appended <= now {
		n++
	}
	return n
}

// time is that of a record in the merge.
func (w *world) time(p *part, i int) int64 {
	if p.labels {
		return p.log[i].time + w.m.Slack
	}
	return p.log[i].time
}

func (w *world) play() {
	var replies []reply
	for range 20_000 {
		switch w.r.IntN(4) {
		case 0:
			w.now += w.r.Int64N(8)
		case 1:
			if p := w.r.IntN(len(w.parts)); !w.parts[p].asked && w.m.sources[p].state != headed {
				w.parts[p].asked = true
				replies = append(replies, reply{part: p, asked: w.m.Ask(w.now), visible: w.parts[p].end(w.now)})
			}
		case 2:
			if len(replies) > 0 {
				i := w.r.IntN(len(replies))
				w.reply(replies[i])
				replies = append(replies[:i], replies[i+1:]...)
			}
		default:
			if n, ok := w.m.Next(); ok {
				w.handle(n)
			}
		}
		if w.done() {
			return
		}
	}
	w.Errorf("it stands still at %d: %+v", w.now, w.m.sources)
}

func (w *world) done() bool {
	for _, p := range w.parts {
		if p.at < len(p.log) {
			return false
		}
	}
	return true
}

func (w *world) reply(r reply) {
	p := w.parts[r.part]
	p.asked = false
	if w.r.IntN(2) == 0 { // the way there was slow, not the way back
		r.visible = p.end(w.now)
	}
	if p.at == r.visible {
		w.m.End(r.part, r.asked)
		return
	}
	w.m.Head(r.part, p.log[p.at].time)
	p.others = p.others[:0]
	for _, other := range w.parts {
		p.others = append(p.others, other.end(w.now))
	}
}

func (w *world) handle(n int) {
	p := w.parts[n]
	e := p.log[p.at]
	for i, other := range w.parts {
		if other.labels == p.labels || other.at >= p.others[i] {
			continue
		}
		if x := other.log[other.at]; other.labels && x.appended-x.time > w.m.Slack-w.m.Slack/2 {
			continue // it came so late that an event need not wait for it
		}
		if at, now := w.time(other, other.at), w.time(p, p.at); at < now || at == now && p.labels {
			w.Errorf("partition %d at %d goes before %d at %d, which was there", n, now, i, at)
		}
	}
	switch {
	case !p.labels:
		w.seen[e.event] = true
	case w.seen[e.event]:
	case !w.m.Past(n, e.time):
		w.m.Hold(n, e.time)
		return
	default:
		w.lost(e)
	}
	p.at++
	w.m.Take(n)
}

// lost checks that the event of a label was not there up to the label's time.
func (w *world) lost(e entryAt) {
	until := e.time + w.m.Slack
	for _, p := range w.parts {
		for _, x := range p.log[p.at:] {
			if !p.labels && x.event == e.event && x.appended <= until {
				w.Errorf("the label of event %d at %d is lost, but the event was there at %d", e.event, e.time,
					x.appended)
			}
		}
	}
}

// TestMergeOrder: what was there when all was read comes in the order of time, events first at the same time.
func TestMergeOrder(t *testing.T) {
	m := Merge{Slack: 10}
	events, late := m.Add(false), m.Add(true)
	if _, ok := m.Next(); ok {
		t.Error("next before anything was read")
	}
	m.Head(events, 110)
	if _, ok := m.Next(); ok {
		t.Error("an event before the labels were read")
	}
	m.Head(late, 100)
	if n, ok := m.Next(); !ok || n != events {
		t.Error("a label before an event at the same time")
	}
	m.Take(events)
	m.Head(events, 111)
	if n, ok := m.Next(); !ok || n != late {
		t.Error("an event before an earlier label")
	}
}

// TestMergeEnd: an end holds nobody up if it was asked for after the other topic's head was read.
func TestMergeEnd(t *testing.T) {
	m := Merge{}
	events, late := m.Add(false), m.Add(true)
	asked := m.Ask(0)
	m.Head(events, 100)
	m.End(late, asked)
	if m.Ready(events) {
		t.Error("the labels' end was asked for before the event was read: a label may have come in between")
	}
	m.End(late, m.Ask(0))
	if !m.Ready(events) {
		t.Error("an event waits for labels read to their end")
	}
}

// TestMergeHold: a label of an unknown event waits for events past it, or for the wall clock where there are none.
func TestMergeHold(t *testing.T) {
	m := Merge{Slack: 10}
	events, late := m.Add(false), m.Add(true)
	m.Head(late, 100)
	m.End(events, m.Ask(105))
	if n, ok := m.Next(); !ok || n != late || m.Past(late, 100) {
		t.Error("the label is due, and its event may come until 110")
	}
	m.Hold(late, 100)
	m.End(events, m.Ask(110))
	if _, ok := m.Next(); ok {
		t.Error("a held label at 110, its event may have this time")
	}
	m.Head(events, 110)
	if n, ok := m.Next(); !ok || n != events {
		t.Error("a held label holds its partition only")
	}
	m.Take(events)
	m.End(events, m.Ask(111))
	if n, ok := m.Next(); !ok || n != late || !m.Past(late, 100) {
		t.Error("a held label behind the time of its event")
	}
}

// TestPause: a source that waits for something else holds up nothing that is current, and has its turn again behind it.
func TestPause(t *testing.T) {
	var m Merge
	events, late := m.Add(false), m.Add(true)
	m.Head(late, 10)
	m.Head(events, 50)
	want := func(n int, ok bool) {
		t.Helper()
		if got, has := m.Next(); has != ok || ok && got != n {
			t.Errorf("next %d %v, want %d %v", got, has, n, ok)
		}
	}
	want(late, true)
	m.Pause(late, 2000)
	want(0, false) // in a backlog the later event keeps its place
	m.Pause(late, 1050)
	want(events, true)
	m.Take(events)
	want(0, false)
	m.Head(events, 60)
	m.Resume(late)
	want(late, true)
}

// TestMergeCurrent: an event waits for the end of labels only if that was asked for more than half of the slack before
// its time.
func TestMergeCurrent(t *testing.T) {
	m := Merge{Slack: 10}
	events, late := m.Add(false), m.Add(true)
	next := func(timestamp int64, want bool) {
		t.Helper()
		m.Head(events, timestamp)
		if n, ok := m.Next(); (ok && n == events) != want {
			t.Errorf("an event at %d is next: %v, want %v", timestamp, !want, want)
		}
		m.Take(events)
	}
	next(90, false)
	m.End(late, m.Ask(100))
	next(105, true)
	next(106, false)
	m.Head(late, 94)
	next(104, true)
	next(105, false)
	m.Head(events, 105)
	m.Take(late)
	if n, ok := m.Next(); !ok || n != events {
		t.Error("an event at 105, when the label before it is handled")
	}
}
