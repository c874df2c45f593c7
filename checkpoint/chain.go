package checkpoint

import (
	"encoding/binary"
	"errors"
	"io"
	"slices"
)

// Link names a file of a checkpoint, in whichever folder it is.
type Link struct {
	Seq uint64 `json:"seq"`
	Sum uint32 `json:"sum"` // its last 4 bytes, of which those that build on it hold a copy
}

// Link names the file.
func (f *File) Link() Link { return Link{f.Seq, f.sum} }

// Chain lists the files that the checkpoint consists of which Save wrote last: the self-contained one first, each
// builds on the one before.
func (s *Store) Chain() ([]Link, error) {
	if s.last == nil {
		return nil, errors.New("no checkpoint was saved yet")
	}
	return s.chain(*s.last)
}

// KeptChain is Chain of the checkpoint of Kept; nil without Kept. The error wraps fs.ErrNotExist if the folder does not
// have it.
func (s *Store) KeptChain() ([]Link, error) {
	if s.Kept == 0 {
		return nil, nil
	}
	//mutation:kept-read-once
	if s.kept == nil || s.kept.seq != s.Kept {
		sum, err := s.sumOf(s.Kept)
		if err != nil {
			return nil, explain("reading a checkpoint", s.Dir, err)
		}
		s.kept = &reference{s.Kept, sum}
	}
	return s.chain(*s.kept)
}

// sumOf reads a file to its end: its last 4 bytes.
func (s *Store) sumOf(seq uint64) (uint32, error) {
	h, err := s.fs().Open(s.path(fileName(seq)))
	if err != nil {
		return 0, err
	}
	defer func() { _ = h.Close() }() // it was only read
	buf, tail := make([]byte, 1<<16), make([]byte, 0, 1<<16+4)
	for {
		n, err := h.Read(buf)
		tail = append(tail, buf[:n]...)
		tail = append(tail[:0], tail[max(0, len(tail)-4):]...)
		switch {
		case errors.Is(err, io.EOF) && len(tail) == 4:
			return binary.LittleEndian.Uint32(tail), nil
		case errors.Is(err, io.EOF):
			return 0, io.ErrUnexpectedEOF
		case err != nil:
			return 0, err
		}
	}
}

// chain lists a file and those that it builds on, the last of them first.
func (s *Store) chain(top reference) ([]Link, error) {
	chain := []Link{{top.seq, top.sum}}
	for seq := top.seq; ; {
		on, known := s.bases[seq]
		if !known {
			var err error
			if on, err = s.readReference(seq); err != nil {
				return nil, explain("reading a checkpoint", s.Dir, err)
			}
		}
		if on == nil || on.seq >= seq {
			slices.Reverse(chain)
			return chain, nil
		}
		chain, seq = append(chain, Link{on.seq, on.sum}), on.seq
	}
}

// OpenFile opens the file of a checkpoint to copy it.
func (s *Store) OpenFile(seq uint64) (io.ReadCloser, error) {
	h, err := s.fs().Open(s.path(fileName(seq)))
	if err != nil {
		return nil, explain("opening a checkpoint", s.Dir, err)
	}
	return h, nil
}

// Install makes a file durable that was copied from another folder, in these parts, and replaces one of the same seq.
// The files that it builds on come first. Newest checks it. What was read before may build on a file that was replaced,
// even after an error: the next Save builds on none, unless Newest has read its base since.
func (s *Store) Install(seq uint64, parts [][]byte) error {
	//mutation:base-installed
	s.installed, s.readBase = true, Base{}
	if err := s.prepare(); err != nil {
		return err
	}
	s.known, s.bases, s.kept = false, nil, nil
	copyParts := func(w io.Writer) (int64, uint32, error) {
		for _, part := range parts {
			if _, err := w.Write(part); err != nil {
				return 0, 0, err
			}
		}
		return 0, 0, nil
	}
	_, _, err := writeFile(s.fs(), s.path(tempName(seq)), s.path(fileName(seq)), copyParts)
	if err == nil {
		if err = s.fs().SyncDir(s.Dir); err != nil {
			//mutation:installed-not-synced
			s.renamed = true
		}
	}
	if err != nil {
		return explain("installing a checkpoint", s.Dir, err)
	}
	return nil
}
