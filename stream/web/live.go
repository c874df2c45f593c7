package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"rosenblatt/stream/model"
	"rosenblatt/stream/profile"
	"rosenblatt/stream/survey"
)

const (
	maxPages     = 32              // at one time: each holds a connection
	pageEvery    = time.Second     // between updates
	pagePatience = 5 * time.Second // for a client to read one, else it is dropped
)

// live updates a page with server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). An
// update holds the changes since the last one. Updates are not queued: a slow page gets fewer, and one that does not
// read is dropped.
//
//	event: history    []historyBody, once, at the start
//	event: model      modelBody
//	event: summary    summaryBody
//	event: samples    samplesBody
//	event: first      firstBody
//	event: fields     fieldsBody
//	event: status     liveBody, every second, the last of an update
func (s *Server) live(w http.ResponseWriter, r *http.Request) {
	select {
	case s.pages <- struct{}{}:
		defer func() { <-s.pages }()
	default:
		w.Header().Set("Retry-After", "10")
		text(w, http.StatusServiceUnavailable, "too many pages are open\n")
		return
	}
	c := http.NewResponseController(w)
	// The server's limit is for a whole response: each update has its own.
	if err := c.SetWriteDeadline(time.Now().Add(s.pagePatience)); err != nil {
		text(w, http.StatusNotImplemented, "this connection cannot be kept open\n")
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no") // some proxies buffer otherwise
	tick := time.NewTicker(s.pageEvery)
	defer tick.Stop()
	var f feed
	for {
		update, err := f.next(s)
		if err != nil {
			s.Log.Error().Err(err).Msg("update of the page")
			return
		}
		if c.SetWriteDeadline(time.Now().Add(s.pagePatience)) != nil {
			return
		}
		if _, err := w.Write(update); err != nil || c.Flush() != nil {
			return // the client is gone, or too slow
		}
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return
		case <-s.running.Done():
			return
		}
	}
}

type feed struct {
	begun   bool
	epoch   int64
	learner string
	summary *summaryBody
	samples any // the *stream.Recent
	first   *survey.Report
	fields  *profile.Report
	weights *model.Summary // by which fields were sorted
}

func (f *feed) next(s *Server) ([]byte, error) {
	var b bytes.Buffer
	v := s.look()
	add := func(event string, body any) error {
		text, err := json.Marshal(body) // escapes line ends, and < > & as well
		if err != nil {
			return err
		}
		b.WriteString("event: " + event + "\ndata: ")
		b.Write(text)
		b.WriteString("\n\n")
		return nil
	}
	var errs []error
	if !f.begun {
		b.WriteString("retry: 2000\n")
		errs = append(errs, add("history", s.past.body()))
	}
	if known(v.Status) && (!f.begun || f.epoch != v.Epoch || f.learner != v.Learner) {
		errs = append(errs, add("model", s.modelBody(v)))
		f.epoch, f.learner = v.Epoch, v.Learner
	}
	if v.summary != nil && v.summary != f.summary {
		errs = append(errs, add("summary", v.summary))
		f.summary = v.summary
	}
	if v.Recent != nil && f.samples != any(v.Recent) {
		errs = append(errs, add("samples", samplesOf(v.Recent)))
		f.samples = v.Recent
	}
	if v.First != nil && f.first != v.First {
		errs = append(errs, add("first", firstBody(v.First)))
		f.first = v.First
	}
	if v.Fields != nil && (f.fields != v.Fields || f.weights != v.Summary) {
		errs = append(errs, add("fields", fieldsOf(v.Status)))
		f.fields, f.weights = v.Fields, v.Summary
	}
	f.begun = true
	errs = append(errs, add("status", s.liveBody(v)))
	return b.Bytes(), errors.Join(errs...)
}
