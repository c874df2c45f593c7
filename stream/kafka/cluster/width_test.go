package cluster

import (
	"testing"
	"testing/synctest"
	"time"
)

// TestLackOfPartitions: a topic that is too narrow is believed to be, also where others are tried in vain between two
// responses.
func TestLackOfPartitions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var w widths
		narrow := Topic{Name: "out", Leaders: []int32{0, 0}, From: "alive"}
		if w.await(narrow, 3) == nil {
			t.Error("the first word was believed")
		}
		time.Sleep(10 * time.Second) // another broker is away
		if err := w.await(narrow, 3); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Hour)
		if w.await(narrow, 3) == nil {
			t.Error("a word was believed for one that was long ago")
		}
	})
}
