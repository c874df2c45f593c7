package event

import (
	"bytes"
	"strconv"

	"rosenblatt/stream/internal/number"
)

// vwParser reads lines `label importance base 'tag|namespace:scale feature:value ... |...` as Vowpal Wabbit's wiki,
// "Input format", describes them. All before the first bar may be missing. A base, an initial prediction,
// is rejected or ignored.
type vwParser struct {
	*Decoder
	unnamed     int    // features without a name in the namespace so far
	unnamedName []byte // scratch: the name that one gets
}

func newVW(d *Decoder) parser {
	d.roles.ignored(&d.options)
	return &vwParser{Decoder: d}
}

// parse implements parser.
func (p *vwParser) parse(whole []byte) {
	b := p.value
	if !p.isUTF8(whole) || !p.oneLine(b) {
		return
	}
	bar := bytes.IndexByte(b, '|')
	if bar < 0 {
		p.stop(Syntax, len(b), "a | is expected before the features")
		return
	}
	p.empty = len(bytes.Trim(b, "| \t")) == 0
	if !p.head(b[:bar]) {
		return
	}
	for end := bar; end >= 0 && end < len(b); {
		end = p.readNamespace(b, end+1)
	}
}

// head reads what is before the first bar. Its last word is a tag if it touches the bar or has a leading quote.
func (p *vwParser) head(b []byte) bool {
	var words [4][]byte
	var ends [4]int
	n, last := 0, 0
	for {
		from, end := nextWord(b, last)
		if from == end {
			break
		}
		if n == len(words) {
			p.stop(Syntax, from, "a | is expected behind label, importance, base and tag")
			return false
		}
		//mutation:costs-of-vw
		if n == 1 && p.isCosts(words[0]) && p.isCosts(b[from:end]) { // 1:0 2:1, of --csoaa
			p.template.abandon()
			p.textLabel(words[0])
			return true
		}
		words[n], ends[n] = b[from:end], end
		n, last = n+1, end
	}
	var tag []byte
	if n > 0 && (last == len(b) || words[n-1][0] == '\'') {
		n--
		if tag = bytes.TrimPrefix(words[n], []byte("'")); len(tag) != 0 {
			p.example.ID = tag
		}
	}
	//mutation:blank-in-a-tag
	if i := quoteIn(words[:n]); i > 0 {
		p.stop(Syntax, ends[i]-len(words[i]), "a tag ends at a blank, and there is more behind %v", quoted(words[i]))
		return false
	}
	if n > 3 {
		p.stop(Syntax, 0, "%v is not a tag: it must touch the | or begin with a single quote", quoted(words[3]))
		return false
	}
	if n > 2 && !p.base(words[2], ends[2]-len(words[2])) {
		return false
	}
	if n > 1 {
		p.textWeight(words[1])
	}
	if n > 0 {
		p.textLabel(words[0])
	}
	for i, word := range words[:n] {
		p.learnWord(ends[i]-len(word), ends[i], vwHead[i], nil)
	}
	if len(tag) != 0 {
		p.learnWord(last-len(tag), last, idRole, nil)
	}
	return true
}

// quoteIn returns the first word behind the label that begins with a quote, or -1.
func quoteIn(words [][]byte) int {
	for i := 1; i < len(words); i++ {
		if words[i][0] == '\'' {
			return i
		}
	}
	return -1
}

// base reads the prediction that Vowpal Wabbit would begin with. It is no feature: another one than 0 rejects the
// event, unless such values are skipped.
func (p *vwParser) base(word []byte, at int) bool {
	p.template.abandon()
	v, k := number.Text(word)
	switch {
	case k == number.Word:
		p.stop(Syntax, at, "the base must be a number, not %v", quoted(word))
		return false
	//mutation:base-of-vw
	case (k == number.NotFinite || v != 0) && !p.options.SkipUnknown:
		p.unfit.add(BadFeatures, at, "the base %v is a prediction to begin with, to which Vowpal Wabbit adds its own: "+
			"there is no such thing here", quoted(word))
	}
	return true
}

// vwHead lists the roles of the words before a tag.
var vwHead = [...]role{labelRole, weightRole, ignoreRole}

// scalar implements parser. A word in front of the features that begins with a quote is a tag, whatever its place, and
// behind a label with costs are no weight and no base.
func (p *vwParser) scalar(i int, k *templateKey) int {
	word := p.value[i:vwWord(p.value, i)]
	if k.role != plainRole && len(word) != 0 && word[0] == '\'' || k.role == labelRole && p.isCosts(word) {
		return -1
	}
	return p.templateWord(i, word, k)
}

