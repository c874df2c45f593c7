package checkpoint

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
)

// Newest reads the newest valid checkpoint. It renames newer, invalid ones, those that build on an invalid or missing
// one among them, to <name>.corrupt, <name>.2.corrupt and so on, and returns them newest first, together with an error
// too. Of the files set aside before, it keeps as many as make three with those set aside now.
//
// Without a checkpoint or folder, the file and the error are nil. The error wraps ErrNoneValid if there are files,
// maybe only *.corrupt, but none is valid; it is a *MissingBase if they all lack what they build on, and a
// *OtherVersion if that precedes a valid one. Any other error is one of the file system: the files may be valid, so the
// caller must not continue with an older one. After any of these no file was renamed, but after ErrNoneValid, and after
// a rename that failed.
func (s *Store) Newest() (f *File, aside []SetAside, err error) {
	s.known, s.bases = false, nil
	names, swept, err := s.sweep()
	if err != nil {
		return nil, nil, err
	}
	f, aside, err = s.newest(names)
	s.known = s.known && swept == nil
	if pruning := s.pruneCorrupt(names, len(aside)); err == nil && pruning != nil {
		return nil, aside, pruning
	}
	return f, aside, err
}

func (s *Store) newest(names []string) (f *File, aside []SetAside, err error) {
	f, faults, err := s.read(names)
	if err != nil {
		return nil, nil, err
	}
	for _, invalid := range faults {
		to := corruptName(filepath.Base(invalid.Path), names)
		if err := s.fs().Rename(invalid.Path, s.path(to)); err != nil {
			return nil, aside, explain("setting aside an invalid checkpoint", s.Dir, err)
		}
		aside = append(aside, SetAside{From: invalid.Path, To: s.path(to), Why: invalid})
	}
	switch {
	case f != nil:
		s.known, s.highest, s.readBase = true, f.Seq, f.Base
		return f, aside, nil
	case len(aside) > 0 || slices.ContainsFunc(names, isCorrupt):
		return nil, aside, fmt.Errorf("%s: %w", s.Dir, ErrNoneValid)
	}
	return nil, nil, nil
}

// read returns the newest valid checkpoint, or nil, and what is wrong with newer ones.
func (s *Store) read(names []string) (f *File, faults []*Invalid, err error) {
	lacking := 0
	for _, seq := range seqs(names) {
		f, err = Open(s.fs(), s.path(fileName(seq)))
		var invalid *Invalid
		switch {
		case err == nil:
			return f, faults, nil
		case !errors.As(err, &invalid):
			return nil, nil, err
		case invalid.Missing != "":
			lacking++
		}
		faults = append(faults, invalid)
	}
	//mutation:missing-base
	if lacking > 0 && lacking == len(faults) {
		return nil, nil, &MissingBase{faults[0].Missing, lacking}
	}
	return nil, faults, nil
}

// SetAside renames a checkpoint that is valid and must not be used, as Newest does invalid ones. Newest follows.
func (s *Store) SetAside(seq uint64) (to string, err error) {
	names, err := s.fs().List(s.Dir)
	if err != nil {
		return "", explain("listing checkpoints", s.Dir, err)
	}
	to = s.path(corruptName(fileName(seq), names))
	if err := s.fs().Rename(s.path(fileName(seq)), to); err != nil {
		return "", explain("setting aside a checkpoint", s.Dir, err)
	}
	s.known, s.bases, s.kept = false, nil, nil
	return to, s.pruneCorrupt(names, 1)
}

const keepCorrupt = 3

// pruneCorrupt removes files that were set aside before, the oldest by number. Those set aside now build on each other:
// they are kept together.
func (s *Store) pruneCorrupt(before []string, now int) error {
	if now == 0 {
		return nil
	}
	old := corrupt(before)
	for _, c := range old[min(max(0, keepCorrupt-now), len(old)):] {
		if err := s.fs().Remove(s.path(c.name)); err != nil {
			return explain("removing an old invalid checkpoint", s.Dir, err)
		}
	}
	return nil
}

// Files returns the paths of the checkpoints, newest first. It does not need the lock; a running process may remove a
// file before it is opened.
func (s *Store) Files() ([]string, error) {
	names, err := s.fs().List(s.Dir)
	if err != nil {
		return nil, explain("listing checkpoints", s.Dir, err)
	}
	var paths []string
	for _, seq := range seqs(names) {
		paths = append(paths, s.path(fileName(seq)))
	}
	return paths, nil
}

// prepare sweeps or creates the folder once.
func (s *Store) prepare() error {
	if s.known {
		return nil
	}
	names, swept, err := s.sweep()
	if err = cmp.Or(err, swept); err != nil {
		return err
	}
	if names == nil {
		if err := makeFolder(s.fs(), s.Dir); err != nil {
			return err
		}
	}
	s.known, s.highest = true, 0
	if all := seqs(names); len(all) > 0 {
		s.highest = all[0]
	}
	return nil
}

// sweep lists the folder and removes temporary files. swept is the error of a removal: a folder that can only be read
// is good enough to read from.
func (s *Store) sweep() (names []string, swept, err error) {
	names, err = s.fs().List(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, explain("listing checkpoints", s.Dir, err)
	}
	for _, name := range names {
		if !isTemp(name) {
			continue
		}
		if err := s.fs().Remove(s.path(name)); err != nil {
			swept = explain("removing an incomplete save", s.Dir, err)
		}
	}
	return names, swept, nil
}
