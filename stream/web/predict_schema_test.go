package web

import (
	"context"
	"encoding/base64"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"rosenblatt/stream/event"
	"rosenblatt/stream/schema"
)

// answering is a registry that knows some ids, unless it is away.
type answering struct {
	schemas map[schema.ID]*schema.Schema
	away    bool
	asked   atomic.Int64
}

func (a *answering) Get(ctx context.Context, id schema.ID) (*schema.Schema, error) {
	if a.asked.Add(1); a.away {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return a.schemas[id], nil
}

func priceSchema(kind string) *schema.Schema {
	return &schema.Schema{Type: schema.Avro, Text: `{"type":"record","name":"E","fields":[{"name":"features","type":` +
		`{"type":"record","name":"F","fields":[{"name":"price","type":"` + kind + `"},` +
		`{"name":"market","type":"string"}]}}]}`}
}

// What is posted to a model of framed events.
const (
	rawBytes  = "application/octet-stream"
	priceForm = `{"features":{"price":1.5,"market":"m1"}}`
	inFloat   = "\x00\x00\xc0\x3f\x04m1"
	inDouble  = "\x00\x00\x00\x00\x00\x00\xf8\x3f\x04m1"
	otherGUID = "0a1b2c3d-0000-4000-8000-00000000000f"
)

// framedServer is that of a model of framed events in avro, which knows schema 7.
func framedServer(t *testing.T, envelope string) (*Server, *schema.Known) {
	known := &schema.Known{}
	if err := known.Load([]schema.Entry{{ID: schema.ID{Number: 7}, Schema: priceSchema("float")}}); err != nil {
		t.Fatal(err)
	}
	task := newTask(t)
	o := &task.fixed.Decode
	o.Format, o.Envelope, o.Framed, o.Schemas = event.Avro, envelope, false, known
	s, _ := newServer(task)
	return s, known
}

func post(s *Server, query, kind, body string) (int, string) {
	w := ask(s, "POST", "/predict"+query, body, "Content-Type: "+kind)
	return w.Code, w.Body.String()
}

// TestPredictSchema: the schema of a body is in its frame, or named beside it. One that the model does not know is
// asked for, and is no part of the model.
func TestPredictSchema(t *testing.T) {
	s, known := framedServer(t, "")
	other, _ := schema.ParseID(otherGUID)
	r := &answering{schemas: map[schema.ID]*schema.Schema{{Number: 8}: priceSchema("double"),
		other: priceSchema("float"), {Number: 9}: {Type: schema.Avro, Fault: "broken"}}}
	s.Registry = r
	_, want := post(s, "", "application/json", priceForm)
	if !strings.Contains(want, `"score"`) {
		t.Fatal(want)
	}
	for _, c := range [][2]string{{"", "\x00\x00\x00\x00\x07" + inFloat}, {"?schema=7", inFloat},
		{"?schema=8", inDouble}, {"", "\x00\x00\x00\x00\x08" + inDouble}, {"?schema=" + otherGUID, inFloat},
		{"?schema=7", inFloat}} {
		if code, got := post(s, c[0], rawBytes, c[1]); code != http.StatusOK || got != want {
			t.Errorf("%s %q: %d %s", c[0], c[1], code, got)
		}
	}
	if r.asked.Load() != 3 || known.Size() != 1 {
		t.Errorf("%d schemas were asked for, the model knows %d", r.asked.Load(), known.Size())
	}
	for _, c := range []struct{ query, kind, body, want string }{
		{"?schema=6", rawBytes, inFloat, `"unknown-schema"`},
		{"?schema=9", rawBytes, inFloat, `"bad-schema"`},
		{"", rawBytes, priceForm, `"frame","error":"` + schema.NoFrame + "; of an event in json say so with"},
		{"?schema=7", rawBytes, inDouble, `"syntax"`},
		{"?schema=prices", rawBytes, inFloat, `"bad-schema-parameter"`},
		{"?schema=7", "application/json", priceForm, `"bad-schema-parameter"`},
		{"?schema=7&lines=1", "application/json", priceForm, `"bad-lines"`},
		{"", rawBytes, "\x03" + inFloat, `"frame"`},
		{"", rawBytes, inFloat, `"unknown-schema"`}, // it begins as a frame does
	} {
		code, got := post(s, c.query, c.kind, c.body)
		if code != http.StatusBadRequest || !strings.Contains(got, `"reason":`+c.want) {
			t.Errorf("%s %q: %d %s", c.query, c.body, code, got)
		}
	}
	s, _ = newServer(newTask(t))
	if code, got := post(s, "?schema=7", "text/plain", priceForm); code != http.StatusBadRequest ||
		!strings.Contains(got, "bad-schema-parameter") {
		t.Errorf("events in json: %d %s", code, got)
	}
}

// TestPredictRegistryAway: a request waits five seconds for a registry, and the lock of the model is not held
// meanwhile. What the model knows is predicted.
func TestPredictRegistryAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := framedServer(t, "")
		s.Registry = &answering{away: true}
		waits := make(chan string)
		for _, query := range []string{"?schema=5", "?schema=" + otherGUID} {
			go func() {
				w := ask(s, "POST", "/predict"+query, inFloat, "Content-Type: "+rawBytes)
				if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
					t.Errorf("%d %v", w.Code, w.Header())
				}
				waits <- w.Body.String()
			}()
		}
		synctest.Wait()
		if code, got := post(s, "?schema=7", rawBytes, inFloat); code != http.StatusOK {
			t.Errorf("a schema that is known: %d %s", code, got)
		}
		for range 2 {
			if got := <-waits; !strings.Contains(got, `"reason":"registry"`) {
				t.Error(got)
			}
		}
		s.Registry = nil
		if code, got := post(s, "?schema=5", rawBytes, inFloat); code != http.StatusBadRequest ||
			!strings.Contains(got, "unknown-schema") {
			t.Errorf("no registry: %d %s", code, got)
		}
	})
}

