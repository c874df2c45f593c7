package simulation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"time"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/model"
)

// play runs the world to its end.
func (w *world) play() {
	parcels := w.topics()
	fed, share := make(chan struct{}), make(chan int, 100)
	w.background(func() { w.feed(parcels, share); close(fed) })
	trouble := rand.New(rand.NewPCG(w.seed, 4))
	w.background(func() { w.trouble(trouble) })
	w.background(func() { w.retention(w.retainer) })
	n := 2 + w.rng.IntN(9)
	for i := range n {
		if w.failed() {
			break
		}
		if i < n-1 {
			share <- 1 + 2*len(parcels)/(3*n)
		}
		w.incarnation()
	}
	close(share)
	w.settle(fed)
	if w.failed() {
		return
	}
	if newest := w.last(); !w.failed() {
		w.lose(rand.New(rand.NewPCG(w.seed, 9)), newest)
	}
}

// close ends whatever goes on still. The brokers' clients are closed before the brokers are.
func (b *brokers) close() {
	for _, w := range b.worlds {
		w.over.Store(true)
		for _, p := range w.processes {
			p.die()
			<-p.ended
		}
	}
	b.cluster.Fake.Close()
	for _, w := range b.worlds {
		w.group.Wait()
	}
	time.Sleep(2 * hang) // whoever waits for the disk goes on and finds that it is dead
}

// incarnation starts a process and lets something happen to it.
func (w *world) incarnation() {
	r := w.rng
	what := []string{kill, kill, kill, kill, power, power, power, stopSlow, stopSlow, rival, term, outage,
		outage}[r.IntN(13)]
	at := int64(1 + r.IntN([]int{30, 80, 200}[r.IntN(3)]))
	busy := r.IntN(2) == 0
	if busy {
		at = 1 + at/2
	}
	p := w.start(w.pick(), false, at, what, busy)
	limit := time.NewTimer(20 * time.Second)
	defer limit.Stop()
	select {
	case <-p.struck:
	case <-p.ended:
	case <-limit.C:
		p.die()
	case <-w.broken:
		return
	}
	if p.what == outage {
		select {
		case <-p.ended:
		case <-time.After(p.away + 15*time.Second):
		case <-w.broken:
			return
		}
	}
	if p.what == kill || p.what == power || p.what == term || p.dead.Load() {
		w.wait(fmt.Sprintf("%v does not end", p), p.ended)
	}
	if percent := []int{0, 0, 50, 100}[r.IntN(4)]; p.what == power && p.steps.Load() >= p.at {
		p.folder.losePower(percent)
	}
	if !p.folder.used.Load() && r.IntN(12) == 0 && p.folder.damage() {
		w.count("checkpoints damaged")
		w.logf("the newest checkpoint of %s is damaged", filepath.Base(p.folder.root))
	}
	for _, q := range w.processes { // of those that are stopped or have a rival
		switch r.IntN(6) {
		case 0, 1:
			q.wake()
		case 2:
			if q != p && !q.dead.Load() {
				q.die()
			}
		}
	}
}

// pick chooses a folder that no process uses, mostly the newest; a copy where there is none.
func (w *world) pick() *folder {
	var free []*folder
	for _, f := range w.folders {
		if !f.used.Load() && (f.published.Load() || w.rng.IntN(8) == 0) {
			free = append(free, f)
		}
	}
	newest := w.folders[len(w.folders)-1]
	switch x := w.rng.IntN(10); {
	case x < 7 && !newest.used.Load():
		return newest
	case x < 9 && len(free) > 0:
		return free[w.rng.IntN(len(free))]
	}
	n := len(w.folders)
	if w.setup.State != "" && w.rng.IntN(2) == 0 {
		return w.emptyFolder()
	}
	from := w.folders[w.rng.IntN(n)]
	if !from.published.Load() {
		from = newest
	}
	f := from.copyTo(filepath.Join(w.root, fmt.Sprint(n)), rand.New(rand.NewPCG(w.seed, 100+uint64(n))))
	w.folders = append(w.folders, f)
	w.count("folders copied")
	return f
}

