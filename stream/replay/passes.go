package replay

import (
	"context"
	"math/rand/v2"
)

type pick struct {
	block *Block
	i     int32
}

// again repeats the kept blocks in order, or shuffled by the seed and the number of the pass.
func (r *run) again(ctx context.Context, pass int) {
	if !r.Shuffle {
		for _, b := range r.kept {
			r.moved(int64(pass)*r.size + b.done)
			if ctx.Err() != nil {
				return
			}
			// Evaluators that hold the block for a late label are counted already.
			b.users.Add(int32(len(r.evaluators)))
			r.give(batch{block: b})
		}
		return
	}
	var picks []pick
	for _, b := range r.kept {
		for i := range b.Records {
			picks = append(picks, pick{b, int32(i)})
		}
	}
	order := rand.New(rand.NewPCG(r.Seed, uint64(pass)))
	order.Shuffle(len(picks), func(i, j int) { picks[i], picks[j] = picks[j], picks[i] })
	for all := len(picks); len(picks) > 0 && ctx.Err() == nil; {
		r.moved(int64(pass+1)*r.size + int64(float64(r.size)*float64(all-len(picks))/float64(all)))
		n := min(len(picks), blockRecords)
		r.give(batch{picks: picks[:n]})
		picks = picks[n:]
	}
}
