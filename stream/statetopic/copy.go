package statetopic

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"slices"
	"strings"

	"rosenblatt/stream/schema"
	"rosenblatt/stream/topics"
)

// Copy is what the topic holds for one output: the last record of each key, as far as it was read.
type Copy struct {
	log       Log
	output    string
	from      int64 // where the log began
	next      int64 // offset
	pieces    map[pieceKey]piece
	sums      bool // the data of pieces is forgotten
	manifests [2]*Manifest
	invalid   [2]error // why there is no manifest

	keptPieces map[int]piece
	kept       *Manifest // nil: none, or an invalid one

	schemas []schema.Entry // in the order in which they were first read
}

type piece struct {
	size int64
	sum  uint32
	data []byte // nil where it is forgotten
}

// NewCopy returns an empty one.
func NewCopy(log Log, output string) *Copy {
	return &Copy{log: log, output: output, next: -1, pieces: map[pieceKey]piece{}, keptPieces: map[int]piece{}}
}

// ReadNow reads what can be read now. While it reads, a writer may save, and compaction remove the newest manifest of
// what it reads, or pieces of that: so where there is none that is whole it reads on, while there is more.
func (c *Copy) ReadNow(ctx context.Context) error {
	for {
		from, to, err := c.log.Bounds(ctx)
		if err != nil {
			return err
		}
		if c.next < 0 {
			c.from = from
		}
		c.next = max(c.next, from)
		more := c.next < to
		if err := c.ReadTo(ctx, to); err != nil {
			return err
		}
		//mutation:read-on
		if whole, faults := c.Whole(); len(whole) > 0 && len(faults) == 0 || !more {
			return nil
		}
	}
}

// ReadTo reads on up to an offset.
func (c *Copy) ReadTo(ctx context.Context, to int64) (err error) {
	c.next, err = read(ctx, c.log, c.next, to, c.take)
	return err
}

// read calls take with the records of a stretch, and returns up to where it was read.
func read(ctx context.Context, log Log, from, to int64, take func(key, value []byte)) (next int64, err error) {
	reader := log.Open(from)
	run := topics.Run{Next: from}
	for run.Next < to {
		if err := reader.Read(ctx, &run, 1<<10); err != nil {
			return from, err
		}
		for i := range run.Records {
			if r := &run.Records[i]; r.Offset < to {
				take(r.Key, r.Value)
			}
		}
		from = min(run.Next, to)
		run.Release()
	}
	return from, nil
}

// Outputs lists the output topics of which a checkpoint topic holds manifests.
func Outputs(ctx context.Context, log Log) ([]string, error) {
	from, to, err := log.Bounds(ctx)
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	_, err = read(ctx, log, from, to, func(key, value []byte) {
		output, _, _ := strings.Cut(string(key), "/")
		if _, ok := parseManifestKey(key, output); ok && value != nil {
			found[output] = true
		}
	})
	return slices.Sorted(maps.Keys(found)), err
}

// Begun returns how many tasks there were when that of an output was begun, as its newest manifest in a checkpoint
// topic says; begun is false without one. A manifest of another program is an *OtherVersion.
func Begun(ctx context.Context, log Log, output string) (tasks int, begun bool, err error) {
	from, to, err := log.Bounds(ctx)
	if err != nil {
		return 0, false, err
	}
	var faults []error
	_, err = read(ctx, log, from, to, func(key, value []byte) {
		if _, ok := parseManifestKey(key, output); ok && value != nil {
			m, err := parseManifest(value)
			if faults = append(faults, err); err == nil {
				tasks, begun = m.Tasks, true
			}
		}
	})
	return tasks, begun, cmp.Or(err, Other(faults))
}

func (c *Copy) take(key, value []byte) {
	if k, ok := parsePieceKey(key, c.output); ok {
		if delete(c.pieces, k); value != nil {
			c.pieces[k] = c.keep(value)
		}
		return
	}
	place, ok := parseManifestKey(key, c.output)
	switch {
	case !ok && isSchemaKey(key, c.output):
		c.takeSchema(key, value)
		return
	case !ok:
		c.takeKept(key, value)
		return
	}
	c.manifests[place], c.invalid[place] = nil, nil
	if value != nil {
		c.manifests[place], c.invalid[place] = parseManifest(value)
	}
}

func (c *Copy) keep(value []byte) piece {
	p := piece{size: int64(len(value)), sum: crc32.Checksum(value, castagnoli)}
	if !c.sums {
		p.data = bytes.Clone(value)
	}
	return p
}

// Forget forgets what pieces hold, but for their sums: nothing is restored any more, and a Writer may follow.
func (c *Copy) Forget() {
	c.sums = true
	for k, p := range c.pieces {
		p.data = nil
		c.pieces[k] = p
	}
	for k, p := range c.keptPieces {
		p.data = nil
		c.keptPieces[k] = p
	}
}

// Whole returns the manifests whose pieces are all there, the newest first, and what is wrong with the others, but for
// those that are older than a whole one: a save writes to the places of their pieces.
func (c *Copy) Whole() (whole []*Manifest, faults []error) {
	newest := 0 // its place
	if m := c.manifests; m[1] != nil && (m[0] == nil || m[1].Number > m[0].Number) {
		newest = 1
	}
	for _, place := range []int{newest, 1 - newest} {
		m, err := c.manifests[place], c.invalid[place]
		if err == nil && m != nil {
			err = c.check(m)
		}
		switch {
		//mutation:place-of-an-older-one
		case err != nil && (m == nil || len(whole) == 0):
			faults = append(faults, fmt.Errorf("manifest/%d: %w", place, err))
		case err == nil && m != nil:
			whole = append(whole, m)
		}
	}
	return whole, faults
}

// Newest returns the newest manifest that is whole, nil without one.
func (c *Copy) Newest() *Manifest {
	if whole, _ := c.Whole(); len(whole) > 0 {
		return whole[0]
	}
	return nil
}

// Empty reports whether there is no whole checkpoint in what was read.
func (c *Copy) Empty() bool { return c.Newest() == nil }

// check returns which piece of a manifest is missing or another one.
func (c *Copy) check(m *Manifest) error {
	for k, want := range m.all() {
		p, there := c.pieces[k]
		if err := want.check(p, there); err != nil {
			return fmt.Errorf("number %d, seq %d: piece/%d/%d %w", m.Number, m.Seq, k.number, k.place, err)
		}
	}
	return nil
}

// check compares a piece with what a manifest says of it.
func (p piece) check(found piece, there bool) error {
	switch {
	case !there:
		return errors.New("is missing")
	//mutation:piece-sum
	case found.size != p.size || found.sum != p.sum:
		return errors.New("is another one, or damaged")
	}
	return nil
}

// Other returns the fault that is a manifest of another version, if there is one.
func Other(faults []error) error {
	for _, err := range faults {
		if errors.As(err, new(*OtherVersion)) {
			return err
		}
	}
	return nil
}

// Installer is a folder; checkpoint.Store is one.
type Installer interface {
	// Install makes a file durable.
	Install(seq uint64, parts [][]byte) error
}

// Restore installs the files of a manifest, which is one of Whole.
func (c *Copy) Restore(m *Manifest, into Installer) error {
	return m.install(into, nil, func(k pieceKey) []byte { return c.pieces[k].data })
}
