package labels

import (
	"math/rand/v2"
	"testing"
)

// world is partitions that grow while they are read, with a network in between. Some events are in transactions that
// are open for long, and some leaders do not respond for a while.
type world struct {
	*testing.T
	r       *rand.Rand
	m       Merge
	now     int64
	old     int64 // how far timestamps are behind the clock
	parts   []*part
	seen    map[int]bool // events handled
	replies []reply
	began   int64 // the first request; 0: there was none
}

type part struct {
	labels  bool
	log     []entryAt
	at      int         // position
	asked   bool        // a request is under way
	read    []readAhead // the first is the head
	away    [2]int64    // its leader does not respond from, to
	answers []int64     // requests with an answer, by when they were made
	tried   []int64     // those since the last answer
	failed  bool        // one of them failed
	first   int64       // the first answer; 0: there was none
	held    bool
}

// readAhead is a record that was read.
type readAhead struct {
	at     Stamp
	now    int64
	others []int // the ends of all partitions then
}

type entryAt struct {
	appended, time int64
	event          int   // its number, or that of a label
	until          int64 // what is open cannot be read before
}

type reply struct {
	part    int
	asked   Asked
	visible int
	high    int
}

// TestMerge plays partitions that are read over a slow network: a record comes behind every earlier one of the other
// topic that was there when it was read, no label is lost whose event was stored in time, no event waits for a label
// that waits for its own, or for a leader that does not respond, and nothing stands still.
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

const begin = 1_000_000 // of the clock

