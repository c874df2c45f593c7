package registry

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rs/zerolog"

	"rosenblatt/stream/schema"
)

// TestNoSuchSubject: a version that is not there is told from a subject that is not.
func TestNoSuchSubject(t *testing.T) {
	m := registered{"/subjects/s/versions/2": record, "/subjects/s/versions/latest": `{"version":2,` + record[1:]}
	c, err := New(Options{URLs: []string{"http://registry"}, HTTP: m, Logger: zerolog.Nop()})
	if err != nil {
		t.Fatal(err)
	}
	for named, want := range map[string][2]string{
		"s:9": {"the registry has no version s:9: the newest of this subject is 2", "another version"},
		"z":   {"the registry has no subject z", "register its schema"},
		"z:1": {"the registry has no subject z:1", "register its schema"},
	} {
		_, err := c.AskSubject(t.Context(), named)
		if err == nil || err.Error() != want[0] || !strings.Contains(Advice(err), want[1]) {
			t.Errorf("%s: %v; %s", named, err, Advice(err))
		}
	}
	if _, err := c.AskSubject(t.Context(), "s:2"); err != nil {
		t.Error(err)
	}
}

// TestTroubleThatStays: where nobody waits any more, nothing says that a registry responds again which never did.
func TestTroubleThatStays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &server{handle: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(dead) }}
		var log strings.Builder
		c, err := New(Options{URLs: []string{"http://registry"}, HTTP: s, Logger: zerolog.New(&log)})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		if _, err := c.Get(ctx, schema.ID{Number: 9}); err == nil {
			t.Error("a schema of a registry that is away")
		}
		synctest.Wait()
		if strings.Contains(log.String(), "again") || !strings.Contains(log.String(), "gives no answer") {
			t.Error(log.String())
		}
	})
}
