package labels

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"

	"rosenblatt/checkpoint"
	"rosenblatt/learner/decision"
)

// Beside is what an example that waits keeps of a challenger's prediction.
type Beside struct {
	Score     float64
	Published Published // NotPredicted: the challenger has not predicted it
}

// NotPredicted is Beside.Published of an example that a challenger has not predicted: it was added since, or suspended.
const NotPredicted Published = math.MaxUint32

// KeptBeside is what an example that waits keeps of all learners but the one that published its prediction. Learners
// have numbers, that of the configuration 0. The place of number n is n - 1, and that of 0 the place of the publisher.
type KeptBeside struct {
	By   int // the number of the publisher
	Each []Beside
}

// Of returns the number of the learner of a place.
func (k *KeptBeside) Of(place int) (number int) {
	if place+1 == k.By {
		return 0
	}
	return place + 1
}

// Place is the place of a learner that is not the publisher.
func (k *KeptBeside) Place(number int) int {
	if number == 0 {
		return k.By - 1
	}
	return number - 1
}

// besides are those of the examples of a slab, for each example and challenger 12 bytes, and one byte.
type besides struct {
	by        [slabEntries]uint8
	scores    []float64
	published []Published
}

func newBesides(challengers int) *besides {
	n := slabEntries * challengers
	return &besides{scores: make([]float64, n), published: make([]Published, n)}
}

func (b *besides) clone() *besides {
	return &besides{b.by, slices.Clone(b.scores), slices.Clone(b.published)}
}

// setBeside sets those of an entry whose slab no snapshot shares. What is not given was not predicted.
func (l *list) setBeside(at uint32, kept *KeptBeside) {
	if l.challengers == 0 {
		return
	}
	of, from := l.beside[at/slabEntries], int(at%slabEntries)*l.challengers
	of.by[at%slabEntries] = 0
	for i := range l.challengers {
		of.scores[from+i], of.published[from+i] = 0, NotPredicted
	}
	if kept == nil {
		return
	}
	of.by[at%slabEntries] = uint8(kept.By)
	for i, k := range kept.Each {
		of.scores[from+i], of.published[from+i] = k.Score, k.Published
	}
}

// getBeside returns those of an entry, in the memory of kept.
func (l *list) getBeside(kept *KeptBeside, at uint32) {
	if kept.By, kept.Each = 0, kept.Each[:0]; l.challengers == 0 {
		return
	}
	of, from := l.beside[at/slabEntries], int(at%slabEntries)*l.challengers
	kept.By = int(of.by[at%slabEntries])
	for i := from; i < from+l.challengers; i++ {
		kept.Each = append(kept.Each, Beside{of.scores[i], of.published[i]})
	}
}

// NewBeside is New for examples that keep the predictions of so many challengers, too.
func NewBeside(l Limits, challengers int) *Waiting {
	w := New(l)
	w.list.challengers = challengers
	w.sumsOf = make([]decision.Waiting, challengers+1)
	return w
}

// Challengers is how many predictions an example keeps beside the published one.
func (w *Waiting) Challengers() int { return w.list.challengers }

// Beside returns what a waiting example keeps of the learners that did not publish its prediction, in kept's memory.
func (w *Waiting) Beside(kept *KeptBeside, e *Example) {
	kept.By, kept.Each = 0, kept.Each[:0]
	if w.list.challengers == 0 {
		return
	}
	if slot, known := w.lookup(&e.ID); known && w.index.slots[slot].ref()&isSettled == 0 {
		w.list.getBeside(kept, w.index.slots[slot].ref()>>1)
	}
}

// addBeside counts the predictions of an entry more or less among those that wait, each with its learner's.
func (w *Waiting) addBeside(at uint32, n int64) {
	if w.list.challengers == 0 {
		return
	}
	w.list.getBeside(&w.kept, at)
	w.list.at(at).Published.add(&w.sumsOf[w.kept.By], n)
	for i := range w.kept.Each {
		w.kept.Each[i].Published.add(&w.sumsOf[w.kept.Of(i)], n)
	}
}

