package event

import (
	"encoding/binary"
	"math"
	"slices"

	"rosenblatt/learner"
	"rosenblatt/stream/avro"
)

// follow reads an event along the plan. It reports false if avroParser has to read it.
func (p *avroParser) follow() bool {
	t, i := p.plan, p.start
	if t.event++; t.misses > misfits && t.event%relearnAfter != 0 {
		return false
	}
	t.misses++
	t.had, p.ignored, p.nothings = 0, false, 0
	for at := 0; at < len(t.steps); {
		s := &t.steps[at]
		at++
		switch s.op {
		case doublesStep:
			i = p.doubles(s.run, i)
		case longsStep:
			i = p.longs(s.run, i, widthOf(s.of))
		case optionalStep:
			i = p.optionals(s, i)
		case takeStep:
			i = p.takeAt(s.of, i, s.field)
		case skipStep:
			i = p.skipAt(s.of, i, s)
		case unionStep:
			if at, i = p.unionAt(s, i); i < 0 {
				return false
			}
		case jumpStep:
			at = s.to[0]
		case mapStep:
			i = p.mapAt(s, i)
		case arrayStep:
			i = p.arrayAt(s, i)
		default:
			return false
		}
		if i < 0 {
			return false
		}
	}
	if t.list == 0 && !p.moved && !p.words {
		t.list, t.listed = lists.Add(1), len(p.arena)-p.Decoder.start
	}
	if i != len(p.value) || p.failed.Reason != OK {
		return false
	}
	t.misses = 0
	return true
}

// doubles reads numbers that are just features. Like all methods that follow a plan, it returns the offset after them,
// or -1 if avroParser has to read the event.
func (p *avroParser) doubles(run []learner.Feature, i int) int {
	n, size := len(p.arena), 8*len(run)
	if len(p.value)-i < size {
		return -1
	}
	p.arena = slices.Grow(p.arena, len(run))[:n+len(run)]
	b, out := p.value[i:i+size], p.arena[n:]
	for j := range out {
		v := math.Float64frombits(binary.LittleEndian.Uint64(b[8*j:]))
		//mutation:avro-plan-range
		if !(v >= -limit && v <= limit) {
			return -1
		}
		out[j] = run[j]
		out[j].Value = v
	}
	return i + size
}

// longs is doubles for integers.
func (p *avroParser) longs(run []learner.Feature, i, bits int) int {
	n := len(p.arena)
	p.arena = slices.Grow(p.arena, len(run))[:n+len(run)]
	out := p.arena[n:]
	for j := range out {
		var v int64
		if v, i = p.integer(i, bits); i < 0 {
			return -1
		}
		out[j] = run[j]
		out[j].Value = float64(v)
	}
	return i
}

// optionals is doubles for numbers that may be null.
func (p *avroParser) optionals(s *avroStep, i int) int {
	b, arena, had := p.value, slices.Grow(p.arena, len(s.run)), uint64(0)
	for j := range s.run {
		if i >= len(b) || b[i]&^2 != 0 {
			return -1
		}
		//mutation:avro-plan-null
		if i++; b[i-1] == s.null {
			continue
		}
		if i+8 > len(b) {
			return -1
		}
		v := math.Float64frombits(binary.LittleEndian.Uint64(b[i:]))
		if !(v >= -limit && v <= limit) {
			return -1
		}
		f := s.run[j]
		f.Value = v
		arena, had, i = append(arena, f), had|1<<j, i+8
	}
	if p.arena = arena; had != s.had {
		s.had, p.plan.list, p.moved = had, 0, true
	}
	return i
}

// unionAt reads the number of a branch, and returns the step of that branch.
func (p *avroParser) unionAt(s *avroStep, i int) (step, next int) {
	n, next := p.integer(i, 32)
	if next < 0 || n < 0 || n >= int64(len(s.to)) {
		return 0, -1
	}
	if n != s.last {
		s.last, p.plan.list, p.moved = n, 0, true
	}
	return s.to[n], next
}

// skipAt skips a value.
func (p *avroParser) skipAt(t *avro.Type, i int, s *avroStep) int {
	p.depth, p.ignored = s.depth, s.field != nil && s.field.role == ignoreRole
	i = p.skip(t, i)
	p.ignored = false
	return i
}

// takeAt reads a value that is neither an object nor an array.
func (p *avroParser) takeAt(t *avro.Type, i int, k *planKey) int {
	x := &p.current
	next := p.read(t, i, x)
	switch {
	case next < 0:
		return -1
	case p.around != nil && x.isUnavailable():
		p.moved = true
		return next
	case k.role == plainRole:
		if !p.featureAt(k, x) {
			return -1
		}
		return next
	case p.plan.had&(1<<k.role) != 0: // the field comes twice
		return -1
	}
	p.plan.had |= 1 << k.role
	p.take(i, &field{role: k.role}, x)
	return next
}

// arrayAt reads an array of numbers or of texts.
func (p *avroParser) arrayAt(s *avroStep, i int) int {
	//mutation:unlogged-avro-plan
	if p.around != nil {
		if is, _ := p.isUnloggedArray(s.of, i); is {
			return -1
		}
	}
	n, x := 0, &p.current
	for b := p.blocks(s.of); b.more(p, &i); n++ {
		if i = p.read(s.of.Element, i, x); i < 0 {
			return -1
		}
		switch {
		case !x.finite():
			return -1
		case p.around != nil && x.isUnavailable():
			n--
		case x.kind == textScalar || s.field.kind == wordKind:
			if !p.wordAt(s.field, x) {
				return -1
			}
		case !p.elementAt(s.field, &s.list, n, x.v):
			return -1
		}
	}
	if i >= 0 && int64(n) != s.last {
		s.last, p.plan.list, p.moved = int64(n), 0, true
	}
	return i
}
