package event

import (
	"slices"

	"rosenblatt/learner"
)

// parseSinglePass decodes an event that fits the template. It reports false, and e is meaningless, if the event does
// not fit or has to be rejected.
func (d *Decoder) parseSinglePass(key, value []byte, arena []learner.Feature, e *Example) bool {
	t := &d.template
	if most := d.options.MaxBytes; !t.ready() || len(value) == 0 || len(value) > most || len(key) > most {
		return false
	}
	*e = Example{Weight: d.records.weight, Start: len(arena)}
	d.value, d.example, d.start, d.failed = value, e, len(arena), Error{}
	d.arena = slices.Grow(arena, len(t.keys)+1)
	numbers, fits := d.fits(d.trimmed(value))
	if !fits || len(d.arena) == len(arena) && !d.records.bare {
		return false
	}
	if d.records.labels && (e.ID == nil || e.Label == 0 && e.Class == nil) {
		return false
	}
	if e.End = len(d.arena); numbers == t.features {
		if t.list == 0 {
			t.list = lists.Add(1)
		}
		e.Names = t.list
	}
	t.hit()
	return true
}

// fits reads the event's values, each behind its key. Values and their keys may be missing where the event is well
// formed without them. It returns how many features are numbers that it read without the parser's help.
func (d *Decoder) fits(b []byte) (numbers int, ok bool) {
	t, i, words := &d.template, 0, false
	for k := 0; k < len(t.keys); k++ {
		if t.keys[k].role == plainRole && !t.keys[k].word {
			n, next := d.parseNumbers(b, i, t.keys[k:])
			if numbers, k, i = numbers+n, k+n, next; k == len(t.keys) {
				break
			}
		}
		key := &t.keys[k]
		if key.at(b, i, t.text) {
			if key.role == plainRole && !words {
				words = true
				d.seen.reset()
			}
			if i = d.parser.scalar(i+key.size, key); i < 0 {
				return 0, false
			}
		} else if !key.optional {
			return 0, false
		}
	}
	return numbers, d.failed.Reason == OK && string(b[i:]) == string(t.tail)
}

// addTemplateWord adds the indicator `name=word`, where key has the name. It reports false if another feature of the
// event may have the same name.
func (d *Decoder) addTemplateWord(key *templateKey, word []byte) bool {
	t := &d.template
	key.word, key.need = true, never
	d.name = append(append(d.name[:0], t.names[key.nameEnd-key.nameSize:key.nameEnd]...), word...)
	h := d.sum(d.name)
	if _, found := t.seen.find(h); found || d.seen.add(h) {
		return false
	}
	d.arena = append(d.arena,
		learner.Feature{Slot: d.slot(h), Print: fingerprint(h), Kind: learner.Indicator, Value: 1})
	return true
}

// addTemplateNumber adds the feature of key. It reports false if the value is out of range.
func (d *Decoder) addTemplateNumber(key *templateKey, v float64) bool {
	key.word = false
	f := key.feature
	f.Value = v
	d.arena = append(d.arena, f)
	return v >= -limit && v <= limit
}
