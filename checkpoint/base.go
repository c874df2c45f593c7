package checkpoint

// Base is a checkpoint that the next one may build on: it then holds only what has changed since. The zero Base is
// none.
type Base struct {
	reference
	whole int64 // size of the self-contained file at the bottom; 0 if there is none
	above int64 // the sum of the sizes of those that build on it, up to this one
	saves int   // how many saves the self-contained one has served, in this process
}

// Is reports whether both are the same checkpoint.
func (b Base) Is(other Base) bool {
	return b.reference == other.reference && (b.whole > 0) == (other.whole > 0)
}

// Seq is the number of the checkpoint, 0 without one.
func (b Base) Seq() uint64 { return b.seq }

const (
	// maxShare: files that build on a self-contained one have at most its size divided by this, all together.
	maxShare = 2
	// baseShare: one of at least the size of the self-contained one divided by this is a base itself, so that what it
	// holds is not written again and again.
	baseShare = 16
	// maxSaves bounds how old the self-contained one gets, and with it the loss if the disk damages it.
	maxSaves = 100
)

// carries reports whether a file of seq with so many bytes of pieces should build on b.
func (b Base) carries(seq uint64, pieces int64) bool {
	return b.whole > 0 && b.seq < seq && b.saves < maxSaves && maxShare*(b.above+pieces) <= b.whole
}

// after is the base after the save of a file that builds on b, or on none.
func (b Base) after(saved reference, bytes int64, builds bool) Base {
	switch {
	case !builds:
		return Base{reference: saved, whole: bytes}
	case baseShare*bytes > b.whole:
		b.reference, b.above = saved, b.above+bytes
	}
	b.saves++
	return b
}

// setBase says what the next Save may build on.
func (f *File) setBase(on *File) {
	switch {
	case on == nil:
		f.Base = Base{reference: reference{f.Seq, f.sum}, whole: f.Bytes}
		for i := range f.Sections {
			f.Sections[i].Changed = nil
		}
	case on.BuildsOn == nil:
		f.Base, f.BuildsOn = on.Base, []string{on.Path}
	default:
		f.Base, f.BuildsOn = on.Base, append([]string{on.Path}, on.BuildsOn...)
		f.Base.reference = reference{on.Seq, on.sum}
		f.Base.above += on.Bytes
	}
}
