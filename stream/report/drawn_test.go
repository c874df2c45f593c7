package report

import (
	"strings"
	"testing"
)

// TestPictureOfMany: of a large grid the page draws the best learners, each in a style of its own, and tells of all.
func TestPictureOfMany(t *testing.T) {
	r := sample(40)
	styles := map[string]bool{}
	for _, k := range keys(r.drawn()) {
		styles[string(k.Color)+k.Dashes] = true
	}
	if n := 2*hues + len(r.Baselines); len(styles) != n || len(r.drawn()) != n {
		t.Errorf("%d lines in %d styles, want %d", len(r.drawn()), len(styles), n)
	}
	page := written(t, r.HTML)
	if got := strings.Count(page, `<span class="chip"`); got != 40 {
		t.Errorf("%d learners are told of, want 40", got)
	}
	if rows := strings.Count(written(t, r.Curves), "\n"); rows < 40*30 {
		t.Errorf("%d rows of curves", rows)
	}
}
