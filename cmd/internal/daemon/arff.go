package daemon

import (
	"fmt"
	"slices"
	"strings"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/source"
	"rosenblatt/stream/event"
)

// OfFile completes the options by what the header of an ARFF file declares, where no setting says otherwise: the
// label, the last attribute, and the spellings of two labels; the field with the weights of rows. It returns what to
// tell about that, and the settings with which run reads the same events; both are empty for other files.
func (e *Events) OfFile(o *event.Options, t source.Table) (note, settings string) {
	if t.Label == "" {
		return "", ""
	}
	if e.LabelField == "" {
		o.LabelField = t.Label
		note = fmt.Sprintf("%q is the label (the last attribute; --label-field NAME takes another)", t.Label)
	}
	if e.WeightField == "" {
		o.WeightField = t.Weight
	}
	if _, there := t.Values[o.FeaturesField]; there && e.FeaturesField == "" {
		o.FeaturesField = "" // an attribute has the name
	}
	settings = "--label-field " + cli.Argument(o.LabelField)
	values := t.Values[o.LabelField]
	known := func(label string) bool {
		return slices.Contains([]string{"1", "+1", "-1", "0", "true", "false"}, label)
	}
	switch {
	case o.Task == event.Multiclass || len(values) > 2:
		settings += " --task " + event.Multiclass
		if o.Task != event.Multiclass && o.Positive == "" && len(o.LabelNames) == 0 {
			note += cli.When(note != "", "; ") + fmt.Sprintf("it has %d values: --task %s predicts them", len(values),
				event.Multiclass)
		}
	case len(o.LabelNames) > 0 || o.Positive != "" || len(values) < 2 || known(values[0]) && known(values[1]):
	default:
		o.LabelNames = values
		note = fmt.Sprintf("%slabel %q is negative, %q is positive (--label-names)", cli.When(note != "", note+"; "),
			values[0], values[1])
		separator := " "
		if strings.HasPrefix(values[0], "-") { // else it looks like a flag
			separator = "="
		}
		settings += " --label-names" + separator + cli.Argument(values...)
	}
	return note, settings
}
