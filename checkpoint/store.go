package checkpoint

import (
	"fmt"
	"path/filepath"
)

// Store is a folder of checkpoints. It serves one goroutine at a time, of the process that holds Lock.
type Store struct {
	FS   FS     // nil is OS
	Dir  string // <state>/<model>; the first Save makes it if it is missing
	Keep int    // how many checkpoints stay; 0 is 3

	known   bool   // the folder was listed and its leftovers were removed, so highest holds
	highest uint64 // seq of the newest checkpoint in the folder, 0 if there is none
}

const defaultKeep = 3

// Save writes a checkpoint under this seq and gives its size in bytes. It returns without an error when the file is
// durable; one of the same seq is replaced. Then all but the newest Keep are removed.
//
// With an error the bytes are 0 and the checkpoints before are as they were; the same seq or a later one can be saved
// again. Two exceptions. ErrNotPruned: the new file is durable. A failed fsync of the folder: the new file stands there
// whole, and may be gone after a power loss. ErrOlder is returned before anything is written.
//
// A file whose fsync failed is removed and never fsynced again: the kernel may have dropped its pages and called them
// clean, so that a second fsync would succeed and mean nothing (Rebello et al., Can Applications Recover from fsync
// Failures?, USENIX ATC 2020).
func (s *Store) Save(seq uint64, header []byte, sections []Section) (bytes int64, err error) {
	if err := check(header, sections); err != nil {
		return 0, fmt.Errorf("saving checkpoint %d: %w", seq, err)
	}
	if err := s.prepare(); err != nil {
		return 0, err
	}
	if seq < s.highest {
		return 0, fmt.Errorf("saving checkpoint %d in %s, which holds %d: %w", seq, s.Dir, s.highest, ErrOlder)
	}
	temp := s.path(tempName(seq))
	bytes, err = s.writeTemp(temp, header, sections)
	if err != nil {
		return 0, explain(fmt.Sprintf("saving checkpoint %d", seq), s.Dir, err)
	}
	if err := s.fs().Rename(temp, s.path(fileName(seq))); err != nil {
		s.discard(temp)
		return 0, explain(fmt.Sprintf("saving checkpoint %d", seq), s.Dir, err)
	}
	s.highest = seq
	if err := s.fs().SyncDir(s.Dir); err != nil {
		return 0, explain(fmt.Sprintf("making checkpoint %d durable", seq), s.Dir, err)
	}
	if err := s.prune(); err != nil {
		return bytes, fmt.Errorf("checkpoint %d %w: %w", seq, ErrNotPruned, err)
	}
	return bytes, nil
}

// writeTemp makes the temp file and fsyncs it. If anything fails the file is removed.
func (s *Store) writeTemp(path string, header []byte, sections []Section) (n int64, err error) {
	h, err := s.fs().Create(path)
	if err != nil {
		return 0, err
	}
	n, err = encode(h, header, sections)
	if err == nil {
		err = h.Sync()
	}
	if closing := h.Close(); err == nil {
		err = closing
	}
	if err != nil {
		s.discard(path)
	}
	return n, err
}

// discard removes a temp file. If that fails the next Save looks for leftovers again.
func (s *Store) discard(temp string) {
	if err := s.fs().Remove(temp); err != nil {
		s.known = false
	}
}

// prune removes all but the newest checkpoints.
func (s *Store) prune() error {
	names, err := s.fs().List(s.Dir)
	if err != nil {
		return err
	}
	keep := s.Keep
	if keep <= 0 {
		keep = defaultKeep
	}
	all := seqs(names)
	for _, seq := range all[min(keep, len(all)):] {
		if err := s.fs().Remove(s.path(fileName(seq))); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) fs() FS {
	if s.FS == nil {
		return OS{}
	}
	return s.FS
}

func (s *Store) path(name string) string { return filepath.Join(s.Dir, name) }
