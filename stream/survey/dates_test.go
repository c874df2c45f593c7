package survey_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"rosenblatt/stream/event"
)

// dates are events of a date, as days since 1970, in no order.
func dates(n int) (events []string) {
	for i := range n {
		events = append(events, string(binary.AppendVarint([]byte{2}, int64(20_000+i*37%n))))
	}
	return events
}

// TestDatesOfASchema: numbers that are most likely dates are told as such, with the setting that reads them.
func TestDatesOfASchema(t *testing.T) {
	o := event.Defaults(event.Avro)
	o.Schema = `{"type":"record","name":"E","fields":[{"name":"label","type":"int"},
		{"name":"day","type":{"type":"int","logicalType":"date"}}]}`
	r := of(t, o, dates(400)...)
	const want = "day: days since 1970, or codes, as 20000: as numbers they have a size and an order; of a date " +
		"--time-parts day makes a feature of its day of the week, --categorical day makes words of them, " +
		"--ignore day leaves them out"
	if !strings.Contains(fmt.Sprint(r.Warnings), want) {
		t.Errorf("%v", r.Warnings)
	}
	o.TimeParts = []string{"day"}
	r = of(t, o, dates(400)...)
	if len(r.Warnings) != 0 {
		t.Errorf("%v", r.Warnings)
	}
}

// TestPartsOfTimes: the table of fields says which features a time has.
func TestPartsOfTimes(t *testing.T) {
	for value, want := range map[string]string{
		`"2026-11-27"`: "at.weekday", `"2026-11-27T22:05:00Z"`: "at.hour and at.weekday",
		`1764194700`: "at.hour and at.weekday",
	} {
		o := event.Defaults(event.JSON)
		o.TimeParts = []string{"at"}
		for _, f := range of(t, o, `{"label":1,"at":`+value+`}`).Fields {
			if f.Name == "at" && f.Becomes != want {
				t.Errorf("%s becomes %s, want %s", value, f.Becomes, want)
			}
		}
	}
	o := event.Defaults(event.Avro)
	o.Schema = `{"type":"record","name":"E","fields":[{"name":"label","type":"int"},
		{"name":"at","type":{"type":"int","logicalType":"date"}}]}`
	o.TimeParts = []string{"at"}
	if f := of(t, o, "\x02\x04").Fields[1]; f.Becomes != "at.hour and at.weekday, as far as its type has them" {
		t.Errorf("%+v", f)
	}
}
