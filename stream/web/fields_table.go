package web

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"rosenblatt/learner"
	"rosenblatt/stream/board"
	"rosenblatt/stream/profile"
)

const (
	shownProfiled = 60  // fields on the page, in order
	maxFieldText  = 120 // bytes of what one held
	shownChanges  = 5
)

// fieldsBody is what fields hold now, beside what they held before and in the reference.
type fieldsBody struct {
	Events int64       `json:"events"` // profiled by this process
	Fields []fieldBody `json:"fields"` // those that moved most, and weigh most, first
	Hidden int         `json:"hidden"`
	Window int         `json:"window"`
	Before bool        `json:"before"` // there is a window before the newest one
	// The latest changes, the newest first, also those that are over.
	Changes []changeBody `json:"changes"`
}

type changeBody struct {
	Name    string `json:"name"`
	Between string `json:"between"`
	Text    string `json:"text"`
	Until   string `json:"until,omitempty"` // empty: it still alerts
}

type fieldBody struct {
	Name      string         `json:"name"`
	Share     float64        `json:"share"`   // of what decides: see fieldShares
	Present   float64        `json:"present"` // share of the events that have it
	Now       string         `json:"now"`
	Was       string         `json:"was"` // before
	Reference string         `json:"reference"`
	Shift     profile.Shifts `json:"shift"`
	NewWords  *float64       `json:"new_words"`
	Alert     profile.Alert  `json:"alert"`
}

// fieldsOf is the table of fields, sorted by shift times the field's share of what decides. Fields that alert come
// first: one that is rarer has no shift.
func fieldsOf(st *board.Status) *fieldsBody {
	shares := fieldShares(st)
	b := &fieldsBody{Events: st.Fields.Events, Fields: []fieldBody{}, Changes: []changeBody{},
		Window: profile.Window}
	var order []float64
	for i := range st.Fields.Fields {
		f := &st.Fields.Fields[i]
		if f.Now == nil {
			continue
		}
		b.Before = b.Before || f.Before != nil
		b.Fields = append(b.Fields, fieldBody{Name: clip(f.Name, maxName), Share: shares[f.Name],
			Present: f.Now.PresentRatio(), Now: clip(f.Now.Text(), maxFieldText),
			Was: clip(f.Before.Text(), maxFieldText), Reference: clip(f.Reference.Text(), maxFieldText),
			Shift: f.Shift, NewWords: f.NewWords, Alert: f.Alert})
		order = append(order, shares[f.Name]*max(valueOf(f.Shift.Before), valueOf(f.Shift.Reference)))
	}
	at := make(map[string]float64, len(order))
	for i, x := range b.Fields {
		at[x.Name] = order[i]
	}
	slices.SortStableFunc(b.Fields, func(x, y fieldBody) int {
		return cmp.Or(cmp.Compare(truth(y.Alert != ""), truth(x.Alert != "")), cmp.Compare(at[y.Name], at[x.Name]),
			cmp.Compare(y.Share, x.Share))
	})
	for _, c := range slices.Backward(st.Fields.Changes) {
		if len(b.Changes) == shownChanges {
			break
		}
		x := changeBody{Name: clip(c.Field, maxName), Between: c.Between(), Text: c.Text()}
		if !c.Until.IsZero() {
			x.Until = c.Until.Format(time.RFC3339)
		}
		b.Changes = append(b.Changes, x)
	}
	b.Hidden = max(0, len(b.Fields)-shownProfiled)
	b.Fields = b.Fields[:len(b.Fields)-b.Hidden]
	return b
}

// valueOf is 0 where nothing is known.
func valueOf(x *float64) float64 {
	if x == nil {
		return 0
	}
	return *x
}

// fieldShares estimates the share of each field of the mean |w·x| over the profiled events: from the largest weights of
// the newest checkpoint's model, how many of the events have a feature, and how large it is as scaled. Features without
// a known name are not among them.
func fieldShares(st *board.Status) map[string]float64 {
	sums, all := map[string]float64{}, 0.0
	if st.Summary == nil {
		return sums
	}
	fields := map[string]*profile.Summary{}
	for i := range st.Fields.Fields {
		fields[st.Fields.Fields[i].Name] = st.Fields.Fields[i].Now
	}
	for _, class := range st.Summary.Weights {
		for _, w := range class.Top {
			name := fieldOf(w.Name)
			if now := fields[name]; now != nil {
				x := math.Abs(w.Weight) * meanSize(now, w.Name, st.Config.Learner.Scale)
				sums[name] += x
				all += x
			}
		}
	}
	for name := range sums {
		sums[name] /= max(all, math.SmallestNonzeroFloat64)
	}
	return sums
}

// meanSize estimates the mean magnitude of a feature of a field over all events, those without it included.
func meanSize(now *profile.Summary, feature, scale string) float64 {
	if _, word, is := strings.Cut(feature, "="); is {
		n := 0
		for _, w := range now.Top {
			if w.Text == word {
				n = w.Count
			}
		}
		if n == 0 && now.Distinct > len(now.Top) { // one of the others, which share the rest
			n = (now.Words + now.Booleans) / max(1, now.Distinct)
		}
		return float64(n) / float64(max(1, now.Events))
	}
	size := math.Hypot(now.Mean, now.Deviation)
	switch scale {
	case learner.ScaleStandard: // its own deviation is about what it is divided by
		size = 1
	case learner.ScaleMaxAbs:
		size /= max(math.Abs(now.Least), math.Abs(now.Greatest), math.SmallestNonzeroFloat64)
	}
	return size * now.PresentRatio()
}
