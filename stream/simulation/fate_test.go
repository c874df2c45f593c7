package simulation

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// What may become of a request.
const (
	arrives       = "arrives"
	cutBefore     = "cut before it arrives"
	blackHole     = "black hole"
	comesLate     = "late"
	refusedWith   = "refused"
	partly        = "done in part"
	losesResponse = "done, response lost"
	cutsResponse  = "done, response cut"
	wrongResponse = "done, answered with an error"
	flipsByte     = "bytes corrupted"
)

type fate struct {
	what   string
	delay  time.Duration
	late   int  // how much happens at the brokers before it arrives
	silent bool // the connection stays, mute
	code   int16

	left     uint16 // which batches of a request that is done in part are left out
	leftCode int16
}

func (f fate) String() string {
	switch f.what {
	case refusedWith, wrongResponse:
		return fmt.Sprintf("%s: %d", f.what, f.code)
	case comesLate:
		return fmt.Sprintf("%s by %d", f.what, f.late)
	}
	return f.what
}

// mood is how often things go wrong in a run: each run has some kinds of faults and not others, so that one kind does
// not hide what another would show.
type mood struct {
	cut, hole, late, refuse, lose, half, wrong, flip float64 // of requests
	partly                                           float64 // of produce requests
	slow                                             float64
	died                                             float64 // of requests under way when the process dies, arrive late
	disk, hang                                       float64
	full                                             float64 // disks that are full once the process is live
	doubt                                            float64 // of batches
	marker                                           float64 // slow markers
}

func newMood(r *rand.Rand) mood {
	some := func(most float64) float64 {
		if r.IntN(2) == 0 {
			return 0
		}
		return most * r.Float64()
	}
	return mood{cut: some(.05), hole: some(.01), late: some(.05), refuse: some(.08), lose: some(.08), half: some(.03),
		wrong: some(.05), partly: some(.3),
		flip: some(.05), slow: some(.1), died: []float64{0, .5, 1}[r.IntN(3)], disk: some(.1), hang: some(.01),
		full: some(1), doubt: some(1), marker: some(.5)}
}

// codes that a broker may refuse a request with, having done nothing.
var refusals = map[kmsg.Key][]int16{
	kmsg.Produce:            {3, 6, 7, 19, 56, 45, 59, 10},
	kmsg.InitProducerID:     {7, 14, 15, 16, 51},
	kmsg.AddPartitionsToTxn: {14, 15, 16, 51},
	kmsg.EndTxn:             {14, 15, 16, 51},
	kmsg.Fetch:              {3, 6, 9, 56, 1, -1},
	kmsg.ListOffsets:        {3, 5, 6},
	kmsg.OffsetCommit:       {14, 15, 16, 25},
}

// codes with which a broker may deny what it has done.
var denials = map[kmsg.Key][]int16{kmsg.Produce: {7, 20}, kmsg.InitProducerID: {7, 14}, kmsg.EndTxn: {14, 51},
	kmsg.AddPartitionsToTxn: {14}}

