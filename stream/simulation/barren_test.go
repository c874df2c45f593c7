package simulation

import "math/rand/v2"

// barren makes records without entries of most of one partition of the input and one of the labels in half of the
// worlds: aborted ones, null values, and such as cannot be read. In one world of four transactions stay open long.
func (w *world) barren(parcels []parcel) []parcel {
	r := rand.New(rand.NewPCG(w.seed, 6))
	if r.IntN(2) == 0 {
		partition := w.partition()
		if !w.setup.Kafka.Split {
			partition = r.Int32N(3)
		}
		for i := range parcels {
			if parcels[i].partition == partition {
				w.spoil(r, &parcels[i])
			}
		}
	}
	if r.IntN(4) == 0 {
		left := 0
		for i := range parcels {
			p := &parcels[i]
			if left--; left < 0 && p.txn {
				p.stays = 5 + r.IntN(40)
				left = p.stays
			} else if p.txn {
				p.abort(false)
				p.txn = false
			}
		}
	}
	return parcels
}

func (p *parcel) abort(aborted bool) {
	for _, in := range p.records {
		in.aborted = aborted
	}
}

// spoil takes most parcels their records' entries.
func (w *world) spoil(r *rand.Rand, p *parcel) {
	how := r.IntN(5)
	if how == 1 || how == 2 {
		p.txn = true
		p.abort(true)
	}
	if how < 3 {
		return
	}
	for _, in := range p.records {
		if in.record.Value = nil; how == 4 {
			in.record.Value = []byte("{")
		}
		in.later, in.skipped = false, how == 3 && w.skipsNull()
		in.malformed = !in.skipped
	}
}
