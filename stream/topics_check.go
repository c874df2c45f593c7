package stream

import (
	"rosenblatt/stream/model"
	"rosenblatt/stream/topics"
)

// CheckTopics returns the stop with which a start would end: topics that do not fit the settings, or are not what the
// newest checkpoint holds. The header is nil without a checkpoint.
func CheckTopics(c Config, h *model.Header, top *topics.Topology) error {
	t := &Task{Config: c.withDefaults()}
	if err := t.checkTopics(top); err != nil || h == nil {
		return err
	}
	t.Config.ModelConfig, t.Config.Model = h.Config, h.Model
	_, err := planFromCheckpoint(h, &t.Config, top)
	return err
}
