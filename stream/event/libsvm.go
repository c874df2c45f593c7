package event

import "bytes"

// parseLIBSVM reads `label index:value ... # comment`. Without a label the line begins with a feature. The index is a
// name like any other.
func (d *Decoder) parseLIBSVM(b []byte) {
	b = line(b)
	if !d.oneLine(b) {
		return
	}
	if at := bytes.IndexByte(b, '#'); at >= 0 {
		b = b[:at]
	}
	for i, n := 0, 0; ; n++ {
		var from int
		if from, i = next(b, i); from == i {
			return
		}
		token := b[from:i]
		colon := bytes.IndexByte(token, ':')
		if colon < 0 && n == 0 {
			d.textLabel(token)
			continue
		}
		if colon < 1 {
			d.stop(Syntax, from, "index:value is wanted, not %v", quoted(token))
			return
		}
		if !d.measured(token[:colon], token[colon+1:], from+colon+1, 1) {
			return
		}
	}
}
