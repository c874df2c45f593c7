package daemon

import (
	"net/http"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/sr"
	"github.com/twmb/franz-go/pkg/sr/srfake"

	"rosenblatt/stream/streamtest"
)

// TestPredictAsksTheRegistry: /predict of each model asks the registry for a schema that no event had yet.
func TestPredictAsksTheRegistry(t *testing.T) {
	t.Parallel()
	fake := srfake.New()
	t.Cleanup(fake.Close)
	fake.SeedSchema("points-value", 1, 3, sr.Schema{Schema: `{"type":"record","name":"a","fields":[` +
		`{"name":"x","type":"double"}]}`})
	_, s := splitCluster(t, 2, 0)
	s.Format, s.SchemaRegistry = "avro", []string{fake.URL()}
	d, url, stop, _ := serve(t, s)
	streamtest.Await(t, "live models", func() bool { return live(d) == 2 })
	res, err := http.Post(url+"/predict?partition=1&schema=3", "application/octet-stream",
		strings.NewReader("\x00\x00\x00\x00\x00\x00\xf8\x3f"))
	if err != nil {
		t.Fatal(err)
	}
	if text := body(t, res); res.StatusCode != http.StatusOK || !strings.Contains(text, `"prediction"`) {
		t.Errorf("%d %s", res.StatusCode, text)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}
