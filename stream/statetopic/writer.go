package statetopic

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"time"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/recordbatch"
)

// Source has the files of a checkpoint; checkpoint.Store is one.
type Source interface {
	// Chain lists the files, each builds on the one before.
	Chain() ([]checkpoint.Link, error)
	// KeptChain lists those of the kept checkpoint; none if there is none.
	KeptChain() ([]checkpoint.Link, error)
	// OpenFile opens one of them.
	OpenFile(seq uint64) (io.ReadCloser, error)
}

// Writer saves checkpoints in the topic. One goroutine at a time uses it.
type Writer struct {
	log    Log
	output string
	model  string
	tasks  int

	copy   *Copy // until the topic is read up to the marker
	marker int64

	from   int64 // where the log began when that was looked up last
	resend bool  // records were deleted: what the newest manifest names may be among them

	newest, before *Manifest // those in the topic; without files where there is none
	kept           *Manifest // the kept one in the topic; nil: none
	keptPieces     int       // that the topic may have: their numbers are below
	batch          recordbatch.Builder
	piece          []byte
	sent           int64 // bytes of pieces of this save
}

// batchBytes is the size of a batch of pieces: small enough not to hold up a broker's other requests.
const batchBytes = 4*PieceSize + 4<<10

// NewWriter goes on from what the topic holds up to the marker of the fence: the first Save reads what c has not. c is
// not used any more. model and tasks are those of the checkpoints; maxBytes is the topic's max.message.bytes.
func (c *Copy) NewWriter(model string, tasks, maxBytes int, marker int64) *Writer {
	c.Forget()
	return &Writer{log: c.log, output: c.output, model: model, tasks: tasks, newest: &Manifest{}, before: &Manifest{},
		copy: c, marker: marker, from: c.from,
		batch: recordbatch.Builder{Limit: min(batchBytes, maxBytes), Single: maxBytes}}
}

// Begins tells where the log begins now. Compaction does not change that: where it has moved, records were deleted, and
// the next Save writes everything.
func (w *Writer) Begins(at int64) {
	//mutation:resend-deleted
	if at > w.from {
		w.from, w.resend, w.kept = at, true, nil
	}
}

// readOn reads on to the marker, behind which only this process writes.
func (w *Writer) readOn(ctx context.Context) error {
	if w.copy == nil {
		return nil
	}
	//mutation:read-to-marker
	if err := w.copy.ReadTo(ctx, w.marker); err != nil {
		return err
	}
	whole, _ := w.copy.Whole()
	for i, m := range whole {
		*[]**Manifest{&w.newest, &w.before}[i] = m
	}
	if !w.resend {
		w.kept = w.copy.Kept()
	}
	for number := range w.copy.keptPieces {
		w.keptPieces = max(w.keptPieces, number+1)
	}
	w.copy = nil // its memory
	return nil
}

// Saved is a checkpoint in the topic.
type Saved struct {
	Number int64 // of its manifest
	Bytes  int64 // of its files
	Sent   int64 // of the pieces that were not there before
}

// Save writes the newest checkpoint of a folder: the files that the topic does not hold, and then the manifest. It
// returns when all is acknowledged. After an error what the topic holds is as good as before; another Save may follow
// unless the log says otherwise. at is the checkpoint's.
func (w *Writer) Save(ctx context.Context, folder Source, at Progress) (Saved, error) {
	if err := w.readOn(ctx); err != nil {
		return Saved{}, err
	}
	chain, err := folder.Chain()
	if err != nil {
		return Saved{}, err
	}
	shared := 0
	if !w.resend {
		shared = w.newest.shared(chain)
	}
	next := &Manifest{Number: w.newest.Number + 1, Model: w.model, Tasks: w.tasks, Progress: at,
		Seq: int64(chain[len(chain)-1].Seq), Files: slices.Clone(w.newest.Files[:shared])}
	w.batch.Reset()
	w.sent = 0
	for _, link := range chain[shared:] {
		file, err := w.sendFile(ctx, folder, link, next.pieces(), w.piecePlace)
		if err != nil {
			return Saved{}, fmt.Errorf("checkpoint-%d: %w", link.Seq, err)
		}
		next.Files = append(next.Files, file)
	}
	//mutation:pieces-before-manifest
	if err := w.flush(ctx); err != nil {
		return Saved{}, err
	}
	if err := w.sendManifest(ctx, next); err != nil {
		return Saved{}, fmt.Errorf("manifest %d: %w", next.Number, err)
	}
	w.before, w.newest, w.resend = w.newest, next, false
	return Saved{Number: next.Number, Bytes: next.bytes(), Sent: w.sent}, nil
}

func (w *Writer) sendManifest(ctx context.Context, m *Manifest) error {
	value, err := m.encode()
	if err != nil {
		return err
	}
	//mutation:manifest-places
	place := int(m.Number % 2)
	if err := w.add(ctx, manifestKey(w.output, place), value); err != nil {
		return err
	}
	return w.flush(ctx)
}

// sendFile sends the pieces of a file, the first of which has this number, each to where placed says.
func (w *Writer) sendFile(ctx context.Context, folder Source, link checkpoint.Link, number int,
	placed func(number int) (key []byte, place int)) (File, error) {
	file := File{Link: link}
	h, err := folder.OpenFile(link.Seq)
	if err != nil {
		return file, err
	}
	defer func() { _ = h.Close() }() // it was only read
	in := bufio.NewReaderSize(h, PieceSize)
	w.piece = slices.Grow(w.piece[:0], PieceSize)[:PieceSize]
	var tail []byte // the last bytes, of which other files hold a copy
	for end := false; !end; number++ {
		n, err := io.ReadFull(in, w.piece)
		end = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !end {
			return file, err
		}
		if n == 0 {
			break
		}
		data := w.piece[:n]
		key, place := placed(number)
		if err := w.add(ctx, key, data); err != nil {
			return file, err
		}
		tail = append(tail, data...)
		tail = append(tail[:0], tail[max(0, len(tail)-4):]...)
		file.Bytes += int64(n)
		file.Places = append(file.Places, byte(place))
		file.Sums = binary.LittleEndian.AppendUint32(file.Sums, crc32.Checksum(data, castagnoli))
	}
	w.sent += file.Bytes
	if len(tail) < 4 || binary.LittleEndian.Uint32(tail) != link.Sum {
		return file, errors.New("the file is not the one that was saved")
	}
	return file, nil
}

func (w *Writer) piecePlace(number int) (key []byte, place int) {
	place = w.place(number)
	return pieceKey{number, place}.of(w.output), place
}

// place is where a piece goes: not where the newest manifest has it, and if that has no such piece, not where the one
// before has it.
func (w *Writer) place(number int) int {
	//mutation:other-place
	if place, named := w.newest.place(number); named {
		return 1 - place
	}
	if place, named := w.before.place(number); named {
		return 1 - place
	}
	return 0
}

// add adds a record to the batch, which it sends before where it is full.
func (w *Writer) add(ctx context.Context, key, value []byte) error {
	if w.batch.Append(time.Now().UnixMilli(), key, value) {
		return nil
	}
	if err := w.flush(ctx); err != nil {
		return err
	}
	if !w.batch.Append(time.Now().UnixMilli(), key, value) {
		return fmt.Errorf("%d bytes are more than max.message.bytes of the checkpoint topic allows: raise it",
			len(value))
	}
	return nil
}

func (w *Writer) flush(ctx context.Context) error {
	if w.batch.Len() == 0 {
		return nil
	}
	err := w.log.Append(ctx, &w.batch)
	w.batch.Reset()
	return err
}
