package daemon

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"rosenblatt/stream/stops"
	"rosenblatt/stream/streamtest"
)

// TestFailedStartCreatesNoTopics: a start with --create-topics that ends with a stop leaves the topics as they were:
// none is created, and no partition is added.
func TestFailedStartCreatesNoTopics(t *testing.T) {
	t.Parallel()
	begun := func(t *testing.T, _ *streamtest.Cluster, s *Settings) { run(t, *s) }
	elsewhere := func(s *Settings) { // other topics, which would be created
		s.Output, s.DeadLetter, s.CheckpointTopic = s.Input+".other", s.Input+".other.dlq", s.Input+".checkpoints"
	}
	for name, x := range map[string]struct {
		before func(*testing.T, *streamtest.Cluster, *Settings)
		change func(*testing.T, *streamtest.Cluster, *Settings)
		stop   string // empty: an error that is none
		text   string
	}{
		"a checkpoint of another model": {begun, func(t *testing.T, _ *streamtest.Cluster, s *Settings) {
			folder := filepath.Join(s.State, "other")
			if err := os.CopyFS(folder, os.DirFS(filepath.Join(s.State, s.Input))); err != nil {
				t.Fatal(err)
			}
			s.Model = "other"
			elsewhere(s)
		}, stops.ConfigDiffers, "is a checkpoint of model"},
		"other settings": {begun, func(_ *testing.T, _ *streamtest.Cluster, s *Settings) {
			s.Bits = 13
			elsewhere(s)
		}, stops.ConfigDiffers, "bits was"},
		"other settings of a model for each partition": {func(t *testing.T, c *streamtest.Cluster, s *Settings) {
			s.ModelPer = perPartition
			run(t, *s)
		}, func(_ *testing.T, _ *streamtest.Cluster, s *Settings) {
			s.Bits = 13
			elsewhere(s)
		}, stops.ConfigDiffers, "bits was"},
		"no valid checkpoint": {nil, func(t *testing.T, _ *streamtest.Cluster, s *Settings) {
			folder := filepath.Join(s.State, s.Input)
			if err := os.MkdirAll(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(folder, "checkpoint-1")
			if err := os.WriteFile(file, []byte("no checkpoint"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, stops.StateInvalid, "none of them is valid"},
		"a model to begin with that does not fit": {begun, func(_ *testing.T, _ *streamtest.Cluster, s *Settings) {
			s.FromModel, s.Model, s.Bits = filepath.Join(s.State, s.Input), "other", 13
			elsewhere(s)
		}, "", "bits"},
		"no input": {nil, func(_ *testing.T, _ *streamtest.Cluster, s *Settings) {
			s.Output, s.DeadLetter, s.Input = s.Input+".predictions", s.Input+".dlq", s.Input+".none"
		}, stops.TopicMissing, "create the input"},
		"no labels": {nil, func(_ *testing.T, _ *streamtest.Cluster, s *Settings) {
			s.Labels = s.Input + ".labels"
		}, stops.TopicMissing, "create the labels"},
		"labels in fewer partitions": {nil, func(t *testing.T, c *streamtest.Cluster, s *Settings) {
			s.ModelPer, s.Labels = perPartition, s.Input+".labels"
			c.Topic(t, s.Labels, 1)
		}, stops.PartitionsDiffer, "have 1"},
		"another state folder": {begun, func(t *testing.T, c *streamtest.Cluster, s *Settings) {
			s.State, s.Labels, s.CheckpointTopic = t.TempDir(), s.Input+".labels", s.Input+".checkpoints"
			c.Topic(t, s.Labels, 1)
		}, stops.StateMissing, "holds predictions"},
		"an output that does not fit": {nil, func(t *testing.T, c *streamtest.Cluster, s *Settings) {
			c.Topic(t, s.Input+".predictions", 2, "cleanup.policy", "compact")
		}, stops.OutputUnfit, "compact"},
		"an output that was deleted": {begun, func(t *testing.T, c *streamtest.Cluster, s *Settings) {
			c.Delete(t, s.Input+".predictions")
		}, stops.TopicChanged, "does not exist any more"},
		"an output that is too narrow": {begun, func(t *testing.T, c *streamtest.Cluster, s *Settings) {
			c.AddPartitions(t, s.Input, 3)
			s.Bits = 13
		}, stops.ConfigDiffers, "bits was"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, s := topicOf(t, 2, 5)
			prefix := s.Input
			if x.before != nil {
				x.before(t, c, &s)
			}
			x.change(t, c, &s)
			had := c.Topics(t, prefix)
			if x.stop != "" {
				wantRefused(t, s, x.stop, x.text)
			} else if err := newDaemon(t, s).Run(streamtest.Timeout(t, time.Minute)); err == nil {
				t.Error("it ran")
			}
			if has := c.Topics(t, prefix); !maps.Equal(had, has) {
				t.Errorf("topics were %v, are %v", had, has)
			}
		})
	}
}
