package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"rosenblatt/stream/event"
)

// linesOf reports whether each line of the body is an event.
func linesOf(r *http.Request, explain int) (bool, error) {
	text := r.URL.Query().Get("lines")
	if text == "" {
		return false, nil
	}
	lines, err := strconv.ParseBool(text)
	switch {
	case err != nil:
		return false, fmt.Errorf("lines=%q: want 1 for events in lines, or 0 for one event", text)
	case lines && r.URL.Query().Has("schema"):
		return false, errors.New("schema is for one event: leave lines out")
	case lines && explain > 0:
		return false, errors.New("explain is for one event: leave lines out")
	}
	return lines, nil
}

// maxLines bounds the response to events in lines, in bytes: two bytes of a request may get a thousand scores.
const maxLines = 16 << 20

// predictLines predicts events in lines with one copy of the model. Each gets a line in the response, at its place:
// the response to it alone, or why it is rejected. Blank lines are none.
func (s *Server) predictLines(w http.ResponseWriter, r *http.Request, values []byte) {
	var out bytes.Buffer
	err := s.withModel(r, func() error {
		by := s.models.decoderOf(r)
		if !s.models.isText(by) {
			return event.NewError(event.Syntax, "events in lines are in json: send Content-Type: application/json")
		}
		charset, err := s.models.charsetOf(r)
		if err != nil {
			return err
		}
		if charset != nil && !charset.Lines { // as UTF-16: its line ends are none before it is decoded
			if values, err = inUTF8(charset, values); err != nil {
				return err
			}
			charset = nil
		}
		to, blanks := json.NewEncoder(&out), s.models.copy.Config.Decode.BlankBytes()
		for line := range bytes.Lines(values) {
			line = bytes.TrimRight(line, "\r\n")
			if len(bytes.Trim(line, blanks)) == 0 {
				continue
			}
			if err := s.predictLine(to, by, charset, line); err != nil {
				return err
			}
			if out.Len() > maxLines {
				const text = "the response has more than %d bytes: send fewer lines"
				return event.NewError(event.TooLarge, fmt.Sprintf(text, maxLines))
			}
		}
		return nil
	})
	if err != nil {
		s.refuse(w, err)
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	_, _ = w.Write(out.Bytes())
}

// predictLine predicts one event. The caller has the model.
func (s *Server) predictLine(to *json.Encoder, by *event.Decoder, charset *event.Charset, value []byte) error {
	var body *predictBody
	value, err := inUTF8(charset, value)
	if err == nil {
		body, err = s.models.predict(by, &event.Record{Value: value}, 0)
	}
	var rejected *event.Error
	switch {
	case errors.As(err, &rejected):
		return to.Encode(refusalBody{rejected.Reason.String(), rejected.Message()})
	case errors.Is(err, errSkipped):
		return to.Encode(refusalBody{"skipped", err.Error()})
	case err != nil:
		return err
	}
	return to.Encode(body)
}
