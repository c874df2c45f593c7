package event

import "github.com/cespare/xxhash/v2"

// Hash returns the slot and the fingerprint of a feature's name. The slot is the lowest Options.Bits bits of the name's
// xxhash64. The fingerprint is the 15 highest, which no slot uses, except that 0, which means "none", becomes 1.
func (d *Decoder) Hash(name []byte) (slot uint32, print uint16) {
	h := d.sum(name)
	return d.slot(h), fingerprint(h)
}

func (s *sink) slot(h uint64) uint32 { return uint32(h) & s.mask }

func fingerprint(h uint64) uint16 {
	return uint16(max(h>>49, 1))
}

// sum returns the name's 64-bit hash. Seed 0 has its own path because it is the default and three times as fast.
func (s *sink) sum(name []byte) uint64 {
	if s.options.Seed == 0 {
		return xxhash.Sum64(name)
	}
	return s.seeded(name)
}

func (s *sink) seeded(name []byte) uint64 {
	s.digest.ResetWithSeed(s.options.Seed)
	_, _ = s.digest.Write(name) // never fails
	return s.digest.Sum64()
}

// prefixHash is the state of the hash of names after the bytes that they have in common, of which there are size.
type prefixHash struct {
	digest xxhash.Digest
	size   int
}

// longPrefix is the size of the shortest prefix whose hash is kept. An event may repeat a longer one in the names of
// thousands of features, each of which takes as long as the event to hash.
const longPrefix = 256

// pushPrefix keeps the hash of s.name[s.base:end], which precedes the names that follow, if it is long. The caller must
// cut s.prefixes to the size returned behind the last of these names.
func (s *sink) pushPrefix(end int) (before int) {
	before = len(s.prefixes)
	if end-s.base < longPrefix {
		return before
	}
	var p prefixHash
	if before > 0 {
		p = s.prefixes[before-1]
	} else {
		p.digest.ResetWithSeed(s.options.Seed)
	}
	_, _ = p.digest.Write(s.name[s.base+p.size : end]) // never fails
	p.size = end - s.base
	s.prefixes = append(s.prefixes, p)
	return before
}

// prefixedSum is sum of a name that begins with the last prefix kept, if there is one.
func (s *sink) prefixedSum(name []byte) uint64 {
	if len(s.prefixes) == 0 {
		return s.sum(name)
	}
	p := s.prefixes[len(s.prefixes)-1]
	_, _ = p.digest.Write(name[p.size:]) // never fails
	return p.digest.Sum64()
}
