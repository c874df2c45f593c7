package board

import (
	"bytes"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/stream/event"
	"rosenblatt/stream/labels"
	"rosenblatt/stream/topics"
)

// TestRejectionsAreLogged: the first of each reason at once, with what to set; then counts, once a minute and at the
// end.
func TestRejectionsAreLogged(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var text bytes.Buffer
		log := zerolog.New(&text)
		var r rejections
		o := event.Defaults(event.JSON)
		logged := func(want ...string) {
			t.Helper()
			lines := strings.Split(strings.TrimSuffix(text.String(), "\n"), "\n")
			if len(want) == 0 {
				lines = lines[1:]
			}
			for i := range max(len(lines), len(want)) {
				if i >= len(lines) || i >= len(want) || !strings.Contains(lines[i], want[i]) {
					t.Fatalf("the log has %s, want %q", text.String(), want)
				}
			}
			text.Reset()
		}
		label, syntax := event.NewError(event.BadLabel, "no label"), event.NewError(event.Syntax, "no JSON")
		r.report(&log, false)
		r.add(&log, topics.Place{Partition: 3, Offset: 41}, &o, nil, label)
		logged(`"reason":"bad-label","partition":3,"offset":41,"error":"no label","do":"--label-field NAME names`)
		for range 10 {
			r.add(&log, topics.Place{Partition: 3, Offset: 42}, &o, nil, label)
			r.report(&log, false)
		}
		logged()
		r.add(&log, topics.Place{Partition: 3, Offset: 42}, &o, nil, syntax)
		logged(`"reason":"syntax"`)
		time.Sleep(time.Minute)
		r.report(&log, false)
		logged(`"events":10,"reasons":{"bad-label":10},"within":"1m0s","message":"more events were rejected"`)
		r.add(&log, topics.Place{Partition: 3, Offset: 43}, &o, nil, syntax)
		r.report(&log, false)
		logged()
		r.report(&log, true)
		logged(`"events":1,"reasons":{"syntax":1}`)
		time.Sleep(time.Hour)
		r.report(&log, false)
		logged()
		if r.newest.InRow != 13 || r.newest.Last != event.Syntax {
			t.Errorf("%d in a row, %s", r.newest.InRow, r.newest.Last)
		}
	})
}

// TestAdviceForSeconds: where times are in 1970, more waiting mends nothing.
func TestAdviceForSeconds(t *testing.T) {
	log, o := zerolog.Nop(), event.Defaults(event.JSON)
	for seconds, want := range map[bool]string{true: labels.InMilliseconds,
		false: "raise --label-wait or, where too many events wait, --waiting-examples"} {
		r := rejections{labels: true}
		r.add(&log, topics.Place{}, &o, nil, labels.Late.Error(seconds))
		if r.newest.Advice != want {
			t.Errorf("seconds %v: %q", seconds, r.newest.Advice)
		}
	}
}

// TestAdviceIsOfWhatComes: settings do not bring back what was rejected, and the advice says so.
func TestAdviceIsOfWhatComes(t *testing.T) {
	log, o := zerolog.Nop(), event.Defaults(event.JSON)
	for value, again := range map[string]bool{"1 | a": true, "hello": false} {
		var r rejections
		r.add(&log, topics.Place{}, &o, []byte(value), &event.Error{Reason: event.Syntax})
		if strings.HasSuffix(r.newest.Advice, notAgain) != again {
			t.Errorf("%s: %q", value, r.newest.Advice)
		}
	}
}
