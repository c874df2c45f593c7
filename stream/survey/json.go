package survey

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// node is a value of JSON. Members of an object keep their order.
type node struct {
	kind    json.Delim // '{', '[', or 0 of others
	scalar  any        // json.Number, string, bool or nil
	keys    []string
	members []*node // of an object, or the elements of an array
}

// addJSON adds the fields of an event that the decoder has found to be well formed.
func (s *Survey) addJSON(value []byte) {
	d := json.NewDecoder(bytes.NewReader(value))
	d.UseNumber()
	top, err := read(d)
	if err != nil || top.kind != '{' {
		return
	}
	w := walk{survey: s, features: top.at(s.options.FeaturesField)}
	w.flat = w.features == nil
	w.object(top, "", "", w.flat)
}

func read(d *json.Decoder) (*node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	n := &node{scalar: token}
	if n.kind, _ = token.(json.Delim); n.kind == 0 {
		return n, nil
	}
	for d.More() {
		if n.kind == '{' {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			n.keys = append(n.keys, key.(string)) // a key is nothing else
		}
		member, err := read(d)
		if err != nil {
			return nil, err
		}
		n.members = append(n.members, member)
	}
	_, err = d.Token()
	return n, err
}

// at returns the member at a dotted path, where a key may have dots itself; nil without one.
func (n *node) at(path string) *node {
	if path == "" || n.kind != '{' {
		return nil
	}
	for i, key := range n.keys {
		if key == path {
			return n.members[i]
		}
		if rest, ok := strings.CutPrefix(path, key+"."); ok {
			if found := n.members[i].at(rest); found != nil {
				return found
			}
		}
	}
	return nil
}

type walk struct {
	survey   *Survey
	features *node // nil without one
	flat     bool  // fields without another role are features
}

// object visits the members of an object at a path from the top; name is the prefix of its features.
func (w *walk) object(n *node, path, name string, features bool) {
	for i, key := range n.keys {
		w.member(n.members[i], path+key, name+key, features)
	}
}

func (w *walk) member(n *node, path, name string, features bool) {
	if n == w.features {
		if n.kind == '{' {
			w.object(n, path+".", "", true)
		}
		return
	}
	shown := name
	if !features {
		shown = path
	}
	r := w.survey.role(path, name)
	switch {
	case r == ignored:
		w.survey.fields.field(shown, path, r)
		return
	case n.kind == '{' && r == feature:
		w.object(n, path+".", name+".", features)
		return
	case r == feature && !features:
		return
	}
	if x := w.survey.fields.field(shown, path, r); x != nil {
		x.add(n)
	}
}

func (x *field) add(n *node) {
	switch v := n.scalar.(type) {
	case nil:
		x.nulls++
	case json.Number:
		f, _ := v.Float64() // the decoder has read it
		x.addNumber(v.String(), f)
	case string:
		x.addText(v, strconv.Quote(v))
	case bool:
		x.bools++
		x.see(strconv.FormatBool(v), false)
	default:
		x.addArray(n)
	}
}

// addArray adds an array, or an object that is no feature.
func (x *field) addArray(n *node) {
	numbers, texts := 0, 0
	for _, e := range n.members {
		switch e.scalar.(type) {
		case json.Number:
			numbers++
		case string:
			texts++
		}
	}
	if n.kind == '{' || numbers != len(n.members) && texts != len(n.members) {
		x.objects++
		return
	}
	x.arrays++
	if x.example == "" && len(n.members) > 0 {
		x.example = "[" + clip(elementText(n.members[0])) + ", ...]"
	}
}

func elementText(n *node) string {
	if s, ok := n.scalar.(string); ok {
		return strconv.Quote(s)
	}
	return n.scalar.(json.Number).String()
}
