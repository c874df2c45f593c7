package evaluate

import "rosenblatt/cmd/internal/daemon"

// Settings say what is evaluated on which events. The tags are those of github.com/alecthomas/kong, as in
// daemon.Settings.
type Settings struct {
	Files []string `arg:"" optional:"" name:"file" placeholder:"FILE|-" help:"Files of events, one on a line (${endings}, also .gz .zst), or - for standard input."`

	Topic      string  `group:"Source" placeholder:"TOPIC" help:"Read a topic instead of files."`
	From       string  `group:"Source" placeholder:"OFFSET|TIME" help:"Begin there: an offset in every partition, or a time as 2026-01-31T18:00:00Z (default: the log's start)."`
	To         string  `group:"Source" placeholder:"OFFSET|TIME" help:"End before that offset or time (default: the log's end as it is at the start)."`
	Partitions []int32 `group:"Source" placeholder:"N" help:"These partitions only (default: all)."`
	Order      string  `group:"Source" default:"time" placeholder:"time|journal" help:"Several partitions in the order of time, partition, offset; or in the order in which a daemon learned them (default: ${default})."`
	Journal    string  `group:"Source" placeholder:"TOPIC" help:"With --order journal: the daemon's output topic (default: TOPIC.predictions)."`

	Learner   []string `group:"Learning" sep:"none" placeholder:"${learners}" help:"Learners, several separated by spaces or by repeating the flag (default: perceptron)."`
	Scale     string   `group:"Learning" placeholder:"standard|maxabs|none" help:"How features are scaled (default: ${scales})."`
	Bits      int      `group:"Learning" default:"18" placeholder:"N" help:"Features share 2^N weights, 1 to 30 (default: ${default})."`
	Seed      uint64   `group:"Learning" default:"0" placeholder:"N" help:"Seed of the hash that gives a feature its weight, and of --shuffle (default: ${default})."`
	MaxNames  int      `group:"Learning" default:"262144" placeholder:"N" help:"Most feature names remembered, for reading weights (default: ${default})."`
	Weights   string   `group:"Learning" placeholder:"FILE" help:"Weights every learner starts from: a JSON object, name: number; \"bias\" is the bias."`
	FromModel string   `group:"Learning" placeholder:"FILE" help:"Evaluate this model, a checkpoint, beside the learners named; how events are read is taken from it where no flag says otherwise."`
	NoLearn   bool     `group:"Learning" help:"Only predict, never learn; with --from-model or --weights."`

	Task       string   `group:"Several classes" default:"binary" placeholder:"binary|multiclass" help:"Whether labels are one of two, or one of any number of classes, which are discovered as they come (default: ${default}, or the model's)."`
	Multiclass []string `group:"Several classes" placeholder:"direct|ova|ovo" help:"How classes are told apart, or several ways: each learner in each of them, side by side (default: direct, where the learner has it, else ova)."`
	MaxClasses int      `group:"Several classes" placeholder:"N" help:"Most classes; an event with a label beyond is rejected (default: 1000, with ovo 100)."`

	Delay   string `group:"Evaluation" default:"0" placeholder:"N|DURATION" help:"Learn each label after N more predictions, or that much later by the records' timestamps (default: ${default}, at once)."`
	Repeat  int    `group:"Evaluation" default:"1" placeholder:"N" help:"Go through the events N times (default: ${default})."`
	Shuffle bool   `group:"Evaluation" help:"Take the events of each pass in a random order, by --seed."`
	Strict  bool   `group:"Evaluation" help:"End at the first event that is rejected, instead of counting it."`

	Report string `group:"Results" placeholder:"FILE.html" help:"Write a page with curves, tables and weights."`
	JSON   string `group:"Results" name:"json" placeholder:"FILE" help:"Write all figures as JSON; - for standard output, instead of the table."`
	CSV    string `group:"Results" name:"csv" placeholder:"FILE" help:"Write the learning curves."`

	daemon.Events     `embed:"" group:"Events"`
	daemon.Connection `embed:"" group:"Connection, for --topic"`
}
