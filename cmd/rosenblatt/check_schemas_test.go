package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/sr"
	"github.com/twmb/franz-go/pkg/sr/srfake"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/stream/streamtest"
)

// TestCheckComparesSchemas: check names the stop of a start that finds another schema under a known id, and says which
// type differs. inspect says of a schema that the model does not know whose lack that is.
func TestCheckComparesSchemas(t *testing.T) {
	t.Parallel()
	k := broker(t, kfake.SeedTopics(1, "points", "points.predictions", "points.dlq"))
	fake := srfake.New()
	t.Cleanup(fake.Close)
	record := func(x string) sr.Schema {
		return sr.Schema{Schema: `{"type":"record","name":"a","fields":[{"name":"x","type":` + x +
			`},{"name":"label","type":"int"}]}`}
	}
	fake.SeedSchema("points-value", 1, 3, record(`"double"`))
	c := streamtest.Connect(t, k)
	events := framedPoints(3, 50)
	c.Produce(t, "points", 0, events...)
	state := t.TempDir()
	with := func(first string, more ...string) []string {
		return append([]string{first, "--brokers", k, "--input", "points", "--format", "avro", "--schema-registry",
			fake.URL(), "--state", state}, more...)
	}
	call(t, "", with("run", "--http", "off", "--until-end")...).want(t, cli.ExitDone, "50 predictions", "")
	call(t, "", with("check")...).want(t, cli.ExitDone, "ok    start", "")
	fake.Reset()
	fake.SeedSchema("points-value", 1, 3, record(`"float"`))
	call(t, "", with("check")...).want(t, cli.ExitFailed, "FAIL  start        would stop with error=schema-changed: "+
		"the schema registry has another schema than before under ids that events name: schema 3 was a and is a, with "+
		"other types of x (was double, is float)", "")
	other := filepath.Join(t.TempDir(), "other.bin")
	if err := os.WriteFile(other, []byte("\x00\x00\x00\x00\x04"+events[0][5:]), 0o600); err != nil {
		t.Fatal(err)
	}
	call(t, read(t, other), "inspect", filepath.Join(state, "points"), "--event", "-").want(t, cli.ExitFailed, "",
		"the model does not know schema 4: it has read no event of it")
}
