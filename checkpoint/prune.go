package checkpoint

import (
	"cmp"
	"io"
	"slices"
	"strings"
)

// prune removes checkpoints that are not needed, the newest first, so none remains without what it builds on. It
// forgets the base if somebody else has removed it.
func (s *Store) prune(base *Base) error {
	names, err := s.fs().List(s.Dir)
	if err != nil {
		return err
	}
	all := seqs(names)
	if err := s.readReferences(all); err != nil {
		return err
	}
	needed := s.needed(all)
	if !slices.Contains(all, base.seq) {
		*base = Base{}
	}
	for _, seq := range all {
		if needed[seq] {
			continue
		}
		if err := s.fs().Remove(s.path(fileName(seq))); err != nil {
			return err
		}
		delete(s.bases, seq)
	}
	return nil
}

// needed finds the newest checkpoints, one that shares no file with the newest, so that no single damaged file leaves
// the model without a checkpoint, and that of Kept; and what these build on.
func (s *Store) needed(all []uint64) map[uint64]bool {
	needed := map[uint64]bool{}
	var first uint64 // the self-contained file below the newest checkpoint
	apart := false
	for i, seq := range all {
		line := s.line(seq)
		bottom := line[len(line)-1]
		if i == 0 {
			first = bottom
		}
		//mutation:kept-checkpoint
		kept := s.Kept > 0 && seq == s.Kept
		//mutation:second-line
		if i >= cmp.Or(s.Keep, 3) && (apart || bottom == first) && !kept {
			continue
		}
		apart = apart || bottom != first
		//mutation:prune-bases
		for _, below := range line {
			needed[below] = true
		}
	}
	return needed
}

// line lists a checkpoint and those that it builds on, down to a self-contained one.
func (s *Store) line(seq uint64) []uint64 {
	line := []uint64{seq}
	for {
		below, builds := s.baseOf(seq)
		if !builds || below >= seq {
			return line
		}
		line, seq = append(line, below), below
	}
}

// baseOf returns what a checkpoint builds on. An invalid one is of no use to those that build on it: it builds on none.
func (s *Store) baseOf(seq uint64) (below uint64, builds bool) {
	on := s.bases[seq]
	if on == nil {
		return 0, false
	}
	return on.seq, true
}

func (s *Store) remember(seq uint64, on *reference) {
	if s.bases == nil {
		s.bases = map[uint64]*reference{}
	}
	s.bases[seq] = on
}

// readReferences reads on what checkpoints build, where it is not known. An error must end the pruning: what is not
// known to build on another checkpoint may still need it.
func (s *Store) readReferences(all []uint64) error {
	for _, seq := range all {
		if _, known := s.bases[seq]; known {
			continue
		}
		on, err := s.readReference(seq)
		if err != nil {
			return err
		}
		s.remember(seq, on)
	}
	return nil
}

// readReference returns nil for a checkpoint that is self-contained or invalid.
func (s *Store) readReference(seq uint64) (*reference, error) {
	h, err := s.fs().Open(s.path(fileName(seq)))
	if err != nil {
		return nil, err
	}
	defer func() { _ = h.Close() }() // it was only read
	head, err := io.ReadAll(io.LimitReader(h, maxLine))
	if err != nil {
		return nil, err
	}
	line, _, _ := strings.Cut(string(head), "\n")
	_, on, _ := parseLine(line)
	return on, nil
}
