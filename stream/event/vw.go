package event

import (
	"bytes"

	"rosenblatt/learner"
	"rosenblatt/stream/internal/number"
)

// parseVW reads `label importance base 'tag|namespace:scale feature:value ... |...` as Vowpal Wabbit's wiki, "Input format",
// describes it. All before the first bar may be missing. The base, an initial prediction, is passed by.
func (d *Decoder) parseVW(b []byte) {
	b = line(b)
	if !d.oneLine(b) {
		return
	}
	bar := bytes.IndexByte(b, '|')
	if bar < 0 {
		d.stop(Syntax, len(b), "a | is wanted before the features")
		return
	}
	if !d.vwHead(b[:bar]) {
		return
	}
	end := bar
	for end >= 0 && end < len(b) {
		end = d.vwNamespace(b, end+1)
	}
	if end >= 0 {
		d.vwRemember(b, bar)
	}
}

// vwHead reads what stands before the first bar. Its last word is a tag if it touches the bar or has a leading quote.
func (d *Decoder) vwHead(b []byte) bool {
	var words [4][]byte
	n, last := 0, 0
	for {
		from, end := next(b, last)
		if from == end {
			break
		}
		if n == len(words) {
			d.stop(Syntax, from, "a | is wanted behind label, importance, base and tag")
			return false
		}
		words[n] = b[from:end]
		n, last = n+1, end
	}
	if n > 0 && (last == len(b) || words[n-1][0] == '\'') {
		n--
		if tag := bytes.TrimPrefix(words[n], []byte("'")); len(tag) != 0 {
			d.example.ID = tag
		}
	}
	if n > 3 {
		d.stop(Syntax, 0, "%v is no tag: it must touch the | or begin with a single quote", quoted(words[3]))
		return false
	}
	if n > 2 {
		if _, k := number.Text(words[2]); k == number.Word {
			d.stop(Syntax, 0, "the base must be a number, not %v", quoted(words[2]))
			return false
		}
	}
	if n > 1 {
		d.textWeight(words[1])
	}
	if n > 0 {
		d.textLabel(words[0])
	}
	return true
}

// vwNamespace reads a namespace from behind its bar up to the next bar or the end. It returns where that is, or -1.
func (d *Decoder) vwNamespace(b []byte, i int) int {
	end := vwWord(b, i)
	name, text, at := vwPair(b, i, end)
	scale := 1.0
	if at >= 0 {
		v, k := number.Text(text)
		switch k {
		case number.Word:
			return d.stop(Syntax, at, "the scale of namespace %v must be a number, not %v", quoted(name), quoted(text))
		case number.NotFinite:
			d.notFinite(at, name, text)
		default:
			scale = v
		}
	}
	d.name = append(d.name[:0], name...)
	if len(name) != 0 {
		d.name = append(d.name, '^')
	}
	prefix := len(d.name)
	if at < 0 {
		end = d.vwShaped(b, end, prefix)
	}
	next := d.vwFeatures(b, end, prefix, scale)
	d.json.shape.learning = false
	return next
}

// vwFeatures reads the features from b[end] up to the next bar or the end. It returns where that is, or -1.
func (d *Decoder) vwFeatures(b []byte, end, prefix int, scale float64) int {
	for {
		for end < len(b) && blank(b[end]) {
			end++
		}
		if end >= len(b) || b[end] == '|' {
			return end
		}
		i := end
		end = vwWord(b, end)
		if !d.vwFeature(b, i, end, prefix, scale) {
			return -1
		}
	}
}

// vwFeature reads the feature b[i:end]; the namespace's name is d.name[:prefix].
func (d *Decoder) vwFeature(b []byte, i, end, prefix int, scale float64) bool {
	name, text, at := vwPair(b, i, end)
	if len(name) == 0 {
		d.stop(Syntax, i, "a feature needs a name before its value: %v", quoted(b[i:end]))
		return false
	}
	name = d.path(prefix, name)
	if at >= 0 {
		ok := d.measured(name, text, at, scale)
		if d.json.shape.learning {
			d.vwLearn(name, b[i-1:at])
		}
		return ok
	}
	if d.outer.role(name) != ignoreRole {
		d.add(name, scale, learner.Numeric)
	}
	return true
}

// vwWord gives the end of the word at b[i]: a blank or a bar.
func vwWord(b []byte, i int) int {
	for i < len(b) && !blank(b[i]) && b[i] != '|' {
		i++
	}
	return i
}

// vwPair splits the word b[i:end] at its first colon. At is where text begins, or -1 when there is no colon.
func vwPair(b []byte, i, end int) (name, text []byte, at int) {
	colon := bytes.IndexByte(b[i:end], ':')
	if colon < 0 {
		return b[i:end], nil, -1
	}
	return b[i : i+colon], b[i+colon+1 : end], i + colon + 1
}