// SumsOf appends what waits of each learner's predictions, by its number.
func (w *Waiting) SumsOf(dst []decision.Waiting) []decision.Waiting { return append(dst, w.sumsOf...) }

// OthersOf is SumsOf but for those of a waiting example, of which kept is Beside.
func (w *Waiting) OthersOf(dst []decision.Waiting, e *Example, kept *KeptBeside) []decision.Waiting {
	from := len(dst)
	dst = append(dst, w.sumsOf...)
	e.Published.add(&dst[from+kept.By], -1)
	//mutation:others-beside
	for i := range kept.Each {
		kept.Each[i].Published.add(&dst[from+kept.Of(i)], -1)
	}
	return dst
}

// sectionBeside has for each waiting example, in the order of seq, a byte that is the number of the publisher, and for
// each place eight bytes of score and four of Published, little-endian. Without challengers it is absent.
const sectionBeside = "labels.beside"

const besideBytes = 12

// besideSection is what a checkpoint holds of challengers' predictions.
func (s *Snapshot) besideSection() checkpoint.Section {
	w := &stream{restart: func() func([]byte) []byte {
		at, left := s.list.head, s.list.n
		var kept KeptBeside
		return func(dst []byte) []byte {
			if left == 0 {
				return dst
			}
			left--
			s.list.getBeside(&kept, at)
			at = s.list.link(at).next
			dst = append(dst, byte(kept.By))
			for _, k := range kept.Each {
				dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(k.Score))
				dst = binary.LittleEndian.AppendUint32(dst, uint32(k.Published))
			}
			return dst
		}
	}}
	size := int64(s.list.n) * int64(1+s.list.challengers*besideBytes)
	return checkpoint.Section{Name: sectionBeside, Size: size, Append: w.append}
}

// besideReader reads the section example by example.
type besideReader struct {
	data        []byte
	challengers int
	of          []int // by challenger of the Waiting, its place in the section, or -1; nil: all as they are
	kept, now   KeptBeside
}

var errBeside = errors.New("it does not fit what waits")

// next returns what the next example keeps.
func (r *besideReader) next() (*KeptBeside, error) {
	if r.challengers == 0 {
		return nil, nil
	}
	size := 1 + r.challengers*besideBytes
	if len(r.data) < size || int(r.data[0]) > r.challengers {
		return nil, errBeside
	}
	r.kept.By, r.kept.Each = int(r.data[0]), r.kept.Each[:0]
	for b := r.data[1:size]; len(b) > 0; b = b[besideBytes:] {
		k := Beside{math.Float64frombits(binary.LittleEndian.Uint64(b)), Published(binary.LittleEndian.Uint32(b[8:]))}
		if k.Published != NotPredicted && !k.Published.valid() {
			return nil, errBeside
		}
		r.kept.Each = append(r.kept.Each, k)
	}
	if r.data = r.data[size:]; r.of != nil {
		return r.renumber(), nil
	}
	return &r.kept, nil
}

// renumber returns what was read under the numbers of other challengers. What a learner published that is gone counts
// as the configuration's own: its prediction stays.
func (r *besideReader) renumber() *KeptBeside {
	was, now := &r.kept, &r.now
	now.By, now.Each = 1+slices.Index(r.of, was.By-1), now.Each[:0]
	if was.By == 0 {
		now.By = 0
	}
	for place := range r.of {
		number := now.Of(place)
		old := 0
		if number > 0 {
			old = 1 + r.of[number-1]
		}
		k := Beside{Published: NotPredicted}
		if (number == 0 || old > 0) && old != was.By {
			k = was.Each[was.Place(old)]
		}
		now.Each = append(now.Each, k)
	}
	return now
}

// openBeside opens the section for so many challengers.
func openBeside(section func(name string) ([]byte, bool), challengers int) (*besideReader, error) {
	if challengers == 0 {
		return &besideReader{}, nil
	}
	b, ok := section(sectionBeside)
	if !ok {
		return nil, fmt.Errorf("no section %q", sectionBeside)
	}
	return &besideReader{data: b, challengers: challengers}, nil
}
