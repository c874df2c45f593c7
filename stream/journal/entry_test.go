package journal_test

import (
	"reflect"
	"testing"

	"rosenblatt/stream/journal"
	"rosenblatt/stream/topics"
)

// TestParse: a value as it is written says the same as its JSON, and what is no prediction of the model is foreign.
func TestParse(t *testing.T) {
	r := &topics.Record{Offset: 99}
	want := journal.Entry{Kind: journal.Predicted, Topic: topics.Output, Output: 3, Record: r, Partition: 3, Offset: 41,
		Seq: 42, Epoch: 7}
	for _, text := range []string{
		`{"prediction":1,"score":0.5,"updated":false,"partition":3,"offset":41,"time":1795257554199,"seq":42,` +
			`"model":"m@7"}`,
		`{"id":"a","prediction":"m@8","score":1,"updated":true,"partition":3,"offset":41,"time":0,"seq":42,` +
			`"model":"m@7"}`,
		`{"prediction":-1,"score":1,"partition":3,"offset":41,"time":9223372036854775807,"seq":42,"model":"m@7"}`,
		`{"id":7,"prediction":null,"score":-1e-7,"scores":{"\\"":1},"partition":3,"offset":41,"time":0,"seq":42,` +
			`"model":"m@7"}`,
		`{"prediction":"a","score":1,"scores":{"a":1,"partition":9,"offset":8},"partition":3,"offset":41,"time":0,` +
			`"seq":42,"model":"m@7"}`,
		`{"short":true,"prediction":1,"score":0,"partition":3,"offset":41,"time":0,"seq":42,"model":"m@7"}`,
		`{"id":{"prediction":1,"score":2},"prediction":1,"partition":3,"offset":41,"time":0,"seq":42,"model":"m@7"}`,
		`{"id":",\"partition\":9","prediction":1,"partition":3,"offset":41,"time":0,"seq":42,"model":"m@7"}`,
		`{"seq":42, "model":"m@7", "partition":3, "offset":41}`,
		`{"partition":3,"offset":41,"time":-5,"seq":42,"model":"m@7"}`,
	} {
		r.Value = []byte(text)
		for _, model := range []string{"m", ""} {
			got := journal.Parse(topics.Output, 3, r, model)
			if got.Score = 0; !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %+v", text, got)
			}
		}
	}
	for _, text := range []string{
		``, `hello`, `{}`, `null`,
		`{"partition":3,"offset":41,"time":1,"seq":0,"model":"m@7"}`,
		`{"partition":3,"offset":41,"time":1,"seq":42,"model":"other@7"}`,
		`{"partition":3,"offset":41,"time":1,"seq":42,"model":"m2@7"}`,
		`{"partition":3,"offset":41,"time":1,"seq":42,"model":"m@7"`,
		`{"partition":3,"offset":41,"time":1,"seq":42,"model":"m"}`,
		`{"partition":99999999999,"offset":41,"time":1,"seq":42,"model":"m@7"}`,
		`{"prediction":1,"score":0,"partition":2147483648,"offset":41,"time":1,"seq":42,"model":"m@7"}`,
		`{"prediction":1,"score":0,"partition":3,"offset":18446744073709551657,"time":1,"seq":42,"model":"m@7"}`,
		`{"prediction":1,"score":0,"partition":3,"offset":9223372036854775808,"time":1,"seq":42,"model":"m@7"}`,
		`{"prediction":1,"score":0,"partition":3,"offset":,"time":1,"seq":42,"model":"m@7"}`,
		`{"prediction":,"score":0,"partition":3,"offset":41,"time":1,"seq":42,"model":"m@7"}`,
	} {
		r.Value = []byte(text)
		got := journal.Parse(topics.Output, 3, r, "m")
		if got.Kind != journal.Foreign || got.Why == nil || got.Record != r {
			t.Errorf("%s: %+v", text, got)
		}
	}
}

// BenchmarkParse is a prediction as the daemon writes it.
func BenchmarkParse(b *testing.B) {
	r := &topics.Record{Value: []byte(`{"id":"e123456","prediction":-1,"score":-0.8312345678,"label":1,` +
		`"mistake":true,"updated":true,"partition":63,"offset":123456,` +
		`"time":1795257554199,"seq":7654321,"model":"spam@17"}`)}
	b.ReportAllocs()
	for b.Loop() {
		if e := journal.Parse(topics.Output, 63, r, "spam"); e.Seq != 7654321 {
			b.Fatal(e)
		}
	}
}
