package daemon

import (
	"regexp"
	"slices"

	"rosenblatt/cmd/internal/cli"
)

// topicName is what Kafka allows as the name of a topic, up to longestName bytes; the model's name is also a folder's.
// The length in the expression would take a millisecond of each start.
var topicName = regexp.MustCompile(`^[a-zA-Z0-9._-]+$`)

const longestName = 249

func (t *Topics) check(f *cli.Faults) {
	if t.Input == "" {
		f.Addf("input: missing: want the topic of events")
		return // the other names follow from it
	}
	for _, n := range []struct{ setting, name string }{
		{"input", t.Input}, {"output", t.Output}, {"dead-letter", t.DeadLetter}, {"model", t.Model},
	} {
		checkName(f, n.setting, n.name)
	}
	f.OneOf("model-per", t.ModelPer, perAll, perPartition)
	if t.Split() {
		checkName(f, "model", t.TaskModel(longestPartition))
	}
	if t.CheckpointTopic != "" {
		checkName(f, "checkpoint-topic", t.CheckpointTopic)
	}
	topics := []string{t.Input, t.Output, t.DeadLetter}
	f.AddIf(slices.Contains(topics, t.CheckpointTopic),
		"checkpoint-topic: %s is another of the topics: want one for checkpoints alone", t.CheckpointTopic)
	slices.Sort(topics)
	if len(slices.Compact(topics)) < 3 {
		f.Addf("output: input, output and dead-letter must be three different topics, not %s, %s and %s", t.Input,
			t.Output, t.DeadLetter)
	}
}

func checkName(f *cli.Faults, setting, name string) {
	if !topicName.MatchString(name) || len(name) > longestName || name == "." || name == ".." {
		f.Addf("%s: %q: want 1 to 249 of the letters a-z and A-Z, digits, '.', '_' and '-'", setting, name)
	}
}

// Check fills in the defaults that follow from others and checks the names. The error is cli.Faults.
func (t *Topics) Check() error {
	var f cli.Faults
	t.derive()
	t.check(&f)
	return f.Err()
}
