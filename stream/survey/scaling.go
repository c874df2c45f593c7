package survey

import (
	"fmt"
	"math"
	"strconv"

	"rosenblatt/learner"
)

// scaling scales the numbers of the events as a model does that learns them.
type scaling struct {
	model   *learner.Model
	x       []learner.Feature // the numbers of an event, by the place of their fields
	learned int
}

// newScaling needs a slot for each field.
func newScaling(as learner.Spec) (*scaling, error) {
	spec := learner.Spec{Scale: as.Scale, HalfLife: as.HalfLife, Clip: as.Clip, Centre: as.Centre, Bits: fieldBits}
	m, err := learner.New(spec)
	return &scaling{model: m}, err
}

// fieldBits is enough for maxFields.
const fieldBits = 10

// note notes a number of the event that is surveyed.
func (s *scaling) note(place int, v float64) {
	if s != nil {
		s.x = append(s.x, learner.Feature{Slot: uint32(place), Print: 1, Value: v})
	}
}

// learn learns the statistics of an event: with a weight of 0 nothing else.
func (s *scaling) learn() {
	if _, err := s.model.Predict(s.x); err != nil {
		return
	}
	if _, err := s.model.Prepare(1, 0); err == nil {
		s.model.Learn()
		s.learned++
	}
}

// of returns a value of a field as the next example would have it.
func (s *scaling) of(place int, v float64) float64 {
	return s.model.Explain([]learner.Feature{{Slot: uint32(place), Print: 1, Value: v}})[0].Value
}

// Of the distinct numbers of a field so many are counted.
const countedNumbers = 50

// addSize notes a number for the hints about scaling.
func (x *field) addSize(v float64) {
	x.squares += v * v
	if x.common == nil {
		x.common = map[float64]int{}
	}
	if _, known := x.common[v]; known || len(x.common) < countedNumbers {
		x.common[v]++
	}
}

// commonest returns the value that at least half of the numbers have, if there is one, and how often they have it. Of
// two that both do it is the lower one.
func (x *field) commonest() (v float64, often string) {
	for value, n := range x.common {
		switch {
		case n == x.numbers:
			return value, "always"
		case 2*n > x.numbers:
			return value, "mostly"
		case 2*n == x.numbers && (often == "" || value < v):
			v, often = value, "half of them"
		}
	}
	return v, often
}

// scaled says what scaling makes of the commonest number of a field, empty if there is none.
func (s *Survey) scaled(x *field) string {
	v, often := x.commonest()
	if s.fields.scaling == nil || s.fields.scaling.learned == 0 || often == "" {
		return ""
	}
	becomes := "stays"
	to := s.fields.scaling.of(x.place, v)
	if math.Abs(to-v) > 1e-9*math.Abs(v) {
		becomes = "becomes"
	}
	return fmt.Sprintf(" (%s %s: %s %s)", often, short(v), becomes, short(to))
}

func short(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }

// Of two fields that both have some numbers, the sizes differ much from this factor on.
const (
	someNumbers = 10
	muchLarger  = 10
)

// sizes says that numbers of different sizes are not scaled.
func (s *Survey) sizes() string {
	if s.fields.scaling == nil || s.fields.scaling.model.Spec().Scale != learner.ScaleNone {
		return ""
	}
	var small, large *field
	for _, x := range s.fields.all {
		switch {
		case x.role != feature || x.numbers < someNumbers || x.squares == 0:
			continue
		case small == nil:
			small, large = x, x
		case x.size() < small.size():
			small = x
		case x.size() > large.size():
			large = x
		}
	}
	if small == nil || large.size() <= muchLarger*small.size() {
		return ""
	}
	return fmt.Sprintf("numbers differ in size, as %s, about %s, and %s, about %s, and are not scaled: the largest "+
		"outweigh the others; --scale maxabs divides by the largest value, --scale standard by the deviation",
		large.name, short(large.size()), small.name, short(small.size()))
}

// size is the root mean square of the numbers.
func (x *field) size() float64 { return math.Sqrt(x.squares / float64(x.numbers)) }