func newWorld(t *testing.T, r *rand.Rand) *world {
	w := &world{T: t, r: r, seen: map[int]bool{}, now: begin}
	w.m.Slack = r.Int64N(3000)
	if r.IntN(3) == 0 {
		w.old = 50_000
	}
	events, late := 1+r.IntN(3), 1+r.IntN(3)
	for i := range events + late {
		p := &part{labels: i >= events}
		if r.IntN(4) == 0 {
			p.away[0] = begin + r.Int64N(30_000)
			p.away[1] = p.away[0] + r.Int64N(30_000)
		}
		w.parts = append(w.parts, p)
		w.m.Add(i >= events)
	}
	now := int64(begin)
	for n := range 30 {
		now += r.Int64N(2000)
		e := entryAt{appended: now + r.Int64N(500), time: now - w.old, event: n}
		if r.IntN(8) == 0 {
			e.until = now + r.Int64N(40_000)
		}
		w.append(r.IntN(events), e)
	}
	now = begin
	for range 30 {
		now += r.Int64N(2500)
		// Some are of no event, some of one to come.
		w.append(events+r.IntN(late), entryAt{appended: now + r.Int64N(500), time: now - w.old, event: r.IntN(35)})
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

// stored is how many records are stored.
func (p *part) stored(now int64) (n int) {
	for n < len(p.log) && p.log[n].appended <= now {
		n++
	}
	return n
}

// end is how many of them can be read.
func (p *part) end(now int64) (n int) {
	for n < p.stored(now) && p.log[n].until <= now {
		n++
	}
	return n
}

func (p *part) isAway(now int64) bool { return p.away[0] <= now && now < p.away[1] }

// time is that of a record in the merge.
func (w *world) time(p *part, i int) int64 {
	if p.labels {
		return p.log[i].time + w.m.Slack
	}
	return p.log[i].time
}

func (w *world) play() {
	for range 40_000 {
		switch w.r.IntN(4) {
		case 0:
			w.now += w.r.Int64N(400)
			w.m.Clock(w.now)
		case 1:
			w.ask()
		case 2:
			if len(w.replies) > 0 {
				i := w.r.IntN(len(w.replies))
				w.reply(w.replies[i])
				w.replies = append(w.replies[:i], w.replies[i+1:]...)
			}
		default:
			if n, ok := w.m.Next(); ok {
				w.handle(n)
			}
		}
		w.checkEvents()
		if w.done() {
			return
		}
	}
	w.Errorf("it stands still at %d: %+v", w.now, w.m.sources)
}

// ask asks all leaders that are not being asked.
func (w *world) ask() {
	asked := w.m.Ask(w.now)
	if w.began == 0 {
		w.began = w.now
	}
	for n, p := range w.parts {
		if p.tried = append(p.tried, w.now); p.asked || len(p.read) == 3 {
			continue
		}
		p.asked = true
		w.replies = append(w.replies, reply{part: n, asked: asked, visible: p.end(w.now), high: p.stored(w.now)})
	}
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
	if p.isAway(w.now) || p.isAway(r.asked.now) {
		w.m.Failed(r.part)
		p.failed = p.failed || len(p.tried) > 0
		return
	}
	p.answers, p.tried, p.failed = append(p.answers, r.asked.now), nil, false
	if p.first == 0 {
		p.first = w.now
	}
	w.m.Responded(r.part, r.asked)
	if w.r.IntN(2) == 0 { // the way there was slow, not the way back
		r.visible = p.end(w.now)
	}
	if p.labels {
		w.m.Readable(r.part, w.now, int64(r.visible))
	} else {
		w.m.Stored(r.part, r.asked, int64(r.high), int64(r.visible))
	}
	w.m.Handled(r.part, int64(p.at))
	if p.at+len(p.read) >= r.visible {
		if len(p.read) == 0 {
			w.m.End(r.part, r.asked)
		}
		return
	}
	ahead := readAhead{at: w.m.Read(), now: w.now}
	for _, other := range w.parts {
		ahead.others = append(ahead.others, other.end(w.now))
	}
	if p.read = append(p.read, ahead); len(p.read) == 1 {
		w.m.HeadOf(r.part, p.log[p.at].time, ahead.at)
	}
}

// unasked says from all requests whether a partition could not be asked for half of the slack.
func (w *world) unasked(p *part) bool {
	if len(p.tried) == 0 || !p.failed && w.now-p.tried[0] < leastSlack {
		return false
	}
	last := w.began
	for _, at := range p.answers {
		last = max(last, at)
	}
	return w.now-last >= max(w.m.Slack/2, leastSlack)
}

// away says whether an event need not wait for a partition of the labels: a backlog waits until that was asked in vain
// for half of the slack.
func (w *world) away(p *part, e entryAt) bool {
	return w.unasked(p) && (e.time >= w.now-max(w.m.Slack, leastSlack) ||
		w.now-p.tried[0] >= max(w.m.Slack/2, leastSlack))
}

// checkEvents checks that no event waits that need not: for a held label whose time has passed, for one that waits for
// a partition that cannot be asked, or for a partition of the labels that cannot be asked.
func (w *world) checkEvents() {
	lost := false
	for _, p := range w.parts {
		lost = lost || !p.labels && w.unasked(p) && len(p.read) == 0
	}
	for n, p := range w.parts {
		if p.labels || len(p.read) == 0 || w.m.Ready(n) {
			continue
		}
		e, waits := p.log[p.at], false
		for _, other := range w.parts {
			switch {
			case !other.labels:
			case len(other.read) > 0 && w.time(other, other.at) > e.time:
			case len(other.read) > 0 && w.now > w.time(other, other.at) && (other.held || lost):
				waits = waits || w.now < other.first+w.m.Slack || !other.held
			case len(other.read) == 0 && w.away(other, e):
			default:
				waits = true
			}
		}
		if !waits {
			w.Errorf("the event of %d in %d waits for nobody at %d", e.time, n, w.now)
		}
	}
}

func (w *world) handle(n int) {
	p := w.parts[n]
	e := p.log[p.at]
	for i, other := range w.parts {
		if other.labels == p.labels || other.at >= p.read[0].others[i] ||
			other.labels && w.away(other, e) || !other.labels && w.unasked(other) {
			continue
		}
		x := other.log[other.at]
		if other.labels && (x.appended-x.time+w.old > w.m.Slack-w.m.Slack/2 || w.old > 0) && len(other.read) == 0 {
			continue // it came so late that an event need not wait for it
		}
		if other.labels && w.now > w.time(other, other.at) {
			continue // it waits for its event, or for a partition that cannot be asked
		}
		if at, now := w.time(other, other.at), w.time(p, p.at); at < now || at == now && p.labels {
			w.Errorf("partition %d at %d goes before %d at %d, which was there", n, now, i, at)
		}
	}
	since := w.m.Since(n, int64(p.at), p.read[0].now)
	switch {
	case !p.labels:
		w.seen[e.event] = true
	case w.seen[e.event]:
	case !w.m.Past(n, e.time, since):
		w.m.Hold(n, e.time, since)
		p.held = true
		return
	default:
		w.lost(e)
	}
	p.at++
	p.held = false
	p.read = p.read[1:]
	w.m.Take(n)
	if len(p.read) > 0 {
		w.m.HeadOf(n, p.log[p.at].time, p.read[0].at)
	}
}

// lost checks that the event of a label was not stored in time, by the label's timestamp and by when it was readable,
// unless events behind its time were read before it.
func (w *world) lost(e entryAt) {
	until := max(e.time, e.appended) + w.m.Slack
	for _, p := range w.parts {
		for _, x := range p.log[p.at:] {
			if !p.labels && x.event == e.event && x.appended <= until && x.time <= e.time+w.m.Slack {
				w.Errorf("the label of event %d at %d is lost, but the event was stored at %d", e.event, e.time,
					x.appended)
			}
		}
	}
}
