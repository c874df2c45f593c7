package kafka

import (
	"slices"
	"testing"
	"time"
)

// TestSharedIDs: topics whose writer has a transactional id of this one are named, where they exist, from both sides.
func TestSharedIDs(t *testing.T) {
	t.Parallel()
	b := newBed(t, 3)
	b.create(b.name+"-some.2", 1)
	for _, x := range []struct {
		output string
		split  bool
		want   string
	}{
		{"-out", false, ""},
		{"-out.1", false, "-out"},
		{"-out.01", false, ""},
		{"-none.1", false, ""},
		{"-some", true, "-some.2"},
		{"-out", true, ""},
	} {
		c := b.client(func(o *Options) { o.Output = b.name + x.output })
		var want []string
		if x.want != "" {
			want = []string{b.name + x.want}
		}
		if got, err := c.SharedIDs(timeout(t, time.Minute), x.split); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s, %v: %v, %v", x.output, x.split, got, err)
		}
	}
}
