package checkpoint

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
)

// Store is a folder of checkpoints. It serves one goroutine at a time, of the process that holds Lock.
type Store struct {
	FS   FS     // nil means OS
	Dir  string // <state>/<model>; the first Save creates it if it is missing
	Keep int    // how many checkpoints to keep at least; 0 means 3
	Kept uint64 // the seq of one more to keep, however old it gets; 0: none

	known   bool                  // the folder was listed and swept, so highest is valid
	highest uint64                // seq of the newest checkpoint in the folder; 0 if there is none
	bases   map[uint64]*reference // what a checkpoint builds on, of those that were read or written; nil: on none
	last    *reference            // that Save wrote last
	kept    *reference            // that KeptChain read last: every save asks for it
	renamed bool                  // the last fsync of the folder failed: the file may have replaced the caller's base

	installed bool // since the last Save, which may have replaced the caller's base
	readBase  Base // of what Newest returned last, since then
}

// Saved is a durable checkpoint.
type Saved struct {
	Bytes int64 // size of the file
	// Base is what the next Save may build on. Unless it Is the one given, what Section.Changed yields begins anew.
	Base Base
}

// Save writes a durable checkpoint, replaces one of the same seq, and then removes what is no longer needed. The file
// holds what has changed since the base, or everything if that is little more, or the base is none.
//
// After an error nothing is returned, the previous checkpoints are unchanged, and a save of the same or a higher seq
// may follow, except in two cases: after ErrNotPruned the new file is durable; after a failed fsync of the folder a
// power loss may remove it, and the next file is self-contained. ErrOlder is returned before anything is written.
//
// A file whose fsync failed is removed instead of fsynced again: the kernel may have marked the pages clean, so that
// the second fsync would succeed without writing them (Rebello et al., Can Applications Recover from fsync Failures?,
// USENIX ATC 2020).
func (s *Store) Save(seq uint64, header []byte, sections []Section, since Base) (saved Saved, err error) {
	//mutation:base-replaced
	if s.renamed || s.installed && !since.Is(s.readBase) {
		since = Base{}
	}
	sections, builds, err := prepareSections(seq, header, sections, since)
	if err != nil {
		return Saved{}, fmt.Errorf("saving checkpoint %d: %w", seq, err)
	}
	if err := s.prepare(); err != nil {
		return Saved{}, err
	}
	if seq < s.highest {
		return Saved{}, fmt.Errorf("saving checkpoint %d in %s, which holds %d: %w", seq, s.Dir, s.highest, ErrOlder)
	}
	var on *reference
	if builds {
		on = &since.reference
	}
	bytes, sum, err := s.write(seq, header, sections, on)
	if err != nil {
		return Saved{}, explain(fmt.Sprintf("saving checkpoint %d", seq), s.Dir, err)
	}
	s.highest, s.last = seq, &reference{seq, sum}
	if s.kept != nil && s.kept.seq == seq {
		s.kept = nil
	}
	s.remember(seq, on)
	s.renamed, s.installed = true, false
	//mutation:folder-sync
	if err := s.fs().SyncDir(s.Dir); err != nil {
		return Saved{}, explain(fmt.Sprintf("making checkpoint %d durable", seq), s.Dir, err)
	}
	s.renamed = false
	saved = Saved{bytes, since.after(reference{seq, sum}, bytes, builds)}
	if err := s.prune(&saved.Base); err != nil {
		return saved, fmt.Errorf("checkpoint %d %w: %w", seq, ErrNotPruned, err)
	}
	return saved, nil
}

// prepareSections decides whether a file builds on the base. If it does not, it has all of each section.
func prepareSections(seq uint64, header []byte, sections []Section, since Base) (_ []Section, builds bool, err error) {
	if err := check(header, sections); err != nil {
		return nil, false, err
	}
	prepared, changed := slices.Clone(sections), int64(0)
	for i, s := range prepared {
		if s.Changed == nil {
			prepared[i] = s.whole()
		}
		_, bytes, err := prepared[i].plan()
		if err != nil {
			return nil, false, err
		}
		changed += bytes
	}
	if since.carries(seq, changed) {
		return prepared, true, nil
	}
	for i, s := range prepared {
		prepared[i] = s.whole()
	}
	return prepared, false, nil
}

func (s *Store) write(seq uint64, header []byte, sections []Section, on *reference) (n int64, sum uint32, err error) {
	//mutation:temp-file
	temp := s.path(tempName(seq))
	n, sum, err = writeFile(s.fs(), temp, s.path(fileName(seq)), func(w io.Writer) (int64, uint32, error) {
		return encode(w, header, sections, on)
	})
	if err != nil {
		s.known = false // the next Save sweeps again: the temporary file may still be there
	}
	return n, sum, err
}

func (s *Store) fs() FS { return cmp.Or[FS](s.FS, OS{}) }

func (s *Store) path(name string) string { return filepath.Join(s.Dir, name) }
