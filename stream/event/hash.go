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

// prefixHash is the state of the hash of names after the bytes that they have in common, of which there are size.
type prefixHash struct {
	digest xxhash.Digest
	size   int
}

// longPrefix is the size of the shortest prefix whose hash is kept. An event may repeat a longer one in the names of
// thousands of features, each of which takes as long as the event to hash.
const longPrefix = 256

// pushPrefix keeps the hash of d.name[d.base:end], which precedes the names that follow, if it is long. The caller must
// cut d.prefixes to the size returned behind the last of these names.
func (d *Decoder) pushPrefix(end int) (before int) {
	before = len(d.prefixes)
	if end-d.base < longPrefix {
		return before
	}
	var p prefixHash
	if before > 0 {
		p = d.prefixes[before-1]
	} else {
		p.digest.ResetWithSeed(d.options.Seed)
	}
	_, _ = p.digest.Write(d.name[d.base+p.size : end]) // never fails
	p.size = end - d.base
	d.prefixes = append(d.prefixes, p)
	return before
}

// prefixedSum is sum of a name that begins with the last prefix kept, if there is one.
func (d *Decoder) prefixedSum(name []byte) uint64 {
	if len(d.prefixes) == 0 {
		return d.sum(name)
	}
	p := d.prefixes[len(d.prefixes)-1]
	_, _ = p.digest.Write(name[p.size:]) // never fails
	return p.digest.Sum64()
}
