package simulation

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/model"
	"rosenblatt/stream/recordbatch"
	"rosenblatt/stream/statetopic"
	"rosenblatt/stream/topics"
)

// emptyFolder is a machine that never had the model.
func (w *world) emptyFolder() *folder {
	n := len(w.folders)
	f := &folder{mem: vfs.NewCrashableMem(), root: filepath.Join(w.root, fmt.Sprint(n)),
		rng: rand.New(rand.NewPCG(w.seed, 100+uint64(n)))}
	for _, other := range w.folders {
		if other.published.Load() {
			f.published.Store(true) // the topic must have a checkpoint
		}
	}
	w.folders = append(w.folders, f)
	w.count("empty folders")
	return f
}

// compact lets the brokers clean the checkpoint topic.
func (w *world) compact() {
	w.mu.Lock()
	defer w.mu.Unlock()
	inTransaction := func(w *world) bool { return w.txn.open || w.txn.missing > 0 || w.txn.sought }
	if w.setup.State == "" || slices.ContainsFunc(w.worlds, inTransaction) || w.over.Load() {
		return // kfake drops markers at once, Kafka a day later
	}
	w.cluster.Fake.Compact()
	w.count("compactions")
}

// pieceLog is what is left of the checkpoint topic when it is compacted: the last record of each key.
type pieceLog []topics.Record

func (l *pieceLog) add(r *topics.Record) {
	*l = slices.DeleteFunc(*l, func(old topics.Record) bool { return bytes.Equal(old.Key, r.Key) })
	*l = append(*l, topics.Record{Offset: r.Offset, Key: bytes.Clone(r.Key), Value: bytes.Clone(r.Value)})
}

// Bounds implements statetopic.Log, as the others do.
func (l *pieceLog) Bounds(context.Context) (from, to int64, err error) {
	return 0, (*l)[len(*l)-1].Offset + 1, nil
}

func (l *pieceLog) Open(int64) topics.Reader { return l }

func (l *pieceLog) Append(context.Context, *recordbatch.Builder) error {
	return errors.New("to be read only")
}

// Read implements topics.Reader.
func (l *pieceLog) Read(ctx context.Context, run *topics.Run, _ int) error {
	run.Reset(0, run.Next)
	run.Records = append(run.Records, *l...)
	_, run.Next, _ = l.Bounds(ctx)
	return nil
}

// memory is a folder without faults in which the oracle restores a checkpoint.
type memory struct{ calm }

func (m memory) Install(seq uint64, parts [][]byte) error {
	at, _ := m.in(m.path(seq))
	h, err := m.mem.Create(at, vfs.WriteCategoryUnspecified)
	if err != nil {
		return err
	}
	_, err = h.Write(slices.Concat(parts...))
	return errors.Join(err, h.Close())
}

func (m memory) path(seq uint64) string {
	return filepath.Join(m.f.dir(), fmt.Sprintf("checkpoint-%d", seq))
}

// inTopic checks the checkpoint topic after each record: the newest manifest is whole, and it is the newest that was
// written. With it the one before is there, and its checkpoint is right.
func (o *oracle) inTopic(r *topics.Record, epoch int16) {
	o.state.add(r)
	isManifest := strings.Contains(string(r.Key), "/manifest/")
	if isManifest {
		var m struct{ Number int64 }
		_, text, _ := bytes.Cut(r.Value, []byte("\n"))
		if err := json.Unmarshal(text, &m); err != nil || m.Number != o.number+1 {
			o.w.violate("manifest %d after %d: %v", m.Number, o.number, err)
			return
		}
		o.number++
	}
	held := statetopic.NewCopy(&o.state, o.w.setup.Output())
	_ = held.ReadNow(context.Background()) // it has no error
	whole, faults := held.Whole()
	switch {
	case o.number == 0:
	case len(whole) == 0 || whole[0].Number != o.number:
		o.w.violate("after %s: manifest %d is not whole: %v", r.Key, o.number, errors.Join(faults...))
	case isManifest && o.number > 1 && len(whole) != 2:
		o.w.violate("after %s: the manifest before is not whole: %v", r.Key, errors.Join(faults...))
	case isManifest:
		for _, f := range whole[0].Files {
			o.links[f.Link] = true
		}
		if err := o.restored(held, whole[0], epoch); err != nil {
			o.w.violate("manifest %d, checkpoint %d: %v", o.number, whole[0].Seq, err)
		}
	}
}

// restored checks the checkpoint of a manifest.
func (o *oracle) restored(held *statetopic.Copy, m *statetopic.Manifest, epoch int16) error {
	f := &folder{mem: vfs.NewCrashableMem(), root: filepath.Join(o.w.root, "restored")}
	into := memory{calm{&disk{f: f, mem: f.mem}}}
	if err := errors.Join(f.made(), held.Restore(m, into)); err != nil {
		return err
	}
	file, err := checkpoint.Open(into, into.path(uint64(m.Seq)))
	if err != nil {
		return err
	}
	h, proc, err := model.Read(file)
	if err != nil {
		return err
	}
	o.w.count("checkpoints in the topic")
	err = o.goesOn(&h)
	o.manifest = &saved{h, proc, file, o.from, epoch}
	return errors.Join(err, o.check(&h, proc), o.pendingOf(file))
}

// isRestored reports whether a file is from the topic, where it may have been replaced meanwhile: the process did
// not save it, and may not have taken over yet.
func (o *oracle) isRestored(d *disk, path string) bool {
	h, err := calm{d}.Open(path)
	if err != nil {
		return false
	}
	data, err := io.ReadAll(h)
	if err != nil {
		return false
	}
	link := checkpoint.Link{Sum: binary.LittleEndian.Uint32(data[len(data)-4:])}
	_, err = fmt.Sscanf(filepath.Base(path), "checkpoint-%d", &link.Seq)
	return err == nil && o.links[link]
}