// trouble is the brokers' own: restarts, leaders and coordinators that move.
func (w *world) trouble(r *rand.Rand) {
	if r.IntN(2) == 0 {
		return
	}
	for !w.quiet.Load() {
		time.Sleep(time.Duration(r.IntN(6000)) * time.Millisecond)
		if w.quiet.Load() {
			return
		}
		switch r.IntN(5) {
		case 4:
			w.compact()
		case 0:
			w.restart(time.Duration(r.IntN(20_000)) * time.Millisecond)
		case 1:
			w.mu.Lock()
			w.cluster.Fake.RehashCoordinators()
			w.mu.Unlock()
		default:
			w.mu.Lock()
			all := []string{w.setup.Name, w.setup.Output(), w.setup.DeadLetters(), w.setup.Kafka.Outcomes,
				w.setup.Kafka.Labels, w.setup.State}
			topic := all[r.IntN(len(all))]
			node := int32(r.IntN(len(w.cluster.Brokers)))
			err := w.cluster.Fake.MoveTopicPartition(topic, w.partition(), node)
			if err == nil && len(w.cluster.Brokers) > 1 {
				w.count("leaders moved")
				w.logf("the leader of %s/%d is broker %d", topic, w.partition(), node)
			}
			w.mu.Unlock()
		}
	}
}

// restart cuts every connection and refuses new ones for a while.
func (w *world) restart(d time.Duration) {
	w.count("broker restarts")
	w.logf("the brokers are away for %v", d)
	w.note.Lock()
	w.down = time.Now().Add(d)
	w.note.Unlock()
	w.mu.Lock()
	all := append([]*process(nil), w.alive()...)
	w.mu.Unlock()
	for _, p := range all {
		p.hangUp()
	}
}

// settle ends all faults, and every process.
func (w *world) settle(fed <-chan struct{}) {
	w.quiet.Store(true)
	w.note.Lock()
	w.down = time.Time{}
	w.note.Unlock()
	w.logf("no more faults")
	w.mu.Lock()
	w.happened() // what is late arrives now
	w.mu.Unlock()
	for _, p := range w.processes {
		p.wake()
	}
	w.wait("the input does not come to its end", fed)
	for w.markersMissing() { // who waits for them does not know yet whether it is fenced
		time.Sleep(time.Second)
	}
	time.Sleep(15 * time.Second)
	for _, p := range w.processes {
		w.obeys(p)
		p.cancel()
		w.wait(fmt.Sprintf("%v does not end", p), p.ended)
	}
}

// obeys checks that a process has ended after a response that it is fenced.
func (w *world) obeys(p *process) {
	w.mu.Lock()
	defer w.mu.Unlock()
	select {
	case <-p.ended:
	default:
		if p.fenced >= 0 && p.fenced == p.newest && !p.dead.Load() && p.member == nil {
			w.violate("%v is fenced and goes on", p)
		}
	}
}

// last runs a task to the end from two of the folders in turn, and audits the topics. It returns the second folder.
func (w *world) last() (newest *folder) {
	for range 2 {
		w.retain(w.retainer)
		var fit []*folder
		for _, f := range w.folders {
			if f.published.Load() {
				fit = append(fit, f)
			}
		}
		if fit == nil {
			fit = w.folders
		}
		newest = fit[w.rng.IntN(len(fit))]
		p := w.start(newest, true, 0, "", false)
		w.wait(fmt.Sprintf("the last one, %v, does not come to the end", p), p.ended)
		if w.failed() {
			return newest
		}
		if p.err != nil {
			w.violate("the last one, %v: %v", p, p.err)
			return newest
		}
		w.mu.Lock()
		w.oracle.complete()
		w.oracle.keptPromises()
		w.newest(p)
		w.mu.Unlock()
	}
	switch {
	case w.failed():
	case w.hasLabels():
		w.verify()
	case w.setup.Kafka.Outcomes != "": // the oracle has made everything again
	case w.retained != nil:
		w.verify()
	default:
		w.setup.Audit(w.t)
	}
	return newest
}

// newest checks that the newest checkpoint is of the end, score included.
func (w *world) newest(p *process) {
	d := calm{&disk{p, p.folder, p.folder.mem}}
	f, _, err := (&checkpoint.Store{FS: d, Dir: p.folder.dir()}).Newest()
	if err != nil || f == nil {
		w.violate("the newest checkpoint at the end: %v, %v", f, err)
		return
	}
	h, proc, err := model.Read(f)
	if err == nil && h.Seq != w.oracle.seen {
		err = fmt.Errorf("seq %d of %d", h.Seq, w.oracle.seen)
	}
	if err == nil {
		err = w.oracle.check(&h, proc)
	}
	var was, is []byte
	switch l := w.oracle.learners; {
	case err != nil:
	case l.several():
		err = l.sameFigures(&h.Config, proc, w.hasLabels())
	default:
		was, _ = json.Marshal(proc.Score)
		is, _ = json.Marshal(l.live().proc.Score)
	}
	if err == nil && !bytes.Equal(was, is) {
		err = fmt.Errorf("the score is %s, computed anew %s", was, is)
	}
	if err != nil {
		w.violate("the newest checkpoint at the end: %v", err)
	}
}
