package metrics

import (
	"errors"
	"math"
)

// Paired compares two predictors of the same examples in equal blocks of consecutive ones. Mistakes come in runs, so
// blocks, not examples, are what is taken as independent. The zero value is ready to use.
type Paired struct {
	size   int64 // examples of a block, 0 before the first
	full   int   // blocks
	blocks [pairedBlocks]Difference
	open   Difference // of the block that is not full
	in     int64      // examples of that
}

// pairedBlocks is how many blocks are never full: then neighbours are merged, so there are half as many or more.
const pairedBlocks = 64

// leastBlocks is how many full blocks a comparison needs.
const leastBlocks = pairedBlocks / 2

// Difference is how many more mistakes of each kind the first of two predictors made. Of several classes all are
// FalsePositives.
type Difference struct {
	FalsePositives int64 `json:"fp"`
	FalseNegatives int64 `json:"fn"`
}

func (d *Difference) add(e Difference) {
	d.FalsePositives += e.FalsePositives
	d.FalseNegatives += e.FalseNegatives
}

// Add counts an example.
func (p *Paired) Add(d Difference) {
	if p.size == 0 {
		p.size = 1
	}
	p.open.add(d)
	if p.in++; p.in < p.size {
		return
	}
	p.blocks[p.full] = p.open
	p.open, p.in = Difference{}, 0
	//mutation:blocks-merged
	if p.full++; p.full == pairedBlocks {
		p.merge()
	}
}

// merge makes one block of two neighbours each.
func (p *Paired) merge() {
	for i := range pairedBlocks / 2 {
		p.blocks[i] = p.blocks[2*i]
		p.blocks[i].add(p.blocks[2*i+1])
	}
	p.full, p.size = pairedBlocks/2, 2*p.size
}

// Reversed compares the second predictor with the first.
func (p Paired) Reversed() Paired {
	for i := range p.blocks[:p.full] {
		p.blocks[i] = p.blocks[i].negative()
	}
	p.open = p.open.negative()
	return p
}

func (d Difference) negative() Difference { return Difference{-d.FalsePositives, -d.FalseNegatives} }

// Comparison is how much dearer the first of two predictors is than the second, for an example on average.
type Comparison struct {
	Examples   int64   `json:"examples"` // of full blocks
	Blocks     int     `json:"blocks"`   // 32 to 63, fewer at first
	Difference float64 `json:"difference"`
	// The 95 % interval of Difference, by Student's t over the blocks. Without one, it is not Known.
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Known bool    `json:"known"`
}

// Compare compares by what mistakes cost; of Cost{1, 1} by mistakes.
func (p *Paired) Compare(c Cost) Comparison {
	out := Comparison{Examples: int64(p.full) * p.size, Blocks: p.full}
	if p.full == 0 {
		return out
	}
	n, size := float64(p.full), float64(p.size)
	of := func(d Difference) float64 {
		fp, fn := float64(d.FalsePositives), float64(d.FalseNegatives)
		return (float64(c.FalsePositive*fp) + float64(c.FalseNegative*fn)) / size
	}
	var all Difference
	for _, d := range p.blocks[:p.full] {
		all.add(d)
	}
	out.Difference = of(all) / n
	if p.full < leastBlocks {
		return out
	}
	squares := 0.0
	for _, d := range p.blocks[:p.full] {
		off := of(d) - out.Difference
		squares += float64(off * off)
	}
	half := student[p.full-leastBlocks] * math.Sqrt(squares/(n-1)/n)
	out.Low, out.High, out.Known = out.Difference-half, out.Difference+half, true
	return out
}

// Better reports whether the second predictor is better than the first, beyond chance (first = false), or the first.
func (c Comparison) Better() (second, first bool) {
	return c.Known && c.Low > 0, c.Known && c.High < 0
}

// student are the quantiles of Student's t at 0.975, of 31 to 62 degrees of freedom: of 32 to 63 blocks. They are from
// scipy.stats.t.ppf.
var student = [leastBlocks]float64{
	2.039513446396408, 2.0369333434601016, 2.0345152974493383, 2.0322445093177186, 2.030107928250343,
	2.0280940009804502, 2.0261924630291093, 2.0243941639119694, 2.022690920036761, 2.021075390306273,
	2.019540970441376, 2.0180817028184443, 2.016692199227824, 2.0153675744437636, 2.014103388880846,
	2.012895598919429, 2.0117405137297655, 2.010634757624232, 2.0095752371292392, 2.008559112100761,
	2.007583770315836, 2.006646805061688, 2.0057459953178687, 2.0048792881880564, 2.0040447832891455,
	2.003240718847872, 2.002465459291007, 2.0017174841452356, 2.000995378088267, 2.0002978220142604,
	1.999623584994939, 1.9989715170333788,
}

// PairedState is a Paired as JSON.
type PairedState struct {
	Size   int64        `json:"size"`
	Blocks []Difference `json:"blocks"`
	Open   Difference   `json:"open"`
	In     int64        `json:"in"`
}

// State returns what Load reads.
func (p *Paired) State() PairedState {
	return PairedState{p.size, append([]Difference{}, p.blocks[:p.full]...), p.open, p.in}
}

// Load goes on with a state.
func (p *Paired) Load(s PairedState) error {
	sizeFits := s.Size > 0 && s.Size&(s.Size-1) == 0 && s.In < s.Size || s.Size == 0 && s.In == 0 && len(s.Blocks) == 0
	least := 0
	if s.Size > 1 {
		least = leastBlocks
	}
	if !sizeFits || s.In < 0 || len(s.Blocks) >= pairedBlocks || len(s.Blocks) < least {
		return errors.New("its blocks are none that examples lead to")
	}
	for _, d := range s.Blocks {
		if !d.within(s.Size) {
			return errors.New("a block has more mistakes than examples")
		}
	}
	if !s.Open.within(s.In) {
		return errors.New("the open block has more mistakes than examples")
	}
	*p = Paired{size: s.Size, full: len(s.Blocks), open: s.Open, in: s.In}
	copy(p.blocks[:], s.Blocks)
	return nil
}

// within reports whether so many examples can make the difference.
func (d Difference) within(n int64) bool {
	return max(d.FalsePositives, -d.FalsePositives) <= n && max(d.FalseNegatives, -d.FalseNegatives) <= n
}
