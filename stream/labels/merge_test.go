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
	at     int         // position
	asked  bool        // a request is under way
	read   []readAhead // the first is the head
}

// readAhead is a record that was read.
type readAhead struct {
	at     Stamp
	others []int // the ends of all partitions then
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
			if p := w.r.IntN(len(w.parts)); !w.parts[p].asked && len(w.parts[p].read) < 3 {
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
	if p.at+len(p.read) >= r.visible {
		if len(p.read) == 0 {
			w.m.End(r.part, r.asked)
		}
		return
	}
	ahead := readAhead{at: w.m.Read()}
	for _, other := range w.parts {
		ahead.others = append(ahead.others, other.end(w.now))
	}
	if p.read = append(p.read, ahead); len(p.read) == 1 {
		w.m.HeadOf(r.part, p.log[p.at].time, ahead.at)
	}
}

func (w *world) handle(n int) {
	p := w.parts[n]
	e := p.log[p.at]
	for i, other := range w.parts {
		if other.labels == p.labels || other.at >= p.read[0].others[i] {
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
	p.read = p.read[1:]
	w.m.Take(n)
	if len(p.read) > 0 {
		w.m.HeadOf(n, p.log[p.at].time, p.read[0].at)
	}
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
