package decision

import "math/bits"

// Latest is over how many moves Progress counts the latest hits.
const Latest = 1000

// Progress counts the moves of a cut, and how many of them were hits: of Precision positive predictions that were
// right, of Recall positive labels that were predicted, of Alerts events that were predicted positive, of Cost labels
// near the cut that were positive.
type Progress struct {
	Count int64      `json:"count"`
	Hits  int64      `json:"hits"`
	Ring  [16]uint64 `json:"ring"` // a bit for each of the latest ones; the n-th is bit n modulo Latest
}

func (p *Progress) add(hit bool) {
	at := p.Count % Latest
	word, bit := &p.Ring[at/64], uint64(1)<<(at%64)
	p.Count++
	*word &^= bit
	if hit {
		*word |= bit
		p.Hits++
	}
}

// Last returns the latest moves, at most Latest, and how many of them were hits.
func (p *Progress) Last() (count, hits int64) {
	for _, word := range p.Ring {
		hits += int64(bits.OnesCount64(word))
	}
	return min(p.Count, Latest), hits
}

func (p *Progress) valid() bool {
	count, hits := p.Last()
	return p.Hits <= p.Count && hits <= count && hits <= p.Hits && p.Hits-hits <= p.Count-count && p.Hits >= 0 &&
		p.Ring[15]>>(Latest%64) == 0
}
