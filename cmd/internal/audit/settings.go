package audit

import (
	"time"

	"rosenblatt/cmd/internal/cli"
	"rosenblatt/cmd/internal/daemon"
)

// ModelGroup is the group of the settings with a model's parameters, which a checkpoint holds itself.
const ModelGroup = "The model, as given to run (without a checkpoint)"

// Settings say what is audited, and by which parameters. daemon.Settings explains the tags.
type Settings struct {
	Input      string `group:"Topics" placeholder:"TOPIC"`
	Output     string `group:"Topics" placeholder:"TOPIC"`
	DeadLetter string `group:"Topics" placeholder:"TOPIC"`
	Model      string `group:"Topics" placeholder:"NAME"`
	Partition  *int32 `group:"Topics" placeholder:"N"`

	State          string   `group:"Parameters" default:"./state" placeholder:"FOLDER"`
	FromCheckpoint string   `group:"Parameters" placeholder:"FILE"`
	Skip           []string `group:"Parameters" cmdline:"" placeholder:"P:FROM-TO"`

	Labels            string        `group:"Labels that come later, as in run" placeholder:"TOPIC"`
	Outcomes          string        `group:"Labels that come later, as in run" placeholder:"TOPIC"`
	LabelsIdle        time.Duration `group:"Labels that come later, as in run" default:"0s" placeholder:"DURATION"`
	daemon.LateLabels `embed:"" group:"Labels that come later, as in run"`

	daemon.LabelMemory `embed:"" group:"Labels that come later, as in run"`

	JSON bool `group:"Results" name:"json"`
	Show int  `group:"Results" default:"10" placeholder:"N"`

	daemon.Connection `embed:"" group:"Connection"`
	daemon.Registry   `embed:"" group:"Schema registry"`
	daemon.Events     `embed:"" group:"The model, as given to run (without a checkpoint)"`
	daemon.Learning   `embed:"" group:"The model, as given to run (without a checkpoint)"`
	daemon.Classes    `embed:"" group:"The model, as given to run (without a checkpoint)"`

	MaxBatchBytes int64 `group:"Connection" default:"67108864" placeholder:"N"`
}

// FlagHelp implements cli.Documented.
func (Settings) FlagHelp() cli.Help {
	return `
input: The topic of events.
output: The topic of predictions to audit (default: INPUT.predictions).
dead-letter: The topic of events that were rejected (default: INPUT.dlq).
model: The model's name (default: the checkpoint's, else INPUT).
partition: Audit the model of this partition, MODEL.N, of those that run --model-per partition has.
state: Take the model's parameters and start from its checkpoints in FOLDER/MODEL, where there are some and no flag
	below names parameters (default: ${default}). The predictions are computed from an untrained model all the same.
	The newest checkpoint also shows how far the model was: without one, what is missing at the end cannot be known.
from-checkpoint: Begin with the model in this checkpoint: only predictions after it are audited, so the exit code is 5,
	not 0. Newer ones beside it and in the state folder show how far the model was.
skip: What the daemon skipped, where no checkpoint says so.
labels: The topic of label records (default: the checkpoint's).
outcomes: The topic of outcomes to audit (default: the checkpoint's, else INPUT.outcomes).
labels-idle: How long a partition of labels was silent until it counted as read up to now (default: the checkpoint's,
	else ${default}, never).
label-wait: How long an event waits for its label, by the timestamps of labels; the shortest that run was given
	(default: the checkpoint's, else ${default}).
waiting-examples: Most events that wait; the lowest number that run was given (default: the checkpoint's, else
	${default}).
settled-ids: How many ids are remembered after their label; the highest number that run was given (default: the
	checkpoint's, else ${default}).
waiting-memory: The features of waiting events that are kept; those of older ones are read again, many at a time
	(default: ${default}).
json: Print all findings and numbers as JSON.
show: How many findings to print in words (default: ${default}).
max-batch-bytes: Most bytes that one batch of the input may unpack to (default: ${default}).
`
}

func (s *Settings) daemon() daemon.Settings {
	d := daemon.Defaults()
	d.Connection, d.Events, d.Learning, d.Classes = s.Connection, s.Events, s.Learning, s.Classes
	d.Input, d.Output, d.DeadLetter, d.Model, d.State = s.Input, s.Output, s.DeadLetter, s.Model, s.State
	d.MaxBatchBytes, d.Skip, d.Registry = s.MaxBatchBytes, s.Skip, s.Registry
	//mutation:verify-knows-labels
	if s.Labels != "" {
		d.Labels, d.Outcomes, d.LateLabels, d.LabelMemory = s.Labels, s.Outcomes, s.LateLabels, s.LabelMemory
	}
	return d
}
