package statetopic

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"rosenblatt/checkpoint"
)

// takeKept takes in a record of the kept checkpoint.
func (c *Copy) takeKept(key, value []byte) {
	if number, ok := parseKeptPieceKey(key, c.output); ok {
		if delete(c.keptPieces, number); value != nil {
			c.keptPieces[number] = c.keep(value)
		}
		return
	}
	if string(key) != string(keptManifestKey(c.output)) {
		return
	}
	if c.kept = nil; value != nil {
		c.kept, _ = parseManifest(value) // an invalid one is none: only audits miss it
	}
}

// Kept returns the manifest of the kept checkpoint if its pieces are all there; nil without one.
func (c *Copy) Kept() *Manifest {
	if c.kept == nil {
		return nil
	}
	for k, want := range c.kept.all() {
		p, there := c.keptPieces[k.number]
		if want.check(p, there) != nil {
			return nil
		}
	}
	return c.kept
}

// RestoreKept installs the files of the kept checkpoint, if there is one, beside those of a manifest that was restored,
// which stay: one of the same seq is of a later epoch.
func (c *Copy) RestoreKept(beside *Manifest, into Installer) error {
	kept := c.Kept()
	if kept == nil {
		return nil
	}
	return kept.install(into, beside.Files, func(k pieceKey) []byte { return c.keptPieces[k.number].data })
}

// Keep makes the folder's kept checkpoint the topic's, unless it is already; where the folder is to keep none, the
// topic gets none. Of a larger one before it nothing is left. It comes after a Save, and ends as that does.
func (w *Writer) Keep(ctx context.Context, folder Source, epoch int64) error {
	chain, err := folder.KeptChain()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // another folder had it
	case err != nil:
		return err
	case len(chain) == 0:
		return w.release(ctx)
	case w.kept == nil || !slices.EqualFunc(w.kept.Files, chain, func(f File, l checkpoint.Link) bool {
		return f.Link == l
	}):
		if err := w.sendKept(ctx, folder, chain, epoch); err != nil {
			return err
		}
	}
	//mutation:kept-pieces-left
	return w.removeKept(ctx, w.kept.pieces())
}

func (w *Writer) sendKept(ctx context.Context, folder Source, chain []checkpoint.Link, epoch int64) error {
	next := &Manifest{Number: w.newest.Number, Model: w.model, Tasks: w.tasks, Progress: Progress{Epoch: epoch},
		Seq: int64(chain[len(chain)-1].Seq)}
	w.kept = nil // until its manifest is acknowledged
	for _, link := range chain {
		file, err := w.sendFile(ctx, folder, link, next.pieces(), w.keptPlace)
		if err != nil {
			return fmt.Errorf("checkpoint-%d, which is kept: %w", link.Seq, err)
		}
		next.Files = append(next.Files, file)
	}
	w.keptPieces = max(w.keptPieces, next.pieces())
	value, err := next.encode()
	if err != nil {
		return err
	}
	if err := w.flush(ctx); err != nil {
		return err
	}
	if err := w.add(ctx, keptManifestKey(w.output), value); err != nil {
		return err
	}
	if err := w.flush(ctx); err != nil {
		return err
	}
	w.kept = next
	return nil
}

func (w *Writer) keptPlace(number int) (key []byte, place int) {
	return keptPieceKey(w.output, number), 0
}

// release removes the topic's kept checkpoint: its manifest first.
func (w *Writer) release(ctx context.Context) error {
	if w.kept == nil && w.keptPieces == 0 {
		return nil
	}
	if err := w.add(ctx, keptManifestKey(w.output), nil); err != nil {
		return err
	}
	if err := w.removeKept(ctx, 0); err != nil {
		return err
	}
	w.kept = nil
	return nil
}

// removeKept removes pieces from a number on.
func (w *Writer) removeKept(ctx context.Context, from int) error {
	for number := from; number < w.keptPieces; number++ {
		if err := w.add(ctx, keptPieceKey(w.output, number), nil); err != nil {
			return err
		}
	}
	if err := w.flush(ctx); err != nil {
		return err
	}
	w.keptPieces = from
	return nil
}
