package batch

import "math/rand/v2"

// order says which example to look at next. It knows how many looks in a row found nothing to correct.
type order struct {
	kind  orderKind
	n     int
	at    int
	clean int
	list  []int
	rand  *rand.Rand
}

type orderKind uint8

const (
	inOrder  orderKind = iota // as the examples stand, over and over
	picking                   // any mistaken example, each with the same chance
	shuffled                  // each pass in an order of its own
)

// The streams of random numbers that one seed gives.
const (
	orderStream = 1
	heldStream  = 2
)

func newOrder(o *Options, n int) *order {
	r := &order{n: n}
	switch {
	case o.Order == Cyclic:
		return r
	case o.Algorithm == PLA:
		r.kind = shuffled
	default:
		r.kind = picking
	}
	r.rand = rand.New(rand.NewPCG(o.Seed, orderStream))
	r.list = make([]int, n)
	for i := range r.list {
		r.list[i] = i
	}
	return r
}

// next gives the example to look at. Picking draws without putting back until something is corrected: the first mistaken example
// in a random order is any of them with the same chance, and no list of the mistaken ones need be kept.
func (r *order) next() int {
	i := r.at
	switch {
	case r.kind == picking:
		r.swap(r.at, r.at+r.rand.IntN(r.n-r.at))
		i = r.list[r.at]
	case r.kind == shuffled && r.at == 0:
		for last := r.n - 1; last > 0; last-- {
			r.swap(last, r.rand.IntN(last+1))
		}
		i = r.list[0]
	case r.kind == shuffled:
		i = r.list[r.at]
	}
	if r.at++; r.at == r.n {
		r.at = 0
	}
	return i
}

func (r *order) swap(i, j int) { r.list[i], r.list[j] = r.list[j], r.list[i] }

// corrected says that the example was corrected: all others are to be looked at again.
func (r *order) corrected() {
	r.clean = 0
	if r.kind == picking {
		r.at = 0
	}
}

// passed says that nothing was to be corrected. It reports whether that now holds for every example: then it will for ever.
func (r *order) passed() (settled bool) {
	r.clean++
	return r.clean >= r.n && (r.kind != shuffled || r.at == 0)
}
