package checkpoint

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
)

// Newest reads the newest valid checkpoint. Invalid ones before it are renamed to <name>.corrupt, or <name>.2.corrupt and
// so on, and listed, newest first, with the reason; also beside an error.
//
// Without any checkpoint, or without the folder, the file and the error are nil. The error wraps ErrNoneValid if files
// exist, be it under *.corrupt only, and none is valid; it is a *NewerVersion if one is met before a valid one. Any other
// error is one of the file system: it says nothing about the files, and starting from an older one would be wrong.
func (s *Store) Newest() (f *File, aside []SetAside, err error) {
	s.known = false
	names, err := s.sweep()
	if err != nil {
		return nil, nil, err
	}
	for _, seq := range seqs(names) {
		f, err = Open(s.fs(), s.path(fileName(seq)))
		var invalid *Invalid
		if err != nil && !errors.As(err, &invalid) {
			return nil, aside, err
		}
		if err == nil {
			s.known, s.highest = true, seq
			return f, aside, nil
		}
		to := corruptName(fileName(seq), names)
		if err := s.fs().Rename(invalid.Path, s.path(to)); err != nil {
			return nil, aside, explain("setting aside an invalid checkpoint", s.Dir, err)
		}
		aside = append(aside, SetAside{From: invalid.Path, To: s.path(to), Why: invalid})
	}
	if len(aside) > 0 || slices.ContainsFunc(names, isCorrupt) {
		return nil, aside, fmt.Errorf("%s: %w", s.Dir, ErrNoneValid)
	}
	return nil, nil, nil
}

// Files gives the paths of the checkpoints in the folder, newest first. It reads only the names and changes nothing, so
// it can be used beside a running process; a path may be gone by the time it is opened.
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

// prepare comes before the first save, and before one that follows trouble.
func (s *Store) prepare() error {
	if s.known {
		return nil
	}
	names, err := s.sweep()
	if err != nil {
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

// sweep lists the folder and removes the temp files of saves that never ended. A missing folder holds nothing: nil.
func (s *Store) sweep() (names []string, err error) {
	names, err = s.fs().List(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, explain("listing checkpoints", s.Dir, err)
	}
	for _, name := range names {
		if !isTemp(name) {
			continue
		}
		if err := s.fs().Remove(s.path(name)); err != nil {
			return nil, explain("removing what a dead process left", s.Dir, err)
		}
	}
	return names, nil
}
