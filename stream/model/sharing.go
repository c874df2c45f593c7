package model

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/dustin/go-humanize"

	"rosenblatt/learner"
)

// rarely is the share of names that have a slot with others, over which it is told.
const rarely = 0.01

// Sharing says how many slots several names share, each with one weight for all, and with how many bits it would be
// rare; empty where it is rare.
func (p *Processor) Sharing() string {
	used, slots := p.table.Used()
	shared := p.table.Collisions()
	//mutation:shared-slots-told
	if float64(shared) <= rarely*float64(used) {
		return ""
	}
	text := fmt.Sprintf("%s of %s slots in use are shared by several features, which then have one weight",
		humanize.Comma(int64(shared)), humanize.Comma(int64(used)))
	rare := rareBits(used, slots)
	if rare > learner.MaxBits {
		return text
	}
	return text + fmt.Sprintf("; with --bits %d (now %d) about 1 in 100 would be", rare, bits.Len(uint(slots))-1)
}

// rareBits is with how many bits a hundredth of the names would share a slot, by how many slots are in use: n names use
// S(1 - exp(-n/S)) of S slots.
func rareBits(used, slots int) int {
	free := math.Max(float64(slots-used), 0.5)
	names := float64(slots) * math.Log(float64(slots)/free)
	return int(math.Ceil(math.Log2(names / rarely)))
}