// TestPredictSchemaInEnvelope: of CloudEvents a body is the data, or one in json with the data in it.
func TestPredictSchemaInEnvelope(t *testing.T) {
	s, _ := framedServer(t, event.CloudEvents)
	s.Registry = &answering{schemas: map[schema.ID]*schema.Schema{{Number: 8}: priceSchema("double")}}
	_, want := post(s, "", "application/json", priceForm)
	whole := func(data string) string {
		return `{"specversion":"1.0","data_base64":"` + base64.StdEncoding.EncodeToString([]byte(data)) + `"}`
	}
	const cloud = "application/cloudevents+json"
	for _, c := range [][3]string{{"?schema=8", rawBytes, inDouble}, {"", rawBytes, "\x00\x00\x00\x00\x08" + inDouble},
		{"", cloud, whole("\x00\x00\x00\x00\x08" + inDouble)}} {
		if code, got := post(s, c[0], c[1], c[2]); code != http.StatusOK || got != want {
			t.Errorf("%v: %d %s, want %s", c, code, got, want)
		}
	}
	if code, got := post(s, "?schema=8", cloud, whole(inDouble)); code != http.StatusBadRequest ||
		!strings.Contains(got, "bad-schema-parameter") {
		t.Errorf("%d %s", code, got)
	}
}

// TestPredictSchemaProtobuf: the body is the first message of the schema; an empty one is that of its defaults.
func TestPredictSchemaProtobuf(t *testing.T) {
	s, known := framedServer(t, "")
	o := &s.Task.(*literal).fixed.Decode
	o.Format = event.Protobuf
	text := `syntax = "proto3"; message E { message F { double price = 1; string market = 2; } F features = 1; }`
	if err := known.Load([]schema.Entry{{ID: schema.ID{Number: 8},
		Schema: &schema.Schema{Type: schema.Protobuf, Text: text}}}); err != nil {
		t.Fatal(err)
	}
	_, want := post(s, "", "application/json", priceForm)
	const value = "\x0a\x0d\x09\x00\x00\x00\x00\x00\x00\xf8\x3f\x12\x02m1"
	for _, c := range [][2]string{{"?schema=8", value}, {"", "\x00\x00\x00\x00\x08\x00" + value}} {
		if code, got := post(s, c[0], rawBytes, c[1]); code != http.StatusOK || got != want {
			t.Errorf("%q: %d %s, want %s", c, code, got, want)
		}
	}
	if code, got := post(s, "?schema=8", rawBytes, ""); code != http.StatusBadRequest ||
		!strings.Contains(got, "no-features") {
		t.Errorf("defaults: %d %s", code, got)
	}
}
