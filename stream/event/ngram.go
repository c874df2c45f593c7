package event

import "fmt"

// wordRuns is the words of a text, for runs of neighbouring ones (Options.NGrams).
type wordRuns struct {
	text  []byte // the words, with a blank between them
	words []span
}

// span is where a word is in the text.
type span struct{ from, end int }

func (r *wordRuns) reset() { r.text, r.words = r.text[:0], r.words[:0] }

// add adds the next word.
func (r *wordRuns) add(word []byte) {
	if len(r.words) > 0 {
		r.text = append(r.text, ' ')
	}
	from := len(r.text)
	r.text = append(r.text, word...)
	r.words = append(r.words, span{from, len(r.text)})
}

// addRuns adds the indicators of runs of words, each once: the pairs of neighbours, then runs of three and so on. Their
// names continue s.name[:end].
func (s *sink) addRuns(end int) {
	r := &s.runs
	for n := 2; n <= s.options.NGrams; n++ {
		for i := 0; i+n <= len(r.words); i++ {
			s.name = append(s.name[:end], r.text[r.words[i].from:r.words[i+n-1].end]...)
			s.addOnce(s.name[s.base:])
		}
	}
}

// validateNGrams checks Options.NGrams.
func (o *Options) validateNGrams() error {
	switch {
	case o.NGrams == 0:
		return nil
	case o.NGrams < 2 || o.NGrams > 5:
		return fmt.Errorf("ngrams %d: want 2 to 5", o.NGrams)
	case o.TextField == "":
		return fmt.Errorf("ngrams are of the words of the text field: name it with --text-field")
	}
	return nil
}
