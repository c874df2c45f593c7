package checkpoint

import (
	"cmp"
	"fmt"
	"path/filepath"
)

// Store is a folder of checkpoints. It serves one goroutine at a time, of the process that holds Lock.
type Store struct {
	FS   FS     // nil means OS
	Dir  string // <state>/<model>; the first Save creates it if it is missing
	Keep int    // how many checkpoints to keep; 0 means 3

	known   bool   // the folder was listed and swept, so highest is valid
	highest uint64 // seq of the newest checkpoint in the folder; 0 if there is none
}

// Save writes a durable checkpoint, replaces one of the same seq, and then removes all but the newest Keep. It
// returns the size in bytes.
//
// After an error the size is 0, the previous checkpoints are unchanged, and a save of the same or a higher seq may
// follow, except in two cases: after ErrNotPruned the new file is durable; after a failed fsync of the folder a power
// loss may remove it. ErrOlder is returned before anything is written.
//
// A file whose fsync failed is removed instead of fsynced again: the kernel may have marked the pages clean, so that
// the second fsync would succeed without writing them (Rebello et al., Can Applications Recover from fsync Failures?,
// USENIX ATC 2020).
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
	bytes, err = s.write(seq, header, sections)
	if err != nil {
		return 0, explain(fmt.Sprintf("saving checkpoint %d", seq), s.Dir, err)
	}
	s.highest = seq
	//mutation:folder-sync
	if err := s.fs().SyncDir(s.Dir); err != nil {
		return 0, explain(fmt.Sprintf("making checkpoint %d durable", seq), s.Dir, err)
	}
	if err := s.prune(); err != nil {
		return bytes, fmt.Errorf("checkpoint %d %w: %w", seq, ErrNotPruned, err)
	}
	return bytes, nil
}

func (s *Store) write(seq uint64, header []byte, sections []Section) (n int64, err error) {
	//mutation:temp-file
	temp := s.path(tempName(seq))
	h, err := s.fs().Create(temp)
	if err != nil {
		return 0, err
	}
	n, err = encode(h, header, sections)
	if err == nil {
		//mutation:file-sync
		err = h.Sync()
	}
	if closing := h.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = s.fs().Rename(temp, s.path(fileName(seq)))
	}
	if err != nil && s.fs().Remove(temp) != nil {
		s.known = false // the next Save sweeps again
	}
	return n, err
}

func (s *Store) prune() error {
	names, err := s.fs().List(s.Dir)
	if err != nil {
		return err
	}
	all := seqs(names)
	for _, seq := range all[min(cmp.Or(s.Keep, 3), len(all)):] {
		if err := s.fs().Remove(s.path(fileName(seq))); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) fs() FS { return cmp.Or[FS](s.FS, OS{}) }

func (s *Store) path(name string) string { return filepath.Join(s.Dir, name) }
