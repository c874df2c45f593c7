package event

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// treeParser tells the sink of an event as a format without text does: it walks over values, of which nothing is known
// but what they are.
type treeParser struct {
	*Decoder
	tree *node
}

func (p *treeParser) open(value, _ []byte) (whole, content []byte, skip bool) {
	return value, value, false
}
func (p *treeParser) scalar(int, *templateKey) int { return -1 }

func (p *treeParser) parse([]byte) {
	p.beginObject()
	if p.object(p.tree, 0) {
		p.endObject()
	}
}

// object tells of the members of an object. Like all methods here it reports false if that ended the event.
func (p *treeParser) object(n *node, prefix int) bool {
	roles := p.currentRoles()
	for _, m := range n.members {
		name := p.path(prefix, []byte(m.key))
		if f := newField(name, prefix, roles.of(name)); !p.field(&f, m.value) {
			return false
		}
	}
	return true
}

func (p *treeParser) field(f *field, v *node) bool {
	_, text := v.scalar.(string)
	switch {
	case !p.begin(-1, f):
		return p.pass(v)
	case f.role == featuresRole:
		return p.features(f, v)
	case f.role == textRole && text:
		p.textBeside(f, []byte(v.scalar.(string)))
		return true
	case f.role == textRole:
		f.role = plainRole
	}
	switch one := !v.object && !v.array; {
	case f.role == idRole && !one:
		return p.stop(Syntax, -1, "an id has one value") >= 0
	case f.role == labelRole || f.role == weightRole || f.role == idRole:
		if one {
			p.single(f, v)
			return true
		}
		p.composite(-1, f.role, nil)
		return p.pass(v)
	case v.object && (p.emit && f.role == plainRole || p.currentRoles().dotted):
		in, ok := p.enter(-1, f)
		ok = ok && p.object(v, in.end)
		p.leave(in)
		return ok
	case !p.emit || f.role == ignoreRole:
		return p.pass(v)
	case v.array:
		return p.array(f, v)
	}
	p.single(f, v)
	return true
}

// single tells of a single value.
func (p *treeParser) single(f *field, v *node) {
	switch x := v.scalar.(type) {
	case string:
		p.word(-1, f, AppendQuoted(nil, []byte(x)), []byte(x))
	case bool:
		p.literal(f, fmt.Append(nil, x))
	case json.Number:
		p.number(f, []byte(x), numberOf(x))
	}
}

func (p *treeParser) features(f *field, v *node) bool {
	p.beginFeatures()
	if !v.object {
		if p.null = v.scalar == nil && !v.array; !p.null {
			p.failed.add(BadFeatures, -1, "no object")
		}
		return p.pass(v)
	}
	around, ok := p.enterFeatures(-1, f.prefix)
	if !ok {
		return false
	}
	ok = p.object(v, f.prefix)
	p.leaveFeatures(around)
	return ok
}

// array tells of an array of numbers or of strings.
func (p *treeParser) array(f *field, v *node) bool {
	words := len(v.members) > 0 && isText(v.members[0].value)
	fits := func(m member) bool {
		_, number := m.value.scalar.(json.Number)
		return words && isText(m.value) || !words && number
	}
	bad := slices.ContainsFunc(v.members, func(m member) bool { return !fits(m) })
	if bad && p.options.SkipUnknown {
		return p.pass(v)
	}
	in, ok := p.enterArray(-1, f)
	defer p.leave(in)
	for i, m := range v.members {
		switch {
		case !fits(m):
			p.unfit.add(BadFeatures, -1, "of several kinds")
			ok = ok && p.pass(m.value)
		case words:
			p.elementWord(in, []byte(m.value.scalar.(string)))
		default:
			p.elementNumber(in, i, []byte(m.value.scalar.(json.Number)), numberOf(m.value.scalar.(json.Number)))
		}
	}
	return ok
}

func isText(v *node) bool {
	_, text := v.scalar.(string)
	return text
}

// pass counts the levels of a value that has no meaning.
func (p *treeParser) pass(v *node) bool {
	if !v.object && !v.array {
		return true
	}
	if !p.deeper(-1) {
		return false
	}
	ok := true
	for _, m := range v.members {
		ok = ok && p.pass(m.value)
	}
	p.depth--
	return ok
}

// TestAnotherWalker: a walker over values that knows nothing of text makes the same examples behind the sink as the
// parser of JSON: features in the same order, id, label, weight and reason.
func TestAnotherWalker(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	same := 0
	for which, o := range fuzzOptions() {
		if o.AbsentNaN {
			continue // that is about how JSON is written
		}
		d, other := decoder(t, o), decoder(t, o)
		p := &treeParser{Decoder: other}
		other.parser = p
		other.template.fixed = true
		events := slices.Clone(jsonEvents)
		for range 3000 {
			events = append(events, randomTree(r, 0))
		}
		for _, event := range events {
			tree, _ := oracleTree(o, []byte(event))
			if tree == nil {
				continue
			}
			p.tree = tree
			if got, want := example(other, event), example(d, event); got != want {
				t.Fatalf("options %d, %s:\n%s\nwant\n%s", which, event, got, want)
			}
			same++
		}
	}
	if same < 20000 {
		t.Errorf("%d events compared", same)
	}
}

// example is what a decoder makes of an event, as text.
func example(d *Decoder, event string) string {
	var e Example
	d.Decode(&Record{Value: []byte(event)}, nil, &e)
	var b strings.Builder
	if fmt.Fprint(&b, e.reason(), e.Skip); e.reason() == OK {
		id := bytes.Clone(AppendID(nil, &e))
		fmt.Fprintf(&b, " id %s label %d %d weight %g", id, e.Label, e.Family, e.Weight)
	}
	for _, f := range walked(d, event) {
		fmt.Fprintf(&b, " %q %x %d", f.name, f.value, f.kind)
	}
	return b.String()
}

// randomTree is an object of the names and values that rules are about.
func randomTree(r *rand.Rand, depth int) string {
	one := func(of ...string) string { return of[r.IntN(len(of))] }
	var b strings.Builder
	b.WriteByte('{')
	for i := range r.IntN(6) {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:", one("a", "b", "x", "y", "z", "m", "p", "c", "d", "n", "s", "id", "label", "weight", "w",
			"features", "text", "msg", "price", "p.text", "m.id"))
		if depth < 4 && r.IntN(3) == 0 {
			b.WriteString(randomTree(r, depth+1))
			continue
		}
		b.WriteString(one("1", "-1", "0", "0.5", "1e31", "true", "false", "null", `"UP"`, `"down"`, `" "`, `"7.5"`,
			`"NA"`, `"Some Words"`, "[1,2,3]", `["u","v","u"]`, `[1,"u"]`, "[]", "[[1]]", "[{}]"))
	}
	b.WriteByte('}')
	return b.String()
}
