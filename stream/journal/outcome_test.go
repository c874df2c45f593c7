package journal_test

import (
	"reflect"
	"strings"
	"testing"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
)

func outcome(k journal.Kind) *journal.Outcome {
	o := &journal.Outcome{Kind: k, ID: []byte(`"e1"`), Of: 42, Prediction: []byte("1"), Score: 0.8312, Partition: 5,
		Offset: 41, Time: 1795257554199, Seq: 43, Model: "events@3"}
	if k.ByLabel() {
		o.LabelPartition, o.LabelOffset, o.Delay = 2, 17, 61234
	}
	if k.ByLabel() || k == journal.Assumed {
		o.Label = []byte("-1")
	}
	if k == journal.Labelled || k == journal.Assumed {
		o.Scored, o.Mistake, o.Updated, o.ScoreNow = true, true, true, 0.61
	}
	return o
}

// TestOutcome: every kind of outcome is read as it was written, and parsed as an entry of its topic.
func TestOutcome(t *testing.T) {
	x := journal.NewOutcomeEncoder("events", 3)
	want := `{"id":"e1","outcome":"labelled","label":-1,"prediction":1,"score":0.8312,"mistake":true,"updated":true,` +
		`"scoreNow":0.61,"delay":61234,"partition":5,"offset":41,"time":1795257554199,"of":42,"labelPartition":2,` +
		`"labelOffset":17,"seq":43,"model":"events@3"}`
	if got := string(x.Append(nil, outcome(journal.Labelled), 43)); got != want {
		t.Errorf("%s", got)
	}
	for k := journal.DuplicateID; k <= journal.Evicted; k++ {
		o := outcome(k)
		value := x.Append(nil, o, 43)
		got, err := journal.ParseOutcome(value)
		if err != nil || !reflect.DeepEqual(got, o) {
			t.Errorf("%s: %+v, %v", value, got, err)
		}
		r := &topics.Record{Value: value, Key: []byte("k")}
		e := journal.Parse(topics.Outcomes, 1, r, "events")
		if e.Kind != k || e.Topic != k.Topic() || e.Seq != 43 || e.Epoch != 3 || e.Score != 0.8312 || e.Offset != 41 {
			t.Errorf("%s: %+v", value, e)
		}
		for topic, model := range map[topics.Topic]string{topics.Output: "events", topics.Outcomes: "others"} {
			if e := journal.Parse(topic, 1, r, model); e.Kind != journal.Foreign || e.Why == nil || e.Topic != topic {
				t.Errorf("%s in topic %v: %+v", value, topic, e)
			}
		}
		journal.Shorten(r)
		if got, err = journal.ParseOutcome(r.Value); err != nil || got.ID != nil || got.Of != 42 || r.Key != nil {
			t.Errorf("%s: %+v, %v", r.Value, got, err)
		}
	}
}

// TestNoOutcome: what is not an outcome as this program writes it, is none.
func TestNoOutcome(t *testing.T) {
	x := journal.NewOutcomeEncoder("events", 3)
	for name, row := range map[string]struct {
		kind     journal.Kind
		old, new string
	}{
		"cut":                      {journal.Expired, `}`, ``},
		"no kind":                  {journal.Expired, `"outcome":"expired",`, ``},
		"another kind":             {journal.Expired, `"expired"`, `"prediction"`},
		"seq 0":                    {journal.Expired, `"seq":43`, `"seq":0`},
		"of a later one":           {journal.Expired, `"of":42`, `"of":43`},
		"of none":                  {journal.Expired, `"of":42,`, ``},
		"a duplicate far behind":   {journal.DuplicateID, `"of":42`, `"of":41`},
		"no prediction":            {journal.Expired, `"prediction":1,`, ``},
		"no place":                 {journal.Expired, `"offset":41,`, ``},
		"no model":                 {journal.Expired, `@3`, ``},
		"a label too much":         {journal.Expired, `"prediction"`, `"label":1,"prediction"`},
		"a label too few":          {journal.Assumed, `"label":-1,`, ``},
		"a mistake alone":          {journal.Labelled, `"scoreNow":0.61,`, ``},
		"a mistake of nothing":     {journal.Expired, `"updated"`, `"mistake":true,"scoreNow":1,"updated"`},
		"a label's place":          {journal.Expired, `"seq"`, `"labelPartition":2,"labelOffset":17,"seq"`},
		"no label's place":         {journal.Gone, `"labelOffset":17,`, ``},
		"a label's place below 0":  {journal.Gone, `"labelOffset":17`, `"labelOffset":-1`},
		"no delay":                 {journal.Gone, `"delay":61234,`, ``},
		"a delay without a label":  {journal.Expired, `"partition"`, `"delay":5,"partition"`},
		"a partition out of range": {journal.Expired, `"partition":5`, `"partition":5000000000`},
	} {
		value := string(x.Append(nil, outcome(row.kind), 43))
		forged := strings.Replace(value, row.old, row.new, 1)
		if o, err := journal.ParseOutcome([]byte(forged)); err == nil || forged == value {
			t.Errorf("%s: %s: %+v", name, forged, o)
		}
	}
}

// TestOutcomeLayout: a layout with outcomes is one that versions without outcomes refuse; without them it is as it was.
func TestOutcomeLayout(t *testing.T) {
	l := layout(5, 1, 2)
	plain := len(l.Header().Value)
	for k := journal.DuplicateID; k <= journal.Evicted; k++ {
		l.AddOutcome(outcome(k), 3)
	}
	h := l.Header()
	got, err := journal.ParseLayout(h.Value)
	if err != nil || !reflect.DeepEqual(got, l) || got.Outcomes != 3 {
		t.Errorf("%+v, %v", got, err)
	}
	want := []journal.Run{{journal.Predicted, 1, 2}, {journal.DuplicateID, 5, 1}, {journal.Labelled, 2, 1},
		{journal.Gone, 2, 1}, {journal.Assumed, 0, 1}, {journal.Expired, 0, 1}, {journal.Evicted, 0, 1}}
	if !reflect.DeepEqual(got.Runs, want) {
		t.Errorf("%v", got.Runs)
	}
	if len(h.Value) != plain+3*6+1 {
		t.Errorf("%d bytes", len(h.Value))
	}
	if l, err := journal.ParseLayout(h.Value[:len(h.Value)-1]); err == nil {
		t.Errorf("without the number of partitions: %+v", l)
	}
	if l, err := journal.ParseLayout([]byte{1, 1, byte(journal.Evicted) + 1, 0, 1, 1}); err == nil {
		t.Errorf("of an unknown kind: %+v", l)
	}
}
