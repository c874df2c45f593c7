package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"

	"rosenblatt/stream/profile"
)

// The metrics of fields; others have none of them. They are of the newest whole window.
var (
	fieldShift = gauge("field_shift", "How far the values of a field are from those before, or from the reference: "+
		"under 0.1 none, over 0.25 large. Of the 50 fields with the largest weights, as all that is by field.",
		"field", "against")
	fieldPresent  = gauge("field_present_ratio", "Share of the events that have a field, 0 to 1.", "field")
	fieldNewWords = gauge("field_new_words_ratio",
		"Share of the words of a field that the reference does not have, 0 to 1.", "field")
	fieldsAlerting = gauge("fields_alerting", "Fields that are not as they were in the windows before.")
	fieldAlerting  = gauge("field_alerting", "1 for a field that is not as it was in the windows before, 0 for "+
		"others. Also of 50 fields that alert and have small weights.", "field")
)

// maxFieldMetrics bounds the fields in the metrics.
const maxFieldMetrics = 50

// profile serves what the fields hold, as replay --profile writes it.
func (s *Server) profile(w http.ResponseWriter, _ *http.Request) {
	fields := s.look().Fields
	if fields == nil {
		text(w, http.StatusNotFound, "no profile: the fields of events are profiled by the daemon that predicts, "+
			"unless it has --no-profile\n")
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = fields.WriteJSON(w) // an error means that the client is gone
}

// setReference makes what the fields hold now the reference.
func (s *Server) setReference(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), s.ReadTimeout)
	defer cancel()
	switch err := s.Task.SetFieldReference(ctx); {
	case errors.Is(err, profile.ErrNoWindow):
		text(w, http.StatusConflict, fmt.Sprintf("no reference was set: %v, it takes %d events\n", err, profile.Window))
	case err != nil:
		text(w, http.StatusConflict, fmt.Sprintf("no reference was set: %v\n", err))
	default:
		s.Log.Info().Msg("the newest window of the fields is the reference from now on, by a request")
		text(w, http.StatusOK, fmt.Sprintf("the newest %d events are the reference from now on\n", profile.Window))
	}
}

// fieldMetrics sends what is known of fields.
func fieldMetrics(g gather, v *view) {
	if v.Fields == nil {
		return
	}
	alerting := v.Fields.Alerting()
	g.send(fieldsAlerting, float64(len(alerting)))
	for _, f := range alerting[:min(len(alerting), maxFieldMetrics)] {
		g.send(fieldAlerting, 1, f.Name)
	}
	for _, f := range v.weightiest(v.Fields.Briefs()) {
		g.send(fieldPresent, f.Present, f.Name)
		if f.Alert == "" {
			g.send(fieldAlerting, 0, f.Name)
		}
		if s := f.Shift.Before; s != nil {
			g.send(fieldShift, *s, f.Name, "before")
		}
		if s := f.Shift.Reference; s != nil {
			g.send(fieldShift, *s, f.Name, "reference")
		}
		if n := f.NewWords; n != nil {
			g.send(fieldNewWords, *n, f.Name)
		}
	}
}

// weightiest returns the fields with the largest weights, and then those whose weights are not among the largest.
func (v *view) weightiest(all []profile.Brief) []profile.Brief {
	weights := map[string]float64{}
	if v.Summary != nil {
		for _, class := range v.Summary.Weights {
			for _, w := range class.Top {
				name := fieldOf(w.Name)
				weights[name] = max(weights[name], math.Abs(w.Weight))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b profile.Brief) int { return cmp.Compare(weights[b.Name], weights[a.Name]) })
	return all[:min(maxFieldMetrics, len(all))]
}

// fieldOf is the field of a feature: of f=word, f[2] and, in vw, f^x it is f.
func fieldOf(feature string) string {
	if i := strings.IndexAny(feature, "=[^"); i > 0 {
		return feature[:i]
	}
	return feature
}

// changedFields says which fields alert.
func (v *view) changedFields() (out []string) {
	if v.Fields == nil {
		return nil
	}
	for _, f := range v.Fields.Alerting() {
		what := "its values are not distributed as before"
		switch f.Alert {
		case profile.Rarer:
			what = "less than half as many of the events have it as before"
		case profile.Oftener:
			what = "more than twice as many of the events have it as before"
		}
		out = append(out, oneLine(fmt.Sprintf("the field %q changed%s: %s", f.Name, f.Between(), what)))
	}
	return out
}
