package event

import "github.com/cespare/xxhash/v2"

// Hash returns the slot and the fingerprint of a feature's name. The slot is the lowest Options.Bits bits of the name's
// xxhash64. The fingerprint is the 15 highest, which no slot uses, except that 0, which means "none", becomes 1.
func (d *Decoder) Hash(name []byte) (slot uint32, print uint16) {
	h := d.sum(name)
	return d.slot(h), fingerprint(h)
}

func (d *Decoder) slot(h uint64) uint32 { return uint32(h) & d.mask }

func fingerprint(h uint64) uint16 {
	return uint16(max(h>>49, 1))
}

// sum returns the name's 64-bit hash. Seed 0 has its own path because it is the default and three times as fast.
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
