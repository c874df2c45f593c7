package statetopic

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
	"slices"

	"rosenblatt/checkpoint"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/topics"
)

// Version is the format of manifests, in their first line.
const Version = 4

// PieceSize is the length of all pieces of a file but the last.
const PieceSize = 1 << 16

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Manifest says what a checkpoint in the topic consists of. Its value in the topic is a first line, "rosenblatt
// manifest 4 " and the CRC32C of what follows, in hex, and then JSON.
type Manifest struct {
	Number int64  `json:"number"` // one more than that of the manifest before
	Model  string `json:"model"`
	Tasks  int    `json:"tasks,omitempty"` // as in model.Header
	Seq    int64  `json:"seq"`
	Files  []File `json:"files"` // the self-contained one first, each builds on the one before
	Progress
}

// Progress is what a manifest says of its checkpoint to those that do not read that.
type Progress struct {
	Epoch          int64            `json:"epoch"`
	Producer       *topics.Producer `json:"producer,omitempty"` // under which it was saved
	Positions      []int64          `json:"positions"`          // as in model.Header
	LabelPositions []int64          `json:"labelPositions,omitempty"`
	LabelTimes     []int64          `json:"labelTimes,omitempty"` // of each partition the highest (labels.Clock)
	Bounds         *labels.Bounds   `json:"bounds,omitempty"`     // with labels that come later
	topics.Ends                     // of the topics that the task writes: retention may have passed lower ones
}

// IsBefore reports whether nobody else can have fenced, and saved, between the save of this and a takeover.
func (p *Progress) IsBefore(takeover topics.Producer) bool {
	return p.Producer != nil && takeover.IsNext(*p.Producer)
}

// IsBeyond reports whether no position and no end is below that of another checkpoint, and one position is above it.
func (p *Progress) IsBeyond(other *Progress) bool { return p.HasPassed(other) && !other.hasRead(p) }

// HasPassed reports whether no position and no end is below that of another checkpoint.
func (p *Progress) HasPassed(other *Progress) bool {
	//mutation:ends-passed
	if !noneBelow(p.Output, other.Output) || !noneBelow(p.Outcomes, other.Outcomes) ||
		!noneBelow(p.DeadLetters, other.DeadLetters) {
		return false
	}
	return p.hasRead(other)
}

// hasRead reports whether no position is below that of another checkpoint.
func (p *Progress) hasRead(other *Progress) bool {
	return noneBelow(p.Positions, other.Positions) && noneBelow(p.LabelPositions, other.LabelPositions)
}

func noneBelow(is, was []int64) bool {
	if len(is) < len(was) {
		return false
	}
	for i, at := range was {
		if is[i] < at {
			return false
		}
	}
	return true
}

// File is one file of a checkpoint.
type File struct {
	checkpoint.Link
	Bytes  int64  `json:"bytes"`
	Places []byte `json:"places"` // of each piece
	Sums   []byte `json:"sums"`   // the CRC32C of each piece, 4 bytes little-endian
}

// sum is the CRC32C of a piece of the file.
func (f *File) sum(i int) uint32 { return binary.LittleEndian.Uint32(f.Sums[4*i:]) }

// pieces is the number of pieces of all files.
func (m *Manifest) pieces() (n int) {
	for i := range m.Files {
		n += len(m.Files[i].Places)
	}
	return n
}

// all yields the pieces of all files, with their sizes and sums.
func (m *Manifest) all() iter.Seq2[pieceKey, piece] {
	return func(yield func(pieceKey, piece) bool) {
		number := 0
		for i := range m.Files {
			f := &m.Files[i]
			for j, place := range f.Places {
				p := piece{size: min(PieceSize, f.Bytes-int64(j)*PieceSize), sum: f.sum(j)}
				if !yield(pieceKey{number, int(place)}, p) {
					return
				}
				number++
			}
		}
	}
}

// install installs the files but those with the seqs of some that are there.
func (m *Manifest) install(into Installer, there []File, data func(pieceKey) []byte) error {
	number := 0
	for i := range m.Files {
		f := &m.Files[i]
		var parts [][]byte
		for _, place := range f.Places {
			parts = append(parts, data(pieceKey{number, int(place)}))
			number++
		}
		if slices.ContainsFunc(there, func(other File) bool { return other.Seq == f.Seq }) {
			continue
		}
		if err := into.Install(f.Seq, parts); err != nil {
			return err
		}
	}
	return nil
}

// place returns the place that a manifest names for a piece.
func (m *Manifest) place(number int) (place int, named bool) {
	for i := range m.Files {
		places := m.Files[i].Places
		if number < len(places) {
			return int(places[number]), true
		}
		number -= len(places)
	}
	return 0, false
}

// shared is how many files of a chain are those of the manifest, from the first on.
func (m *Manifest) shared(chain []checkpoint.Link) int {
	n := 0
	for n < len(chain) && n < len(m.Files) && m.Files[n].Link == chain[n] {
		n++
	}
	return n
}

// bytes is the size of all files.
func (m *Manifest) bytes() (n int64) {
	for i := range m.Files {
		n += m.Files[i].Bytes
	}
	return n
}

const manifestLine = "rosenblatt manifest %d %08x\n"

func (m *Manifest) encode() ([]byte, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return append(fmt.Appendf(nil, manifestLine, Version, crc32.Checksum(text, castagnoli)), text...), nil
}

// OtherVersion is the error of a manifest of an earlier or later program.
type OtherVersion struct{ Version int }

// Older reports whether an earlier program wrote the manifest.
func (e *OtherVersion) Older() bool { return e.Version < Version }

func (e *OtherVersion) Error() string {
	return fmt.Sprintf("the manifest in the checkpoint topic has format version %d, this program reads %d", e.Version,
		Version)
}

func parseManifest(value []byte) (*Manifest, error) {
	line, text, _ := bytes.Cut(value, []byte("\n"))
	var version int
	var sum uint32
	if n, err := fmt.Sscanf(string(line)+"\n", manifestLine, &version, &sum); n != 2 || err != nil {
		return nil, errors.New("the first line is not that of a manifest")
	}
	//mutation:other-manifest
	if version != Version {
		return nil, &OtherVersion{version}
	}
	if found := crc32.Checksum(text, castagnoli); found != sum {
		return nil, fmt.Errorf("its CRC32C is %08x, its first line says %08x", found, sum)
	}
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, err
	}
	return m, m.check()
}

// check refuses what no Writer writes.
func (m *Manifest) check() error {
	if len(m.Files) == 0 || m.Number < 1 || m.Seq < 0 || m.Files[len(m.Files)-1].Seq != uint64(m.Seq) {
		return fmt.Errorf("number %d, seq %d and %d files are those of no checkpoint", m.Number, m.Seq, len(m.Files))
	}
	for i := range m.Files {
		f := &m.Files[i]
		if f.Bytes < 1 || (f.Bytes-1)/PieceSize+1 != int64(len(f.Places)) || len(f.Sums) != 4*len(f.Places) ||
			slices.ContainsFunc(f.Places, func(p byte) bool { return p > 1 }) {
			return fmt.Errorf("checkpoint-%d of %d bytes has %d pieces", f.Seq, f.Bytes, len(f.Places))
		}
	}
	return nil
}
