package event

import "bytes"

// libsvmParser reads lines `label qid:number index:value ... # comment`. Without a label the line begins with a
// feature. An index is a name like any other, except for qid, the number of a query, which is ignored.
type libsvmParser struct {
	*Decoder
}

func newLIBSVM(d *Decoder) parser {
	d.roles.ignored(&d.options)
	d.roles.add("qid", ignoreRole)
	return &libsvmParser{d}
}

// parse implements parser.
func (p *libsvmParser) parse(whole []byte) {
	b := p.value
	if !p.isUTF8(whole) || !p.oneLine(b) {
		return
	}
	if at := bytes.IndexByte(b, '#'); at >= 0 {
		b = b[:at]
		//mutation:comment-alone
		if len(trim(b)) == 0 {
			p.failed.add(Empty, at, "the value is only a comment; files may have such lines, and events not")
			return
		}
	}
	for i, n := 0, 0; ; n++ {
		var from int
		if from, i = nextWord(b, i); from == i {
			p.empty = n == 0
			return
		}
		token := b[from:i]
		colon := bytes.IndexByte(token, ':')
		if colon < 0 && n == 0 {
			p.textLabel(token)
			p.learnWord(from, i, labelRole, nil)
			continue
		}
		if colon < 1 {
			p.stop(Syntax, from, "index:value is expected, not %v", quoted(token))
			return
		}
		f := field{name: token[:colon], role: p.roles.of(token[:colon])}
		if !p.measured(&f, token[colon+1:], from+colon+1, 1) {
			return
		}
	}
}

// scalar implements parser.
func (p *libsvmParser) scalar(i int, k *templateKey) int {
	b, end := p.value, i
	for end < len(b) && !blank(b[end]) && b[end] != '#' {
		end++
	}
	word := b[i:end]
	if end < len(b) && b[end] == '#' || k.role == labelRole && bytes.IndexByte(word, ':') >= 0 {
		return -1 // a comment, or a feature
	}
	return p.templateWord(i, word, k)
}
