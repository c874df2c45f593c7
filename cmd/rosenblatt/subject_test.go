package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/sr"
	"github.com/twmb/franz-go/pkg/sr/srfake"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// bare are events without what they are framed with.
func bare(events []string) (all []string) {
	for _, e := range events {
		all = append(all, e[5:])
	}
	return all
}

// TestSchemaOfASubject: bare events have the schema that a subject had when the model was begun. Later starts, verify
// and inspect do without the registry, though the subject has another schema since; a start with that one is refused.
func TestSchemaOfASubject(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "points", "points.predictions", "points.dlq"))
	fake := srfake.New()
	t.Cleanup(fake.Close)
	record := func(fields string) sr.Schema {
		return sr.Schema{Schema: `{"type":"record","name":"a","fields":[` + fields + `]}`}
	}
	const fields = `{"name":"x","type":"double"},{"name":"label","type":"int"}`
	fake.SeedSchema("points-value", 1, 3, record(fields))
	c := streamtest.Connect(t, k)
	c.Produce(t, "points", 0, bare(framedPoints(3, 50))...)
	state := t.TempDir()
	of := []string{"--brokers", k, "--input", "points", "--format", "avro"}
	with := func(first string, schema string, more ...string) []string {
		return append(append([]string{first, "--schema", schema, "--schema-registry", fake.URL()}, of...), more...)
	}
	run := func(schema string) []string {
		return with("run", schema, "--state", state, "--http", "off", "--until-end")
	}
	call(t, "", with("check", "points-value", "--state", state)...).want(t, cli.ExitDone, "1 field can make", "")
	checked := call(t, "", with("check", "other", "--state", state)...)
	checked.want(t, cli.ExitFailed, "no subject other", "")
	checked.want(t, cli.ExitFailed, "note  events       not read: first there must be a schema", "")
	if strings.Contains(checked.stdout, "the newest") {
		t.Error(checked.stdout)
	}
	call(t, "", append([]string{"run", "--schema", "points-value"}, of...)...).want(t, cli.ExitUsage, "",
		"needs --schema-registry")
	call(t, "", run("points-value")...).want(t, cli.ExitDone, "50 predictions", "that of a subject")
	fake.SeedSchema("points-value", 2, 4, record(fields+`,{"name":"more","type":"long"}`))
	call(t, "", run("points-value")...).want(t, cli.ExitDone, "50 predictions", "")
	call(t, "", run("points-value:2")...).want(t, cli.ExitStopped, "", "decode.schema was")
	call(t, "", run("points-value:1")...).want(t, cli.ExitDone, "50 predictions", "")
	call(t, "", with("verify", "points-value:1")...).want(t, cli.ExitDone, "50 predictions", "")
	call(t, "", "replay", "--brokers", k, "--topic", "points", "--format", "avro", "--schema", "points-value:1",
		"--schema-registry", fake.URL()).want(t, cli.ExitDone, "50", "")
	if t.Failed() {
		return // a start that asks again would wait for the registry below
	}
	fake.Reset()
	c.Produce(t, "points", 0, bare(framedPoints(3, 60))[50:]...)
	call(t, "", run("points-value")...).want(t, cli.ExitDone, "60 predictions", "")
	call(t, "", "verify", "--brokers", k, "--input", "points", "--state", state).want(t, cli.ExitDone,
		"60 predictions (seq 1 to 60), 0 dead letters", "")
}

// TestSubjectIsAwaited: a start waits for a registry that is away, and for a subject that is not registered yet.
func TestSubjectIsAwaited(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "points", "points.predictions", "points.dlq"))
	fake := srfake.New()
	t.Cleanup(fake.Close)
	var asked atomic.Int32
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch n := asked.Add(1); {
		case n <= 2:
			w.WriteHeader(http.StatusInternalServerError)
			return
		case n == 4:
			fake.SeedSchema("points-value", 1, 3, sr.Schema{Schema: `{"type":"record","name":"a","fields":[` +
				`{"name":"x","type":"double"},{"name":"label","type":"int"}]}`})
		}
		res, err := http.Get(fake.URL() + r.URL.Path)
		if err != nil {
			t.Error(err)
			return
		}
		defer res.Body.Close()
		w.WriteHeader(res.StatusCode)
		_, _ = io.Copy(w, res.Body)
	}))
	t.Cleanup(front.Close)
	c := streamtest.Connect(t, k)
	c.Produce(t, "points", 0, bare(framedPoints(3, 50))...)
	call(t, "", "run", "--brokers", k, "--input", "points", "--format", "avro", "--state", t.TempDir(), "--http", "off",
		"--until-end", "--schema", "points-value", "--schema-registry", front.URL).want(t, cli.ExitDone,
		"50 predictions", "the registry is asked again")
}
