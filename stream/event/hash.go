package event

import "github.com/cespare/xxhash/v2"

// Hash gives the slot and the fingerprint of a feature's name. The slot is the lowest Options.Bits bits of the name's
// xxhash64; the fingerprint comes from the 15 highest, which no slot uses, with 1 in the place of 0, which stands for "none".
func (d *Decoder) Hash(name []byte) (slot uint32, print uint16) {
	h := d.sum(name)
	return d.slot(h), fingerprint(h)
}

func (d *Decoder) slot(h uint64) uint32 { return uint32(h) & d.mask }

func fingerprint(h uint64) uint16 {
	return uint16(max(h>>49, 1))
}

// sum is the name's 64-bit hash. Seed 0 is worth a path of its own: it is the default and three times as fast.
func (d *Decoder) sum(name []byte) uint64 {
	if d.options.Seed == 0 {
		return xxhash.Sum64(name)
	}
	return d.seeded(name)
}

func (d *Decoder) seeded(name []byte) uint64 {
	d.digest.ResetWithSeed(d.options.Seed)
	_, _ = d.digest.Write(name) // never fails
	return d.digest.Sum64()
}
