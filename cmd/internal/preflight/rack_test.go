package preflight

import (
	"bytes"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// TestRack: check says whether a broker is in the rack of this process.
func TestRack(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ own, brokers, want string }{
		{"", "a b", ""},
		{"b", "a b a", "ok    rack         brokers are in b"},
		{"c", "b a b", "note  rack         no broker is in c, so everything is read from leaders: name one of " +
			"theirs: a, b"},
		{"c", "", "note  rack         no broker has a rack, so everything is read from leaders: set broker.rack"},
	} {
		var out bytes.Buffer
		k := &clusterCheck{checklist: &checklist{out: &out}, settings: &Settings{}, meta: &kmsg.MetadataResponse{}}
		k.settings.Rack = c.own
		k.meta.Brokers = append(k.meta.Brokers, kmsg.MetadataResponseBroker{}) // without one
		for name := range strings.FieldsSeq(c.brokers) {
			k.meta.Brokers = append(k.meta.Brokers, kmsg.MetadataResponseBroker{Rack: &name})
		}
		k.rack()
		if got := out.String(); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