// fate decides on a request. Each kind of request of a process has its own dice, so that what becomes of one does not
// hang on the order in which others come.
func (p *process) fate(q *request) fate {
	p.mu.Lock()
	defer p.mu.Unlock()
	r := p.dice[q.key]
	if r == nil {
		r = rand.New(rand.NewPCG(p.w.seed, uint64(p.id)<<16|uint64(q.key)+1))
		p.dice[q.key] = r
	}
	f := fate{what: arrives, delay: time.Duration(50+r.IntN(950)) * time.Microsecond}
	x, late, silent, pick, slow, died := r.Float64(), 1+r.IntN(12), r.IntN(2) == 0, r.IntN(1<<16), r.Float64(),
		r.Float64()
	m := &p.w.mood
	if changes(q.key) { // they are few among the fetches
		x /= 5
	}
	if p.w.quiet.Load() || p.w.spent.Load() >= p.w.budget {
		return f
	}
	if q.key == kmsg.Produce && isProbe(q) { // no fault changes what it is about
		return f
	}
	if r.Float64() < m.doubt && q.key == kmsg.Produce {
		f.what, f.code = refusedWith, codeGap
		return f
	}
	f.late = 0
	if died < m.died {
		f.late = late
	}
	if slow < m.slow {
		f.delay = time.Duration(pick) * time.Second / (1 << 12) // up to sixteen seconds: longer than any wait
	}
	for _, c := range []struct {
		what string
		p    float64
		ok   bool
	}{
		{cutBefore, m.cut, true}, {blackHole, m.hole, true}, {comesLate, m.late, changes(q.key)},
		{refusedWith, m.refuse, refusals[q.key] != nil},
		{partly, m.partly, q.key == kmsg.Produce}, {losesResponse, m.lose, true}, {cutsResponse, m.half, true},
		{wrongResponse, m.wrong, denials[q.key] != nil},
		{flipsByte, m.flip, q.key == kmsg.Fetch && p.w.flips.Load() < 3},
	} {
		if !c.ok {
			continue
		}
		if x -= c.p; x < 0 {
			f.what = c.what
			break
		}
	}
	f.left, f.leftCode = uint16(pick), []int16{7, 6, 10}[late%3]
	if q.key == kmsg.Produce && f.leftCode == 10 && !refusable(q) {
		f.leftCode = 7
	}
	switch f.what {
	case comesLate:
		f.late, f.silent = late, silent
	case refusedWith:
		f.code = refusals[q.key][pick%len(refusals[q.key])]
		if f.code == 10 && !refusable(q) {
			f.code = 7
		}
		if r, ok := q.body.(*kmsg.FetchRequest); ok && f.code == 1 && r.IsolationLevel == 0 {
			f.code = 6 // looking for markers: an offset out of range that is none is no fault of Kafka's
		}
	case wrongResponse:
		f.code = denials[q.key][pick%len(denials[q.key])]
	}
	return f
}

// isProbe reports whether a request asks whether the broker fences: it has a wrong sequence.
func isProbe(q *request) bool {
	req := q.body.(*kmsg.ProduceRequest)
	return len(req.Topics) == 1 && len(req.Topics[0].Partitions) == 1 &&
		binary.BigEndian.Uint32(req.Topics[0].Partitions[0].Records[53:]) == 12345
}

// refusable reports whether batches may be refused as too large: not a dead letter alone, which goes out bare then, and
// no prediction in its short form.
func refusable(q *request) bool {
	for _, t := range q.body.(*kmsg.ProduceRequest).Topics {
		for _, p := range t.Partitions {
			alone := binary.BigEndian.Uint32(p.Records[57:]) < 2
			if alone && !bytes.Contains(p.Records, []byte(`"prediction"`)) ||
				bytes.Contains(p.Records, []byte(`"short":true`)) {
				return false
			}
		}
	}
	return true
}

// flip changes one byte of one batch in a fetch response, where the batch's checksum covers it: what stands around a
// batch, and its offset, have no checksum but TCP's.
func (p *process) flip(q *request, response []byte) {
	res, err := q.readResponse(response)
	if err != nil {
		return
	}
	for _, t := range res.(*kmsg.FetchResponse).Topics {
		for _, tp := range t.Partitions {
			if b := tp.RecordBatches; len(b) > 61 {
				size := min(len(b), 12+int(binary.BigEndian.Uint32(b[8:])))
				b[17+int(p.ops.Load()*37)%(size-17)] ^= 1 << (p.ops.Load() % 8)
				p.w.flips.Add(1)
				return
			}
		}
	}
}

// Faults of the disk.
const (
	diskWorks = iota
	diskFails
	diskHangs
)

// diskFault decides on an operation of the disk. A disk that is full or broken is so for some operations on end.
func (p *process) diskFault(op string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	x, n := p.disk.Float64(), 1+p.disk.IntN(8)
	if p.w.quiet.Load() {
		return diskWorks
	}
	if p.broken > 0 {
		p.broken--
		return diskFails
	}
	if p.full && op == "create" && p.task.Status().Epoch > 0 {
		return diskFails
	}
	m := &p.w.mood
	switch {
	case op == "open" || op == "list": // what cannot be read at the start is a stop
		return diskWorks
	case x < m.disk/4:
		p.broken = n - 1
		p.w.spent.Add(1)
		p.w.count("fault: disk fails")
		return diskFails
	case x < m.disk/4+m.hang && op == "sync":
		p.w.spent.Add(1)
		p.w.count("fault: disk hangs")
		return diskHangs
	}
	return diskWorks
}
