package survey

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// addJSON adds the fields of an event that the decoder has found to be well formed.
func (s *Survey) addJSON(value []byte) {
	top := gjson.ParseBytes(value)
	if !top.IsObject() {
		return
	}
	w := walk{survey: s, features: at(top, s.options.FeaturesField)}
	w.flat = w.features == 0
	w.object(top, "", "", w.flat)
}

// at returns where the member at a dotted path begins in the event, where a key may have dots itself; 0 without one.
func at(object gjson.Result, path string) (index int) {
	if path == "" || !object.IsObject() {
		return 0
	}
	object.ForEach(func(key, member gjson.Result) bool {
		if key.Str == path {
			index = member.Index
		} else if rest, ok := strings.CutPrefix(path, key.Str); ok && rest[0] == '.' {
			index = at(member, rest[1:])
		}
		return index == 0
	})
	return index
}

type walk struct {
	survey   *Survey
	features int  // where it begins in the event, 0 without one
	flat     bool // fields without another role are features
}

// object visits the members of an object at a path from the top; name is the prefix of its features.
func (w *walk) object(n gjson.Result, path, name string, features bool) {
	n.ForEach(func(key, member gjson.Result) bool {
		w.member(member, path+key.Str, name+key.Str, features)
		return true
	})
}

func (w *walk) member(n gjson.Result, path, name string, features bool) {
	if n.Index == w.features {
		if n.IsObject() {
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
	case n.IsObject() && r == feature:
		w.object(n, path+".", name+".", features)
		return
	case r == feature && !features:
		return
	}
	x := w.survey.fields.field(shown, path, r)
	switch o := &w.survey.options; {
	case x == nil:
	case r == feature && o.IsWord(name) && (n.Type == gjson.Number || n.Type == gjson.String):
		x.addText(n.String(), n.Raw)
	case r == feature && o.IsNumber(name) && n.Type == gjson.String:
		w.survey.addCell(x, strings.Trim(n.Str, " \t"), n.Raw, false, true)
	default:
		w.survey.fields.add(x, n)
	}
}

func (f *fields) add(x *field, n gjson.Result) {
	switch n.Type {
	case gjson.Null:
		x.nulls++
	case gjson.Number:
		if strings.ContainsAny(n.Raw, "NI") { // NaN or Infinity, which are absent
			x.nulls++
			return
		}
		f.addNumber(x, n.Raw, n.Num)
	case gjson.String:
		x.addGroups(n.Str, "")
		x.addText(n.Str, strconv.Quote(n.Str))
	case gjson.True, gjson.False:
		x.bools++
		x.see(n.Raw, false)
	default:
		x.addArray(n)
	}
}

// addArray adds an array, or an object that is no feature.
func (x *field) addArray(n gjson.Result) {
	members := n.Array()
	numbers, texts := 0, 0
	for i := range members {
		switch members[i].Type {
		case gjson.Number:
			numbers++
		case gjson.String:
			texts++
		}
	}
	if n.IsObject() || numbers != len(members) && texts != len(members) {
		x.objects++
		return
	}
	x.arrays++
	if x.example == "" && len(members) > 0 {
		x.example = "[" + clip(elementText(members[0])) + ", ...]"
	}
}

func elementText(n gjson.Result) string {
	if n.Type == gjson.String {
		return strconv.Quote(n.Str)
	}
	return n.Raw
}
