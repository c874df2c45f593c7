package batch

import "math/rand/v2"

// order decides which example comes next. It counts the examples in a row that needed no correction.
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
	inOrder  orderKind = iota // in the order given, over and over
	picking                   // any mistaken example, all equally likely
	shuffled                  // each pass in a new order
)

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

// next returns the next example. Picking draws without replacement until something is corrected: the first mistaken
// example in a random order is any of them with the same probability.
func (r *order) next() int {
	i := r.at
	switch {
	case r.kind == picking:
		r.swap(r.at, r.at+r.rand.IntN(r.n-r.at))
		i = r.list[r.at]
	case r.kind == shuffled && r.at == 0:
		r.rand.Shuffle(r.n, r.swap)
		fallthrough
	case r.kind == shuffled:
		i = r.list[r.at]
	}
	r.at = (r.at + 1) % r.n
	return i
}

func (r *order) swap(i, j int) { r.list[i], r.list[j] = r.list[j], r.list[i] }

// corrected makes all other examples be checked again.
func (r *order) corrected() {
	r.clean = 0
	if r.kind == picking {
		r.at = 0
	}
}

// passed records that the example needed no correction. It reports whether that holds for all of them.
func (r *order) passed() (settled bool) {
	r.clean++
	return r.clean >= r.n && (r.kind != shuffled || r.at == 0)
}
