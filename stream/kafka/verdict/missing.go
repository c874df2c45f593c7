package verdict

import (
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kerr"

	"rosenblatt/stream/stops"
)

// MissingTopic is a topic that does not exist. It is not retriable: the caller decides whether to wait for it.
type MissingTopic struct{ Name string }

func (m *MissingTopic) Error() string { return fmt.Sprintf("topic %s does not exist", m.Name) }

// IsMissing tells whether err is a *MissingTopic.
func IsMissing(err error) bool {
	var m *MissingTopic
	return errors.As(err, &m)
}

// IsOfTopic tells whether a deleted or recreated topic may cause the error.
func IsOfTopic(err error) bool {
	return IsMissing(err) || IsCode(err, kerr.UnknownTopicOrPartition, kerr.UnknownTopicID, kerr.InconsistentTopicID)
}

// Stop is the stop for it, with advice.
func (m *MissingTopic) Stop(do string) *stops.Error {
	return &stops.Error{
		Name: stops.TopicMissing, What: m.Error(), Safe: "everything that was acknowledged; no topic was changed",
		Do: do, Cause: m,
	}
}
