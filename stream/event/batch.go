package event

import (
	"slices"

	"rosenblatt/learner"
)

// Batch is what consecutive records decode to. Each Decode uses its memory again.
type Batch struct {
	Examples []Example // one for each record
	Skipped  int64     // of them, those with Skip

	// CopyIDs has short ids copied next to each other: most often another processor uses the examples, and it would
	// wait for each id within its record.
	CopyIDs bool
	// Shared says that other processors have read the examples of the batch before.
	Shared bool

	arena  []learner.Feature // of all examples
	ids    []byte            // of all examples
	strays []strayWord
}

// The first examples of a batch tell how many features the others will have.
const (
	sampled         = 8       // examples
	maxGrowFeatures = 1 << 15 // the arena is grown by no more at a time
)

// Features are the features of example i.
func (b *Batch) Features(i int) []learner.Feature { return b.Examples[i].Features(b.arena) }

// Decode decodes every record.
func (b *Batch) Decode(d *Decoder, records []Record) {
	n := len(records)
	if cap(b.Examples) < n {
		b.Examples = make([]Example, max(n, cap(records)))
	}
	b.Examples, b.Skipped, b.arena, b.ids = b.Examples[:n], 0, b.arena[:0], b.ids[:0]
	b.strays = b.strays[:0]
	for i := range records {
		if i == sampled { // one allocation instead of many
			b.arena = slices.Grow(b.arena, min(len(b.arena)*(n-i)/sampled*9/8, maxGrowFeatures))
		}
		if b.Shared && i%claimed == 0 {
			b.prefetchForWrite(i)
		}
		e := &b.Examples[i]
		b.arena = d.Decode(&records[i], b.arena, e)
		if e.Skip {
			b.Skipped++
		}
		if len(d.strays) > 0 && e.Rejected == nil {
			b.addStrays(d, i)
		}
		if b.CopyIDs {
			b.copyID(e)
		}
	}
}

func (b *Batch) addStrays(d *Decoder, example int) {
	for _, column := range d.strays {
		b.strays = append(b.strays, strayWord{example, column})
	}
}

// copyID copies a short id next to the others.
func (b *Batch) copyID(e *Example) {
	if len(e.ID) == 0 || len(e.ID) > 64 {
		return
	}
	from := len(b.ids)
	b.ids = append(b.ids, e.ID...)
	e.ID = b.ids[from:len(b.ids):len(b.ids)]
}

// claimed is the number of examples whose memory is claimed at a time: it has to stay in the nearest cache until they
// are decoded.
const claimed = 64

// prefetchForWrite overwrites the memory of the examples from i on. A processor has to request each cache line that
// other processors have read before it may write to it: here it requests many at once, example by example it would wait
// for each.
func (b *Batch) prefetchForWrite(i int) {
	clear(b.Examples[i:min(i+claimed, len(b.Examples))])
	n := len(b.arena)
	clear(b.arena[n:min(n+cap(b.arena)*claimed/cap(b.Examples), cap(b.arena))])
}
