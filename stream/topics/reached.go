package topics

// UnknownEpoch is the leader epoch of what is not known.
const UnknownEpoch = -1

// Reached is an offset up to which a log was read or written, and the epoch of the leader that wrote the batch before
// it (KIP-320). Where the leader of now says that this epoch ended below the offset, records before it were replaced.
// The zero value says nothing.
type Reached struct {
	Offset int64
	Leader int32
}

// EpochReader is a Reader that can be told what was read before. Read returns a stop where that was replaced.
type EpochReader interface {
	Reader
	After(Reached) // before the first Read
}

// ReachedAt are the places of these offsets, with the epochs that are known.
func ReachedAt(offsets []int64, leaders []int32) []Reached {
	all := make([]Reached, len(offsets))
	for i, leader := range leaders[:min(len(leaders), len(offsets))] {
		if leader >= 0 {
			all[i] = Reached{offsets[i], leader}
		}
	}
	return all
}

// Leaders are the epochs of the batches before these offsets as far as they are known; nil where none is.
func Leaders(offsets []int64, reached []Reached) []int32 {
	var leaders []int32
	for i, r := range reached[:min(len(reached), len(offsets))] {
		if r.Offset != offsets[i] || r.Offset == 0 || r.Leader < 0 {
			continue
		}
		for len(leaders) < len(offsets) {
			leaders = append(leaders, UnknownEpoch)
		}
		leaders[i] = r.Leader
	}
	return leaders
}
