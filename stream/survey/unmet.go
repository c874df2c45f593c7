package survey

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"rosenblatt/stream/event"
)

// enough events have been accepted for a field that none of them has to be worth a word.
const enough = 10

// unmet tells of names in the settings that no event has: what they are for has no effect.
func (s *Survey) unmet() (out []string) {
	accepted := s.events - s.skipped - s.rejections()
	//mutation:unmet-names
	if accepted < enough || s.fields.more > 0 || s.format.Cells != nil { // the names of columns are checked
		return nil
	}
	o := &s.options
	var crossed []string
	for _, cross := range o.Cross {
		crossed = append(crossed, strings.Split(cross, "*")...)
	}
	named := map[string]bool{}
	for _, x := range []struct {
		setting string
		parts   []string
	}{{"cross", crossed}, {"log", o.Log}, {"ignore", o.Ignore}, {"categorical", o.Categorical}, {"numeric", o.Numeric},
		{"time-parts", o.TimeParts}} {
		for _, part := range x.parts {
			if named[part] || s.hasField(part) {
				continue
			}
			named[part] = true
			out = append(out, fmt.Sprintf("none of %d events has the feature %q of --%s%s", accepted, part, x.setting,
				s.namespaces(part)))
		}
	}
	return out
}

func (s *Survey) hasField(part string) bool {
	return slices.ContainsFunc(s.fields.all, func(x *field) bool {
		return s.options.Takes(part, x.name) || s.options.Takes(part, x.path)
	})
}

// namespaces lists those of vw.
func (s *Survey) namespaces(part string) string {
	if s.options.Format != event.VW {
		return ""
	}
	var names []string
	example := ""
	for _, x := range s.fields.all {
		namespace, _, in := strings.Cut(x.name, "^")
		if namespace += "^"; in && !slices.Contains(names, namespace) {
			names, example = append(names, namespace), cmp.Or(example, x.name)
		}
	}
	const few = 10
	switch {
	case len(names) == 0:
		return "; no feature has a namespace"
	case len(names) > few:
		names = append(names[:few], "...")
	}
	text := "; the namespaces are " + strings.Join(names, ", ")
	if !strings.HasSuffix(part, "^") {
		text += ", and a feature of one is " + example
	}
	return text
}
