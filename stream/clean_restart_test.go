package stream_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"rosenblatt/stream/model"
	"rosenblatt/stream/streamtest"
)

// TestCleanRestarts: what has ended in order learns nothing again when it starts, with new events and without, and has
// the same model.
func TestCleanRestarts(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 2)
	var before []byte
	for round, events := range []int{0, 0, 20, 0, 20, 0} {
		if events > 0 {
			for p := range 2 {
				s.Cluster.Produce(t, s.Name, p, good(events)...)
			}
		}
		st := s.MustRun(t).Status()
		if st.Recovered.Predictions != 0 {
			t.Errorf("round %d: %d predictions were learned again", round, st.Recovered.Predictions)
		}
		_, f := headerOf(t, s)
		h, proc, err := model.Read(f)
		if err != nil {
			t.Fatal(err)
		}
		now, err := json.Marshal([]any{proc.Report(), h.Positions, h.Seq})
		if err != nil {
			t.Fatal(err)
		}
		if same := bytes.Equal(now, before); same != (events == 0 && round > 0) {
			t.Errorf("round %d: %s, and %s before", round, now, before)
		}
		before = now
	}
	s.Audit(t)
}
