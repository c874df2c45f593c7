package stream_test

import (
	"strings"
	"testing"

	"rosenblatt/stream"
	"rosenblatt/stream/board"
	"rosenblatt/stream/profile"
	"rosenblatt/stream/streamtest"
)

// TestFieldsAreProfiled: the status says what the fields of the events hold, beside a reference that is given once and
// kept in the checkpoint, also of a task that has handled nothing since, and no score depends on it.
func TestFieldsAreProfiled(t *testing.T) {
	t.Parallel()
	s := streamtest.New(t, streamtest.Start(t), 1)
	given := func(bound string) func(*stream.Task) {
		r, err := profile.ReadReference(strings.NewReader(`{"fields":[` +
			`{"name":"d","reference":{"events":9,"present":9,"numbers":9,"bounds":[` + bound + `],"bins":[4,5]}},` +
			`{"name":"gone","reference":{"events":9}}]}`))
		if err != nil {
			t.Fatal(err)
		}
		return func(task *stream.Task) { task.Config.FieldReference = r }
	}
	total := int64(0)
	run := func(adjust func(*stream.Task), values ...string) *board.Status {
		s.Adjust = adjust
		task, stop, _ := live(t, s)
		total += int64(len(values))
		if len(values) > 0 {
			s.Cluster.Produce(t, s.Name, 0, values...)
		}
		streamtest.Await(t, "all records", func() bool { return task.Status().Counts.Read == total })
		stop()
		s.Audit(t)
		return task.Status()
	}
	field := func(st *board.Status, name string) *profile.Field {
		for i := range st.Fields.Fields {
			if f := &st.Fields.Fields[i]; f.Name == name {
				return f
			}
		}
		t.Fatalf("no field %s: %+v", name, st.Fields)
		return nil
	}
	run(given("5"), events(1, 300)...)
	run(given("1"))
	st := run(nil, events(2, 300)...)
	if d := field(st, "d"); d.Reference == nil || d.Reference.Numbers != 9 || d.Reference.Bounds[0] != 1 {
		t.Errorf("the reference of the checkpoint is lost: %+v", d)
	}
	if gone := field(st, "gone"); gone.Now != nil && gone.Now.Present > 0 {
		t.Errorf("%+v", gone)
	}
	if st = run(func(task *stream.Task) { task.Config.NoFields = true }, events(3, 300)...); st.Fields != nil {
		t.Errorf("%+v", st.Fields)
	}
	if st = run(nil, events(4, 300)...); field(st, "d").Reference.Numbers != 9 {
		t.Error("a start without profiles has lost the reference")
	}
}