// readNamespace reads a namespace from behind its bar up to the next bar or the end. It returns where that is, or -1.
func (p *vwParser) readNamespace(b []byte, i int) int {
	end := vwWord(b, i)
	name, text, at := vwPair(b, i, end)
	scale := 1.0
	if at >= 0 {
		v, k := number.Text(text)
		switch k {
		case number.Word:
			return p.stop(Syntax, at, "the scale of namespace %v must be a number, not %v", quoted(name), quoted(text))
		case number.NotFinite:
			p.notFinite(at, name, text)
		default:
			scale = v
		}
	}
	p.name = append(p.name[:0], name...)
	if len(name) != 0 {
		p.name = append(p.name, '^')
	}
	if at >= 0 {
		p.template.abandon()
	}
	before := p.pushPrefix(len(p.name))
	p.unnamed = 0
	end = p.features(b, end, len(p.name), scale)
	p.prefixes = p.prefixes[:before]
	return end
}

// features reads the features from b[end] up to the next bar or the end. It returns where that is, or -1.
func (p *vwParser) features(b []byte, end, prefix int, scale float64) int {
	for {
		for end < len(b) && blank(b[end]) {
			end++
		}
		if end >= len(b) || b[end] == '|' {
			return end
		}
		i := end
		end = p.vwFeature(b, i)
		if !p.feature(b, i, end, prefix, scale) {
			return -1
		}
	}
}

// vwFeature returns the end of the feature at b[i]. As in Vowpal Wabbit, a value may follow its colon after blanks.
func (p *vwParser) vwFeature(b []byte, i int) int {
	end := vwWord(b, i)
	if b[end-1] != ':' || bytes.IndexByte(b[i:end], ':') != end-i-1 {
		return end
	}
	at := end
	for at < len(b) && blank(b[at]) {
		at++
	}
	next := vwWord(b, at)
	//mutation:vw-blank-value
	if next == at {
		return end
	}
	p.template.abandon()
	return next
}

// feature reads the feature b[i:end]; the namespace's name is p.name[:prefix].
func (p *vwParser) feature(b []byte, i, end, prefix int, scale float64) bool {
	name, text, at := vwPair(b, i, end)
	if at >= 0 {
		text = bytes.TrimLeft(text, " \t")
		at = end - len(text)
	}
	if len(name) == 0 {
		p.template.abandon()
		if name = p.vwNumber(text); len(text) == 0 {
			p.stop(Syntax, i, "a feature needs a name or a value: %v", quoted(b[i:end]))
			return false
		}
	}
	f := field{name: p.path(prefix, name), prefix: prefix}
	f.role = p.roles.of(f.name)
	if at >= 0 && len(text) > 0 {
		return p.valued(&f, text, at, scale)
	}
	p.template.abandon()
	if at >= 0 { // Vowpal Wabbit does not scale it
		scale = 1
	}
	p.number(&f, nil, scale)
	return true
}

// vwNumber returns the name of a feature that has only a value, text. Vowpal Wabbit counts those that are numbers, from
// 0 in each namespace, so the first one is the feature called 0.
func (p *vwParser) vwNumber(text []byte) []byte {
	if _, k := number.Text(text); k == number.Word {
		return nil
	}
	//mutation:vw-unnamed
	p.unnamedName = strconv.AppendInt(p.unnamedName[:0], int64(p.unnamed), 10)
	p.unnamed++
	return p.unnamedName
}

// valued takes a value of f, a number or a word. A word is an indicator, which the scale does not change, as in Vowpal
// Wabbit.
func (p *vwParser) valued(f *field, text []byte, at int, scale float64) bool {
	//mutation:vw-word
	if _, k := number.Text(text); k != number.Word {
		return p.measured(f, text, at, scale)
	}
	p.word(at, f, nil, text)
	p.learnWord(at, at+len(text), f.role, f.name)
	return true
}

// vwWord returns the end of the word at b[i]: a blank or a bar.
func vwWord(b []byte, i int) int {
	for i < len(b) && !blank(b[i]) && b[i] != '|' {
		i++
	}
	return i
}

// vwPair splits the word b[i:end] at its first colon. at is where text begins, or -1 if there is no colon.
func vwPair(b []byte, i, end int) (name, text []byte, at int) {
	colon := bytes.IndexByte(b[i:end], ':')
	if colon < 0 {
		return b[i:end], nil, -1
	}
	return b[i : i+colon], b[i+colon+1 : end], i + colon + 1
}
